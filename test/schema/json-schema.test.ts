import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateProject } from "../../gen/validate-project.js";
import { kindSchema, moduleSchema, projectSchema, validationSchema } from "../../scripts/derive/json-schema.ts";
import { checkShape } from "../../src/config/check-shape.ts";
import type { DocumentProblem } from "../../src/config/collect-problems.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Field } from "../../src/model/field.ts";
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { projectShape } from "../../src/schema/project-shape.ts";
import { arbitraryValue } from "../support/arbitrary-value.ts";
import { isDeep, timesOf } from "../support/deep.ts";

const shape = projectShape(kinds);
const ajv = new Ajv({ strict: false, code: { optimize: false } });
const whole = ajv.compile(projectSchema(kinds));
/** The same without the patterns of languages, by which editors alone judge. */
const shapeOnly = ajv.compile(
  JSON.parse(
    JSON.stringify(projectSchema(kinds), (_, value: JsonObject) =>
      value?.["$comment"] === undefined ? value : { ...value, pattern: undefined, $comment: undefined },
    ),
  ) as object,
);
const slim = ajv.compile(validationSchema(kinds));

function problems(document: Json): readonly DocumentProblem[] {
  const found: DocumentProblem[] = [];
  checkShape(shape.document, document, [], {
    report: (problem) => found.push(problem),
    live: false,
    names: shape.names,
  });
  return found;
}

/** Objects of every kind under their plural, as deep as the kinds nest. */
function documentOf(field: Field, depth = 0): fc.Arbitrary<Json> {
  const { of } = field;
  if (field.keyed && of)
    return fc.dictionary(fc.constantFrom("a", "b", "not ok"), documentOf(of, depth + 1), { maxKeys: 1 });
  const nested = Object.entries(field.fields ?? {}).filter(([, member]) => member.keyed);
  if (field.type !== "object" || nested.length === 0 || depth > 5) return arbitraryValue(field);
  const plain = Object.fromEntries(Object.entries(field.fields ?? {}).filter(([, member]) => !member.keyed));
  const deeper = Object.fromEntries(nested.map(([name, member]) => [name, documentOf(member, depth + 1)]));
  return fc
    .tuple(arbitraryValue({ ...field, fields: plain }), fc.record(deeper, { requiredKeys: [] }))
    .map(([own, below]) => (isObject(own) ? { ...own, ...(below as JsonObject) } : own));
}

describe("the project schema", () => {
  test("gives the verdict that our words give, whatever is written", () => {
    const { include: _, environments: _environments, ...fields } = shape.document.fields ?? {};
    const document = documentOf({ ...shape.document, fields });
    let [right, wrong] = [0, 0];
    fc.assert(
      fc.property(document, (value) => {
        const found = problems(value);
        if (found.length === 0) right++;
        else wrong++;
        expect({ value, valid: shapeOnly(value) }).toEqual({ value, valid: found.length === 0 });
      }),
      // Few random documents have nothing wrong in them: one that is right is always among them.
      {
        numRuns: isDeep ? 10_000 : 400,
        examples: [[{ project: "a", service: { url: "memory:" }, testCases: { a: {} } }]],
      },
    );
    expect(right).toBeGreaterThan(0);
    expect(wrong).toBeGreaterThan(0);
  });

  test.each(kinds.map((kind) => [kind.name, kind] as const))("gives it for each field of a %s by itself", (_, kind) => {
    const validate = ajv.compile(kindSchema(kinds, kind.name) as object);
    const field = projectField(kind.name);
    fc.assert(
      fc.property(documentOf(field, 9), (value) => {
        const found: DocumentProblem[] = [];
        checkShape(field, value, [], { report: (problem) => found.push(problem), live: false, names: shape.names });
        expect({ value, valid: validate(value) }).toEqual({ value, valid: found.length === 0 });
      }),
      { numRuns: timesOf({ few: 150, deep: 3_000 }) },
    );
  });

  test.each([
    ["an empty project", {}, true],
    ["an unknown key", { testcases: {} }, false],
    ["a bad key", { tags: { "a b": {} } }, false],
    ["nothing under a key", { tags: { a: null } }, true],
    ["nothing where something is required", { vcsRoots: { a: null } }, false],
    ["a literal secret", { vcsRoots: { a: { url: "x", password: "p" } } }, false],
    ["a secret that is cleared", { vcsRoots: { a: { url: "x", password: null } } }, true],
    [
      "a literal secret in a map",
      { providers: { a: { providerType: "Shared", metadata: { cloudAccessKeyId: "p" } } } },
      false,
    ],
    ["a misspelt field in an environment", { environments: { a: { tags: { b: { nmae: "x" } } } } }, false],
    ["an environment that removes", { environments: { a: { tags: { b: null }, testCases: null } } }, true],
    ["a misspelt field in defaults", { defaults: { tag: { nmae: "x" } } }, false],
  ])("says of %s: %j is valid: %s", (_, document, valid) => {
    expect(whole(document)).toBe(valid);
    expect(problems(document as Json).length === 0).toBe(valid);
  });

  test.each([
    ["Outcome[success] > 95%", true],
    [{ expr: "count > 1", breakOnFail: true }, true],
    ["${var:kpi}", true],
    ["Outcome[success > 95%", false],
    [{ expr: "count" }, false],
  ])("judges the KPI %j for editors (%s), and leaves it to validate", (kpi, isRead) => {
    const document = { project: "p", gates: { g: { configuration: "a/b", kpis: [kpi] } } };
    expect([whole(document), shapeOnly(document), slim(document)]).toEqual([isRead, true, true]);
  });

  test("is compiled into the validator that is built", () => {
    for (const document of [
      {},
      { tags: { a: { name: 1 } } },
      { testCases: { a: { scenarios: { b: {} } } } },
      { tags: [] },
    ])
      expect(validateProject(document).length === 0).toBe(slim(document));
  });

  test("describes a kind only with what may stand below it", () => {
    expect(Object.keys(kindSchema(kinds, "scenario")?.definitions ?? {}).sort()).toEqual(["dataStore", "scenario"]);
    expect(kindSchema(kinds, "nothing")).toBeUndefined();
  });
});

function projectField(name: string): Field {
  const found = [...shape.names].find(([, each]) => each === name)?.[0];
  if (found === undefined) throw new Error(`no shape of ${name}`);
  return found;
}

test("the schema of modules takes keys that are made of parameters, but not as names of parameters", () => {
  const valid = ajv.compile(moduleSchema(kinds));
  const keyed = (key: string) => ({
    use: { [key]: { module: "m.yaml", forEach: { [`a-${key}`]: { n: 1 } } } },
    testCases: { [key]: { scenarios: { [key]: { script: "a()", dataStores: { [key]: { contents: "a" } } } } } },
  });
  expect([keyed("a"), keyed("${param:n}"), keyed("s-${each:key}")].map((document) => valid(document))).toEqual([
    true,
    true,
    true,
  ]);
  expect([valid(keyed("a b")), valid({ parameters: { "${param:n}": {} } })]).toEqual([false, false]);
});
