import { describe, expect, it } from "vitest";
import { markingRedactor, redactor } from "../../src/model/redact.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const inJson = (text: string) => JSON.stringify({ message: "no", password: text, more: 1 });
const html = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
const numeric = (text: string) => [...text].map((each) => `&#${each.codePointAt(0)};`).join("");
const hexadecimal = (text: string) => [...text].map((each) => `&#x${each.codePointAt(0)?.toString(16)};`).join("");
const form = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
const ascii = (text: string) =>
  JSON.stringify(text).replace(/[^\0-\x7f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);

const secret = `pa"ss/wörd <&'? \\ 😀 end`;
const pem = "-----BEGIN KEY-----\nabcd+EFG/hij0123\nklmnOPQR==\n-----END KEY-----\n";

/** Everything that a reader could tell the value from. */
const tellingParts = [secret, secret.slice(0, 10), encodeURIComponent(secret).slice(6, 30), html(secret).slice(2, 20)];

const spellings: readonly (readonly [string, (text: string) => string])[] = [
  ["as it is", (text) => text],
  ["in base64", base64],
  ["in base64 for URLs", (text) => Buffer.from(text).toString("base64url")],
  ["in hexadecimal", (text) => Buffer.from(text).toString("hex")],
  ["in hexadecimal capitals", (text) => Buffer.from(text).toString("hex").toUpperCase()],
  ["with the escapes of JSON", inJson],
  ["in JSON of ASCII", ascii],
  ["in JSON with escaped slashes", (text) => ascii(text).replaceAll("/", "\\/")],
  ["in JSON in JSON", (text) => JSON.stringify(inJson(text))],
  ["URL-encoded", encodeURIComponent],
  ["URL-encoded as a whole", encodeURI],
  ["URL-encoded in small letters", (text) => encodeURIComponent(text).replace(/%../g, (each) => each.toLowerCase())],
  ["as a form sends it", form],
  ["with the entities of HTML", html],
  ["with an entity per character", numeric],
  ["with a hexadecimal entity per character", hexadecimal],
  ["with named entities", (text) => html(text).replaceAll("ö", "&ouml;")],
  ["in a JSON body with entities", (text) => html(inJson(text))],
  ["in a JSON body that is URL-encoded", (text) => encodeURIComponent(inJson(text))],
  ["in a JSON body that a form sends", (text) => form(inJson(text))],
  ["in a JSON body in base64, first place", (text) => base64(`{"p":"${JSON.stringify(text).slice(1)}}`)],
  ["in a JSON body in base64, second place", (text) => base64(`{"pp":"${JSON.stringify(text).slice(1)}}`)],
  ["in a JSON body in base64, third place", (text) => base64(`{"ppp":"${JSON.stringify(text).slice(1)}}`)],
  ["in a JSON body in base64 that is URL-encoded", (text) => encodeURIComponent(base64(inJson(text)))],
  ["in a JSON body in base64 for URLs", (text) => Buffer.from(inJson(text)).toString("base64url")],
  ["in a JSON body in hexadecimal", (text) => Buffer.from(inJson(text)).toString("hex")],
];

describe("redaction", () => {
  const redact = redactor([secret, "abc"]);

  it.each(spellings)("takes out a secret %s, also cut off at the end", (_title, spell) => {
    const characters = [...secret];
    for (const less of [0, 1, 5, 6, 7, 12, characters.length - 8]) {
      const spelled = spell(characters.slice(0, characters.length - less).join(""));
      const text = redact(`before|${spelled}|after`);
      expect(text).toContain("(sensitive)");
      expect(text).toMatch(/^before\|.*\|after$/s);
      for (const part of [...tellingParts, spelled]) expect(text).not.toContain(part);
    }
  });

  it.each(spellings)("takes out %s no more than the secret", (_title, spell) => {
    const [before, after] = [spell("nothing to see"), spell("and nothing more")];
    expect(redact(`${before} | ${spell(secret)} | ${after}`)).toMatch(
      new RegExp(`^${escaped(before)} \\| .*\\(sensitive\\).* \\| ${escaped(after)}$`, "s"),
    );
    expect(redact(before + after)).toBe(before + after);
  });

  it.each([
    ["values shorter than four characters", ["abc"], "abc", "abc"],
    ["a part of seven characters", ["s3cretkey"], "s3cretk", "s3cretk"],
    ["another word with a short one in it", ["local"], "at http://localhost", "at http://localhost"],
    ["the first word of a longer value", ["loadform-ci-token"], "run: loadform apply", "run: loadform apply"],
    ["the host of an address", ["http://127.0.0.1:8/state/a"], "http://127.0.0.1:8080/b", "http://127.0.0.1:8080/b"],
    ["a host and a slash", ["https://a.example.com/x/y"], "https://a.example.com/z", "https://a.example.com/z"],
    ["a folder", ["/builds/group/project/key.pem"], "/builds/group/project/x", "/builds/group/project/x"],
    ["a day", ["2031-04-05T06:07:08Z"], "2031-04-05T09:00:00Z", "2031-04-05T09:00:00Z"],
    ["another number", ["1700000000000"], "1700000000001", "1700000000001"],
    ["the frame of a key", [pem], "a -----BEGIN KEY----- of pem", "a -----BEGIN KEY----- of pem"],
  ])("leaves %s alone", (_title, values, text, expected) => {
    expect(redactor(values)(text)).toBe(expected);
  });

  it.each([
    ["a short word that stands alone", ["local"], "key local, 'local'", "key (sensitive), '(sensitive)'"],
    ["a short value in another word", ["a1b2"], "xa1b2y", "x(sensitive)y"],
    ["a short value in base64", ["a1b2"], `x${base64("a1b2")}`, "x(sensitive)=="],
    ["white space around a value or not", ["  token-1  "], "token-1", "(sensitive)"],
    ["the longer of two that overlap", ["token", "token-and-more"], "token-and-more token", "(sensitive) (sensitive)"],
    ["a line of a key", [pem], "bad klmnOPQR== line", "bad (sensitive) line"],
    ["a whole key", [pem], `[${pem.trim()}]`, "[(sensitive)]"],
    [
      "a key without its line ends",
      [pem],
      pem.replaceAll("\n", ""),
      "-----BEGIN KEY-----(sensitive)(sensitive)-----END KEY-----",
    ],
    ["a part of an address", ["https://h.example.com/T0/abcd"], "https://h.example.com/T0/ab...", "(sensitive)..."],
    ["a part of a password", ["postgres://ci:hunter2@db/x"], "postgres://ci:hunter...", "(sensitive)..."],
    ["values that are next to each other", ["first-one", "other-one"], "first-oneother-one", "(sensitive)(sensitive)"],
  ])("takes out %s", (_title, values, text, expected) => {
    expect(redactor(values)(text)).toBe(expected);
  });

  it.each([
    ["s3cret/key+1", "a s3cret/key+1 b", "a *** b"],
    ["s3cret/key+1", "?key=s3cret%2Fkey%2B1&x", "?key=***&x"],
    ["s3cret/key+1", `x${base64("s3cret/key+1")}y`, "x***y"],
    ['quo"te-key', 'said "quo\\"te-key"', 'said "***"'],
    ["local", "key local at http://localhost", "key *** at http://localhost"],
    ["abc", "abc is too short to hide", "abc is too short to hide"],
    ["a.c.e.g.i", "abcdefghi a.c.e.g.i", "abcdefghi ***"],
  ])("with a mark of its own shows of key %j the text %j as %j", (key, text, expected) => {
    expect(markingRedactor([[key, "***"]])(text)).toBe(expected);
  });

  it("leaves nothing of a value whose beginning another one shares, whatever their marks", () => {
    const redact = markingRedactor([
      ["shared-beginning-one", "(sensitive)"],
      ["shared-beginning-of-the-key", "***"],
    ]);
    expect(redact("shared-beginning-of-the-key shared-beginning-one")).toBe("*** (sensitive)");
  });

  it("takes long texts and many values in its stride", () => {
    const values = Array.from({ length: 1000 }, (_, index) => `value-${index}-${index * 7919}`);
    const text = "a text with %41 and &amp; in it, and value-7 ".repeat(2_000);
    const start = performance.now();
    expect(redactor(values)(text)).toHaveLength(text.length);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
