import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldOf, parseFieldName } from "../../../src/service/start/parse-field-name.ts";

describe("the name of a form field", () => {
  it.each([
    ["note", "note", []],
    ["params[User Name]", "params[*]", ["User Name"]],
    ["params[User].encrypted", "params[*].encrypted", ["User"]],
    ["params[a.b]", "params[*]", ["a.b"]],
    ["params[__proto__]", "params[*]", ["__proto__"]],
    ["conf_testrunners[0].regions[eu].name", "conf_testrunners[*].regions[*].name", ["0", "eu"]],
  ])("%s is %s with the keys %j", (field, name, keys) => {
    expect(parseFieldName(field)).toEqual({ name, keys });
  });

  it.each(["", "params[", "params]", "params[]", "params[a]]", "params[[a]]", "a[1][2][3]"])("%j is none", (field) => {
    expect(parseFieldName(field)).toBeUndefined();
  });

  it("is made again of its parts, whatever it is", () => {
    const key = fc.string({ minLength: 1 }).filter((text) => !/[[\]]/.test(text));
    const plain = key.filter((text) => !text.includes("*"));
    fc.assert(
      fc.property(plain, fc.array(fc.tuple(key, fc.option(plain, { nil: "" })), { maxLength: 2 }), (first, rest) => {
        const field = first + rest.map(([each, text]) => `[${each}]${text}`).join("");
        const parsed = parseFieldName(field);
        expect(parsed?.keys).toEqual(rest.map(([each]) => each));
        expect(parsed && fieldOf(parsed.name, parsed.keys)).toBe(field);
      }),
    );
  });

  it("is taken apart or refused, never an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "[", "]", ".", "*", "\n") }), (field) => {
        const parsed = parseFieldName(field);
        expect(parsed === undefined || fieldOf(parsed.name, parsed.keys) === field).toBe(true);
      }),
    );
  });
});
