import { bridgeProgram } from "../../src/bridge/program/bridge-program.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Row } from "./table.ts";

const cases = 1_000;
const times = 11;

/** What the translation of a synthesized program of 5,000 resources takes in process: the first time, and when it is warm. */
export async function measureBridge(): Promise<readonly Row[]> {
  const text = JSON.stringify({ resource: resources() });
  const spent = Array.from({ length: times }, () => {
    const files = [{ file: "cdk.tf.json", value: JSON.parse(text) as JsonObject }];
    const before = process.cpuUsage();
    bridgeProgram(files, { project: "bench", kinds, env: {}, vars: {}, report: refuse });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  const [first = 0, ...warm] = spent;
  return [
    { what: "cdk.tf.json of 5,000 as a document, first, CPU", value: first, unit: "ms" },
    {
      what: "cdk.tf.json of 5,000 as a document, warm, CPU",
      value: Math.min(...warm),
      unit: "ms",
      goal: { atMost: 40 },
    },
  ];
}

function refuse(problem: { readonly summary: string }): never {
  throw new Error(`found "${problem.summary}"; expected a program without problems`);
}

/** What cdktf writes for a thousand test cases with a scenario, a data store, a configuration and a schedule each. */
function resources(): JsonObject {
  const types: Record<string, Record<string, Json>> = {};
  const add = (type: string, label: string, body: JsonObject) => {
    types[type] ??= {};
    types[type][label] = { "//": { metadata: { path: `bench/${label}`, uniqueId: label } }, ...body };
  };
  for (let index = 0; index < cases; index++) {
    const [testCase, scenario, smoke] = [`case-${index}`, `browse-${index}`, `smoke-${index}`];
    const test_case_id = `\${loadform_test_case.${testCase}.id}`;
    const scenario_id = `\${loadform_scenario.${scenario}.id}`;
    add("loadform_test_case", testCase, { name: `Case ${index}`, description: "Buying path" });
    add("loadform_scenario", scenario, {
      ...{ test_case_id, name: `Browse of \${loadform_test_case.${testCase}.name}` },
      ...{ script: `log.info(\`visit $\${n} of ${index}\`);\n`.repeat(12), tags: ["nightly"] },
      params_config: [{ name: "baseUrl", required: true }],
    });
    add("loadform_data_store", `users-${index}`, { scenario_id, name: "users.csv", contents: "name\nada\n" });
    add("loadform_configuration", smoke, {
      ...{ test_case_id, scenario_id, name: "Smoke", concurrent_clients: 20, duration_secs: 60 },
      providers: [{ provider_id: "0", regions: ["cloud-us-east-1"] }],
      script_params: '{"baseUrl":"https://shop.example.com"}',
    });
    add("loadform_schedule", `night-${index}`, {
      configuration_id: `\${loadform_configuration.${smoke}.id}`,
      ...{ schedule_type: "Recurring", recurring_interval: "Day", hour: 2, minute: 30 },
    });
  }
  return types;
}
