import { describe, expect, test } from "vitest";
import { addressMatcher } from "../../src/model/address.ts";
import { nearest } from "../../src/model/did-you-mean.ts";
import { fileMatcher } from "../../src/workspace/match-files.ts";
import { timesOf } from "../support/deep.ts";
import { loadFiles } from "../support/load-files.ts";

/** Each of these took minutes, or for ever, before it was bounded. */
const atMost = 15_000;

const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join("");

describe("hostile input ends soon", () => {
  const name = `${"a".repeat(250)}!`;
  test.each([
    "(a+)+$",
    "*(a*)*(a*)*(a*)*(a*)c",
    "*a".repeat(60),
    "**/".repeat(60),
    "{a,b}".repeat(60),
    "{a,".repeat(1000),
    "[".repeat(70_000),
    "*a".repeat(35_000),
  ])(
    "file glob %.40s",
    (pattern) => {
      const matcher = fileMatcher(pattern);
      for (const path of [name, `${"a/".repeat(1000)}${name}`]) expect(matcher.matches(path)).toBe(false);
    },
    atMost,
  );

  test(
    "an include of such a pattern",
    async () => {
      for (const pattern of ["(a+)+$", "*a".repeat(35_000)]) {
        const { diagnostics } = await loadFiles(`include: [${JSON.stringify(pattern)}]\n`, { files: { [name]: "" } });
        expect(diagnostics).toMatchObject([{ code: "LF1004" }]);
        expect(JSON.stringify(diagnostics).length).toBeLessThan(1500);
      }
    },
    atMost,
  );

  test(
    "address globs of sixty stars, or of any length",
    () => {
      const address = `testCase.${"a".repeat(250)}`;
      for (const glob of [`${"*a".repeat(60)}b`, `${"**a".repeat(60)}b`, `${"*?".repeat(35_000)}`])
        expect(addressMatcher(glob)(address)).toBe(false);
      expect(addressMatcher("*a".repeat(60))(address)).toBe(true);
    },
    atMost,
  );

  const seen = (yaml: string) => loadFiles(yaml).then(({ diagnostics }) => diagnostics);
  test.each([
    ["brackets that do not close", `tags: ${"[".repeat(200_000)}`],
    ["brackets that do", `tags: ${"[".repeat(50_000)}${"]".repeat(50_000)}`],
    ["maps", `tags: ${"{a: ".repeat(50_000)}1${"}".repeat(50_000)}`],
    ["lists on one line", `tags:\n  ${"- ".repeat(50_000)}1`],
    ["keys on one line", `tags:\n  ${"? ".repeat(50_000)}1`],
    ["blocks", `tags:\n${many(1000, (i) => `${" ".repeat(i + 1)}a:\n`)}`],
    ["aliases", `a0: &a0 1\n${many(5000, (i) => `a${i + 1}: &a${i + 1} [*a${i}]\n`)}`],
  ])(
    "nested too deeply: %s",
    async (_title, yaml) => {
      const found = await seen(yaml);
      expect(found).toMatchObject([{ code: "LF1003", summary: "nested too deeply" }]);
      // The place is known: it did not come to the end of the stack.
      expect(found[0]?.line).toBeGreaterThan(2);
    },
    atMost,
  );

  test("what is nested as deeply as people do is read", async () => {
    expect(await seen(`testCases: { a: { description: "${"[".repeat(300)}" } }\n# ${"[".repeat(300)}\n`)).toEqual([]);
    expect(
      await seen(`testCases:\n  a:\n    description: |\n${many(300, (i) => `      [${" ".repeat(i)}{\n`)}`),
    ).toEqual([]);
    expect(await seen(`testCases:\n${many(300, (i) => `  a${i}: { scenarios: { s: { script: x } } }\n`)}`)).toEqual([]);
  });

  test(
    "20,000 unknown keys in one object, and says how many there are",
    async () => {
      const keys = timesOf({ few: 20_000 });
      const found = await seen(`testCases:\n  a:\n${many(keys, (i) => `    descriptin${i}: 1\n`)}`);
      expect(found).toHaveLength(501);
      expect(found.slice(0, 500).every(({ code, file }) => code === "LF1101" && file === "loadform.yaml")).toBe(true);
      expect(found[500]).toMatchObject({
        severity: "error",
        code: "LF1101",
        summary: `and ${keys - 500} more problems`,
      });
    },
    4 * atMost,
  );

  test(
    "the same key on 30,000 lines",
    async () => {
      const found = await seen(`tags:\n${many(timesOf({ few: 30_000 }), () => "  a: {}\n")}`);
      expect(found).toHaveLength(501);
    },
    atMost,
  );

  test(
    "variables that double with each step",
    async () => {
      const doubling = many(40, (i) => `  v${i + 1}: { default: "\${var:v${i}}\${var:v${i}}" }\n`);
      const found = await seen(
        `variables:\n  v0: { default: "0123456789" }\n${doubling}testCases: { a: { description: "\${var:v40}" } }\n`,
      );
      expect(found).toMatchObject([
        { code: "LF1104", summary: "a text grows too long", file: "loadform.yaml", line: 24 },
      ]);
    },
    atMost,
  );

  test("words of any length have no neighbours", () => {
    const long = "a".repeat(50_000);
    expect(nearest(long, [`${long}b`])).toBeUndefined();
  });
});
