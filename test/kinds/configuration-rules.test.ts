import { describe, expect, test } from "vitest";
import { configurationRules } from "../../src/kinds/configuration-rules.ts";
import type { JsonObject } from "../../src/model/json.ts";

/** Fields of a test runner that the rules of a configuration refuse. */
function refused(runner: JsonObject): readonly string[] {
  const fields = { durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 }, ...runner }] };
  return configurationRules.flatMap(({ check }) => check(fields)).map(({ path }) => path.join("."));
}

describe("a test runner", () => {
  test.each([
    [{ regions: ["a"], params: { instanceType: "m5" } }, []],
    [{ params: { regions: "a", weight: "2" } }, ["providers.0.params.regions", "providers.0.params.weight"]],
    [{ regions: ["a", "b"], weight: [1, 2, 3] }, ["providers.0.weight"]],
    [{ weight: 2 }, []],
  ])("%j is refused in %j", (runner, expected) => {
    expect(refused(runner)).toEqual(expected);
  });
});
