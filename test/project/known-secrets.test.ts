import { describe, expect, it } from "vitest";
import { type Diagnostic, redactDiagnostic } from "../../src/model/diagnostic.ts";
import { secretsIn } from "../../src/model/secret-texts.ts";
import { redactSecrets } from "../../src/project/known-secrets.ts";

const secret = 'pa"ss/wörd?';

describe("redaction of what is printed", () => {
  it("covers the words of a problem and leaves a clean one as it is", () => {
    const redact = redactSecrets({}, { secrets: [secret], nodes: [] });
    const problem: Diagnostic = { severity: "error", code: "LF2003", summary: "refused", detail: `bad ${secret}` };
    expect(redactDiagnostic(problem, redact).detail).toBe("bad (sensitive)");
    const clean = { ...problem, detail: "bad" };
    expect(redactDiagnostic(clean, redact)).toBe(clean);
  });

  it("covers the key, unless it is the bundled service's own", () => {
    expect(redactSecrets({ LOADFORM_API_KEY: " my-own-key\n" })("for my-own-key")).toBe("for (sensitive)");
    expect(redactSecrets({ LOADFORM_API_KEY: "local" })("a local file")).toBe("a local file");
  });

  it("finds the secrets of a project's objects", () => {
    const node = {
      handle: "a",
      fields: { password: "one", metadata: { key: "two", zone: "a" }, list: ["three", { x: "four" }], name: "n" },
      sensitive: ["password", "metadata.key", "list", "absent"],
    };
    expect(secretsIn([node, { handle: "b", fields: { name: "b" } }])).toEqual(["one", "two", "three", "four"]);
  });
});
