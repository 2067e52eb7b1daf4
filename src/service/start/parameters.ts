import { commonParameters, kpiParameters, projectParameters, runParameters } from "./common-parameters.ts";
import { engineParameters } from "./engine-parameters.ts";
import type { Parameter } from "./parameter.ts";
import { runnerParameters } from "./runner-parameters.ts";
import { deviceParameters, scenarioParameters } from "./scenario-parameters.ts";

const ofScenario = [...projectParameters, ...scenarioParameters, ...engineParameters];

/** Every parameter of POST /start (API 2, Starting a run). */
export const startParameters: readonly Parameter[] = [
  ...commonParameters,
  ...runParameters,
  ...ofScenario,
  ...deviceParameters,
  ...runnerParameters,
  ...kpiParameters,
];

const byName: ReadonlyMap<string, Parameter> = new Map(startParameters.map((each) => [each.name, each]));
const scenarioNames: ReadonlySet<string> = new Set(ofScenario.map(({ name }) => name));

/** The row of a name such as `params[*].encrypted`. */
export function parameterOf(name: string): Parameter | undefined {
  return byName.get(name);
}

/** True for a parameter that describes the scenario: those are stored with it. */
export function isOfScenario(name: string): boolean {
  return scenarioNames.has(name);
}
