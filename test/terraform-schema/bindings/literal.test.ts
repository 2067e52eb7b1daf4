// slow: asks terraform.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { literal } from "../../../scripts/derive/bindings/literal.ts";

/** What Terraform makes of escaped text, in the few forms that `literal` writes. */
const unescaped = (text: string) =>
  text.replace(/\$\{"([$%])"\}|([$%])\2\{/g, (_, alone: string | undefined, sign: string) => alone ?? `${sign}{`);

const pieces = fc.constantFrom("$", "%", "{", "}", '"', "\\", "\n", "${", "%{", "$${", "%%{", "~", "a", "é", "${x}");
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));

describe("literal", () => {
  test.each([
    ["${x}", "$${x}"],
    ["$${x}", '${"$"}$${x}'],
    ["%{ if x }", "%%{ if x }"],
    ["%%{", '${"%"}%%{'],
    ["`${a}$`", "`$${a}$`"],
    ["costs 5$", 'costs 5${"$"}'],
    ["$%%{", '${"$"}${"%"}%%{'],
    ["100% of {x}$", '100% of {x}${"$"}'],
  ])("writes %s as %s", (text, expected) => expect(literal(text)).toBe(expected));

  test("is undone by what reads templates, whatever the text and whatever follows it", () => {
    fc.assert(
      fc.property(texts, texts, (text, more) => {
        expect(unescaped(literal(text))).toBe(text);
        expect(unescaped(literal(text) + literal(more))).toBe(text + more);
      }),
    );
  });

  test("leaves no template but those of single signs", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const rest = literal(text)
          .replaceAll(/\$\{"[$%]"\}/g, "")
          .replaceAll(/\$\$\{|%%\{/g, "");
        expect(rest).not.toMatch(/[$%]\{/);
      }),
    );
  });
});

const hasTerraform = (process.env["PATH"] ?? "").split(delimiter).some((path) => existsSync(join(path, "terraform")));
if (!hasTerraform) console.log("SKIPPED: no terraform in PATH, so literal text was not read by the real one");

describe.skipIf(!hasTerraform)("terraform", () => {
  test("reads literal text as it was", () => {
    const samples = [...fc.sample(texts, 300), "${a}", "$${a}", "%{if}", 'x = `${a}` + "\\n"\n'];
    expect(applied(samples.map(literal))).toEqual(samples);
  });
});

/** Texts as Terraform reads them in a JSON configuration. */
function applied(values: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "literal-"));
  const terraform = (...args: readonly string[]) =>
    execFileSync("terraform", args, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, CHECKPOINT_DISABLE: "1" },
    });
  try {
    writeFileSync(join(folder, "main.tf.json"), JSON.stringify({ output: { texts: { value: values } } }));
    terraform("apply", "-auto-approve", "-no-color");
    return JSON.parse(terraform("output", "-json", "texts"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
