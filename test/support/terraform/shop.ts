import type { Config, Kept, SessionCore } from "./session-core.ts";

/** A test case with a scenario and a configuration of it. */
export interface Shop {
  readonly testCase: Kept;
  readonly scenario: Kept;
  readonly configuration: Kept;
}

/** The id of what was made, as other resources refer to it. */
export function idOf({ value }: Kept): string {
  return String(value["id"]);
}

/** The configuration that runs the scenario of a shop. */
export function configurationOf(testCase: Kept, scenario: Kept, more: Config = {}): Config {
  return {
    test_case_id: idOf(testCase),
    scenario_id: idOf(scenario),
    name: "smoke",
    concurrent_clients: 5,
    duration_secs: 60,
    providers: [{ provider_id: "0", regions: ["cloud-us-east-1"] }],
    ...more,
  };
}

/** Makes one. */
export async function makeShop(core: SessionCore): Promise<Shop> {
  const testCase = await core.create("loadform_test_case", { name: "Shop" });
  const below = { test_case_id: idOf(testCase) };
  const scenario = await core.create("loadform_scenario", { ...below, name: "browse", script: "run()" });
  const configuration = await core.create("loadform_configuration", configurationOf(testCase, scenario));
  return { testCase, scenario, configuration };
}
