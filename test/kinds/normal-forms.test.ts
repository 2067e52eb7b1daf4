import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exclusion } from "../../src/kinds/exclusion.ts";
import { configuration, gateway, kinds, provider, scenario, schedule, vcsRoot } from "../../src/kinds/index.ts";
import type { Field } from "../../src/model/field.ts";
import { canonicalJson, type Json, type JsonObject } from "../../src/model/json.ts";
import type { AnyKind } from "../../src/model/kind.ts";
import { normalValue, readFields, writeFields } from "../../src/model/normal-form.ts";
import { fittingValue } from "../support/arbitrary-value.ts";
import { isDeep } from "../support/deep.ts";
import { normalFields } from "../support/normal-fields.ts";

const numRuns = isDeep ? 10_000 : 200;
const fieldsOf = (kind: AnyKind) =>
  fittingValue({ type: "object", description: "", required: true, fields: kind.fields });

describe("normal forms", () => {
  test.each(kinds.map((kind) => [kind.name, kind] as const))("of a %s stay as they are", (_, kind) => {
    fc.assert(
      fc.property(fieldsOf(kind), (fields) => {
        const once = normalFields(kind.fields, fields as JsonObject);
        expect(normalFields(kind.fields, once)).toEqual(once);
      }),
      { numRuns },
    );
  });

  test.each([
    ["text is trimmed where blanks mean nothing", configuration.fields.name, " Smoke ", "Smoke"],
    ["the address of a gateway is trimmed", gateway.fields.url, " https://a.test/ ", "https://a.test/"],
    ["the address of a repository is trimmed", vcsRoot.fields.url, "https://a.test/\n", "https://a.test/"],
    ["names of tags are trimmed", scenario.fields.tags, [" b ", "a"], ["a", "b"]],
    ["vcsType is Git in any case", vcsRoot.fields.vcsType, "gIT", "Git"],
    ["another vcsType stays for the rule to see", vcsRoot.fields.vcsType, "svn", "svn"],
    ["numbers written as text are numbers", configuration.fields.durationSecs, "60", 60],
    ["an empty text is no zero", configuration.fields.durationSecs, "", ""],
    ["JSON text is the object that it says", configuration.fields.scriptParams, '{"a":1,"b":"x"}', { a: "1", b: "x" }],
    ["values of parameters are text", configuration.fields.scriptParams, { a: 1, b: true }, { a: "1", b: "true" }],
    ["epoch milliseconds are ISO", schedule.fields.nextScheduled, 1800000000000, "2027-01-15T08:00:00.000Z"],
    ["epoch milliseconds as text are ISO", schedule.fields.nextScheduled, "1800000000000", "2027-01-15T08:00:00.000Z"],
    ["ISO gets its milliseconds", schedule.fields.nextScheduled, "2027-01-15T08:00:00Z", "2027-01-15T08:00:00.000Z"],
    [
      "ISO of another zone is UTC",
      schedule.fields.nextScheduled,
      "2027-01-15T09:00:00+01:00",
      "2027-01-15T08:00:00.000Z",
    ],
    ["ISO without a zone is UTC", schedule.fields.nextScheduled, "2027-01-15T08:00", "2027-01-15T08:00:00.000Z"],
    ["so it is with a blank", schedule.fields.nextScheduled, "2027-01-15 08:00:00.5", "2027-01-15T08:00:00.500Z"],
    ["a date alone is its midnight, UTC", schedule.fields.nextScheduled, "2027-01-15", "2027-01-15T00:00:00.000Z"],
    ["a day that is none stays for the rule to see", schedule.fields.nextScheduled, "2027-02-30", "2027-02-30"],
    ["words stay for the rule to see", schedule.fields.nextScheduled, "Jan 15 2027 08:00", "Jan 15 2027 08:00"],
    [
      "long ids among parameters keep their digits",
      configuration.fields.scriptParams,
      '{"id":1234567890123456789,"a\\"1":"1234567890123456789","f":1.5}',
      { id: "1234567890123456789", 'a"1': "1234567890123456789", f: "1.5" },
    ],
    ["tags are a set", scenario.fields.tags, ["b", "a", "b"], ["a", "b"]],
    [
      "parameters are keyed by name, defaults left out",
      scenario.fields.paramsConfig,
      [
        { name: "b", required: false },
        { name: "a", required: true },
      ],
      { a: { required: true }, b: {} },
    ],
    ["names of parameters are trimmed", scenario.fields.paramsConfig, [{ name: " a " }], { a: {} }],
    [
      "a window keeps only members of its interval",
      exclusion,
      { recurringInterval: "Hour", startHour: 3, startMinute: 5, endMinute: 10 },
      { recurringInterval: "Hour", startMinute: 5, endMinute: 10 },
    ],
    [
      "a window leaves out zeros",
      exclusion,
      { recurringInterval: "Day", startHour: 22, startMinute: 0, endHour: 2 },
      { recurringInterval: "Day", startHour: 22, endHour: 2 },
    ],
    ["a map of text takes numbers", provider.fields.metadata, { a: 1 }, { a: "1" }],
  ] as [string, Field, Json, Json][])("%s", (_, field, value, expected) => {
    expect(normalValue(field, value)).toEqual(expected);
  });

  test.each([
    [
      "one weight for all regions",
      { regions: ["b", "a"], weight: 2 },
      [
        { name: "a", weight: 2 },
        { name: "b", weight: 2 },
      ],
    ],
    [
      "weights in the order of the regions",
      { regions: ["b", "a"], weight: [1, 3] },
      [
        { name: "a", weight: 3 },
        { name: "b", weight: 1 },
      ],
    ],
    ["no weight", { regions: ["b", "a"] }, ["a", "b"]],
    ["blanks around names", { regions: [" b", "a "] }, ["a", "b"]],
  ])("a test runner pairs regions with weights: %s", (_, runner, regions) => {
    const normal = normalValue(configuration.fields.providers, [{ provider: { id: 0 }, ...runner }]);
    expect(normal).toEqual([{ provider: { id: 0 }, regions }]);
  });

  test("a test runner says how many regions only where it differs from those named", () => {
    const runner = { provider: { id: 0 }, regions: ["a", "b"] };
    const of = (numRegions: number) => normalValue(configuration.fields.providers, [{ ...runner, numRegions }]);
    expect(of(2)).toEqual([runner]);
    expect(of(1)).toEqual([{ ...runner, numRegions: 1 }]);
    const unnamed = { provider: { id: 0 } };
    const ofUnnamed = (numRegions: number) => normalValue(configuration.fields.providers, [{ ...unnamed, numRegions }]);
    expect(ofUnnamed(1)).toEqual([unnamed]);
    expect(ofUnnamed(2)).toEqual([{ ...unnamed, numRegions: 2 }]);
  });

  test("order of list elements means nothing in a set, and something elsewhere", () => {
    const runners = [{ provider: { id: 1 } }, { provider: { id: 0 } }];
    const normal = (list: Json) => canonicalJson(normalValue(configuration.fields.providers, list));
    expect(normal(runners)).toBe(normal([...runners].reverse()));
  });
});

