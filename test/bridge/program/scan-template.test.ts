import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeExpression, parseReference } from "../../../src/bridge/program/parse-reference.ts";
import { isEscaped, scanTemplate, wholeExpression } from "../../../src/bridge/program/scan-template.ts";
import { escaped } from "../../../src/model/written.ts";

const text = (value: string) => ({ is: "text", text: value });
const expression = (code: string) => ({ is: "expression", code });

// What Terraform 1.11.4 makes of each.
describe("a template", () => {
  test.each([
    ["", [text("")]],
    ["a", [text("a")]],
    ["$${x}", [text("${x}")]],
    ["$$${x}", [text("$${x}")]],
    ["$$$$$${x}", [text("$$$$${x}")]],
    ["%%%{x}", [text("%%{x}")]],
    ["$$ {x}$", [text("$$ {x}$")]],
    ['${"$"}$${x}', [text("$${x}")]],
    ['${"a\\n\\u00e9\\"$${1}"}', [text('a\n\u00e9"${1}')]],
    ["${var.a}", [expression("var.a")]],
    ["a${ var.a }b", [text("a"), expression("var.a"), text("b")]],
    ['${f("}", {a = "${"}"}"})}', [expression('f("}", {a = "${"}"}"})')]],
    ["%{if a}b%{endif}", [{ is: "directive", code: "if a" }, text("b"), { is: "directive", code: "endif" }]],
    ['${"a ${var.b}"}', [expression('"a ${var.b}"')]],
    ["${var.a", [{ is: "unclosed", code: "var.a" }]],
    ["a%{if", [text("a"), { is: "unclosed", code: "if" }]],
    ["{a} $ {b} {$${c}", [text("{a} $ {b} {${c}")]],
    ["${var.a}{b}$%{c}", [expression("var.a"), text("{b}$"), { is: "directive", code: "c" }]],
  ])("%j", (source, parts) => {
    expect(scanTemplate(source)).toEqual(parts);
  });

  test.each([
    ["a", true],
    ["{$ {a}", true],
    ["a $${x} {b} $${y}", true],
    ["${x}", false],
    ["a $${x} ${y}", false],
    ["$$${x}", false],
    ["%{x}", false],
    ["%%{x}", false],
    ["$%{x}", false],
  ])("%j is nothing but escaped in a document: %j", (source, is) => {
    expect(isEscaped(source)).toBe(is);
  });

  test("that is nothing but escaped is the text that its pieces make", () => {
    const signs = fc.array(fc.constantFrom("$", "%", "{", "}", '"', "a", "$${", " ")).map((each) => each.join(""));
    fc.assert(
      fc.property(signs, (source) => {
        const [only, ...more] = scanTemplate(source);
        const made = only?.is === "text" && more.length === 0 ? escaped(only.text) : undefined;
        if (isEscaped(source)) expect(made).toBe(source);
      }),
    );
  });

  test("of many signs is read in one pass", () => {
    const source = "${".repeat(20_000);
    const began = performance.now();
    scanTemplate(source);
    scanTemplate('${"'.repeat(20_000));
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

describe("a reference", () => {
  test.each([
    ["loadform_tag.a.name", ["loadform_tag", "a", "name"]],
    ["data.loadform_provider.a.id", ["data", "loadform_provider", "a", "id"]],
    ["loadform_scenario.a.params_config[0].name", ["loadform_scenario", "a", "params_config", 0, "name"]],
    ["tolist(loadform_scenario.a.tags)[1]", ["loadform_scenario", "a", "tags", 1]],
    ["tolist(loadform_scenario.a.params_config).0.name", ["loadform_scenario", "a", "params_config", 0, "name"]],
    ['loadform_provider.a.metadata["zone"]', ["loadform_provider", "a", "metadata", "zone"]],
  ])("%s", (code, steps) => {
    expect(parseReference(code)).toEqual(steps);
  });

  test.each([
    ["upper(var.a)", "a function"],
    ["a.b ? 1 : 2", "a condition"],
    ["a.b + 1", "an operator"],
    ["a.b[*].c", "a splat"],
    ["[for x in y : x]", "a for expression"],
    ["a", "an expression"],
    ["a.b[c.d]", "an expression"],
  ])("is not %s", (code, words) => {
    expect(parseReference(code)).toBeUndefined();
    expect(describeExpression(code)).toBe(words);
  });
});

test("a text that is one expression is told by its form as by a scan", () => {
  const piece = fc.constantFrom("${", "}", ".", "a", "b-1", "_", "1", '"', " ", "$", "{", "\n", "[0]", "${a.b}");
  const text = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(""));
  const framed = text.map((within) => `\${a.${within}}`);
  fc.assert(
    fc.property(fc.oneof(text, framed), (each) => {
      const [only, ...more] = scanTemplate(each);
      const scanned = each.startsWith("${") && more.length === 0 && only?.is === "expression" ? only.code : undefined;
      expect(wholeExpression(each)).toBe(scanned);
    }),
    { numRuns: 2000 },
  );
});
