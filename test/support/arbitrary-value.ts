import fc from "fast-check";
import type { Field } from "../../src/model/field.ts";
import type { Json } from "../../src/model/json.ts";

/** Values that a user might write for a field: mostly right, sometimes of another type or beyond its limits. */
export function arbitraryValue(field: Field): fc.Arbitrary<Json> {
  return fc.oneof({ weight: 40, arbitrary: fitting(field) }, { weight: 1, arbitrary: anything });
}

/** Values that fit a field. */
export function fittingValue(field: Field): fc.Arbitrary<Json> {
  return fitting(field, fittingValue);
}

const anything: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  null,
  0,
  -1,
  1.5,
  true,
  "",
  " ",
  "x",
  "${var:a}",
  [],
  {},
  ["x"],
  { id: 1 },
);

function fitting(field: Field, inner: (field: Field) => fc.Arbitrary<Json> = arbitraryValue): fc.Arbitrary<Json> {
  switch (field.type) {
    case "string":
      return textOf(field);
    case "integer":
    case "number":
      return fc.integer({ min: field.minimum ?? -3, max: Math.min(field.maximum ?? 70, 70) });
    case "boolean":
      return fc.boolean();
    case "choice":
      return fc.constantFrom(...(field.values ?? []));
    case "time":
      return fc.constantFrom<Json[]>("2027-01-15T02:00:00Z", 1800000000000, "1800000000000");
    case "list":
      return fc.array(field.of ? inner(field.of) : anything, { maxLength: 3 });
    case "object":
      return membersOf(field, inner);
    case "map":
      return fc.dictionary(fc.constantFrom("a", "b", "cloudAccessKeyId"), field.of ? inner(field.of) : anything);
    case "reference":
      return fc.constantFrom<Json[]>("a", { id: 0 }, { name: "A" });
  }
}

function textOf(field: Field): fc.Arbitrary<Json> {
  if (field.secret) return fc.constantFrom("${env:A}", "${file:a.txt}");
  const words = fc.constantFrom<Json[]>("a", " b ", "Git", '{"a":1}', "x".repeat(256));
  return field.alsoScalar ? fc.oneof(words, fc.constantFrom<Json[]>(1, true)) : words;
}

function membersOf(field: Field, inner: (field: Field) => fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const members = Object.entries(field.fields ?? {});
  const required = members.filter(([, member]) => member.required).map(([name]) => name);
  const model = Object.fromEntries(members.map(([name, member]) => [name, inner(member)]));
  return fc.record(model, { requiredKeys: required }) as fc.Arbitrary<Json>;
}