describe("what is sent and read back", () => {
  test.each([
    [
      "a configuration",
      configuration,
      {
        name: "a",
        profileType: "Step",
        durationSecs: 60,
        scriptParams: { a: "1" },
        triggers: [
          { conditions: [{ metric: "m", operator: "GT", threshold: 1 }], actions: [{ actionType: "StopExecution" }] },
        ],
      },
    ],
    ["a scenario", scenario, { name: "a", scriptType: "Code", paramsConfig: { a: { required: true } }, tags: ["x"] }],
    [
      "a repository",
      vcsRoot,
      { name: "a", vcsType: "Git", url: "https://x", branch: "main", vcsAuthType: "Username", username: "u" },
    ],
  ] as [string, AnyKind, JsonObject][])("is the same normal form: %s", (_, kind, fields) => {
    const normal = normalFields(kind.fields, fields);
    expect(readFields(kind, { id: 1, ...writeFields(kind, normal) })).toEqual(normal);
  });

  test("secrets are never read", () => {
    const wire = { id: 1, url: "x", password: "p", privateKey: "k" };
    expect(Object.keys(readFields(vcsRoot, wire))).not.toEqual(expect.arrayContaining(["password"]));
    expect(JSON.stringify(readFields(vcsRoot, wire))).not.toContain('"p"');
  });
});
