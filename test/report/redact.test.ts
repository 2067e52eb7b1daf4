import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { redactDiagnostic, redactor, secretsIn } from "../../src/report/redact.ts";

const toBase64 = (text: string) => Buffer.from(text).toString("base64");
const secret = 'pa"ss/wörd?';
const redact = redactor([secret, "abc"], toBase64);

describe("redaction", () => {
  it.each([
    ["as it is", secret],
    ["in base64", toBase64(secret)],
    ["URL-escaped", encodeURIComponent(secret)],
    ["JSON-escaped", JSON.stringify({ password: secret })],
  ])("takes out a secret %s", (_title, spelled) => {
    const text = redact(`before ${spelled} after`);
    expect(text).toContain("(sensitive)");
    expect(text).not.toContain(spelled);
  });

  it("leaves values shorter than four characters alone", () => {
    expect(redact("abc")).toBe("abc");
  });

  it("takes out the longer of two secrets that overlap", () => {
    expect(redactor(["token", "token-and-more"], toBase64)("token-and-more token")).toBe("(sensitive) (sensitive)");
  });

  it("covers the words of a problem and leaves a clean one as it is", () => {
    const problem: Diagnostic = { severity: "error", code: "LF2003", summary: "refused", detail: `bad ${secret}` };
    expect(redactDiagnostic(problem, redact).detail).toBe("bad (sensitive)");
    const clean = { ...problem, detail: "bad" };
    expect(redactDiagnostic(clean, redact)).toBe(clean);
  });

  it("finds the secrets of a project's objects", () => {
    const node = {
      fields: { password: "one", metadata: { key: "two", zone: "a" }, list: ["three", { x: "four" }], name: "n" },
      sensitive: ["password", "metadata.key", "list", "absent"],
    };
    expect(secretsIn([node, { fields: { name: "b" } }])).toEqual(["one", "two", "three", "four"]);
  });
});
