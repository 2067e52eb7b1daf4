import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { openOrganizations } from "../rules/access.ts";
import { readName, sameName } from "../rules/read-text.ts";
import { testCaseOf } from "../rules/write-test-case.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { ScenarioRecord } from "../store/records/scenarios.ts";
import { filePathProblem } from "./file-path.ts";
import type { StartForm } from "./start-form.ts";

/** Names of a form, with what they name already. */
export interface RunPlace {
  readonly organizationId: number;
  readonly testCaseName: string;
  readonly folder: string | undefined;
  readonly scenarioName: string;
  readonly scenario: ScenarioRecord | undefined;
  readonly configurationName: string;
  readonly configuration: ConfigurationRecord | undefined;
}

/**
 * DECISION (API 2, Common parameters: scenario_name, conf_name): a generated scenario is called Scenario, a generated configuration as its
 * scenario, so that starting again updates both; of several with one name the oldest is meant. A new test case belongs to
 * the first organization of the key.
 */
export function findPlace(form: StartForm, scope: Scope): RunPlace {
  const { store } = scope;
  const testCaseName = readName(form.text("testcase_name"), scope, "testcase_name");
  const scenarioName = readName(form.text("scenario_name") ?? "Scenario", scope, "scenario_name");
  const configurationName = readName(form.text("conf_name") ?? scenarioName, scope, "conf_name");
  const open = openOrganizations(scope);
  const known = testCaseOf(testCaseName, scope);
  const isOpen = known !== undefined && open.has(known.organizationId);
  const [first] = [...open].sort((left, right) => left - right);
  if (first === undefined)
    throw new Refusal(403, "this key has no access to any organization; expected one for the test case");
  const named = <R extends { readonly id: number; readonly name: string }>(rows: readonly R[], name: string) =>
    rows.find((row) => sameName(row.name, name, scope));
  const testCaseId = isOpen ? known.id : -1;
  return {
    organizationId: isOpen ? known.organizationId : first,
    testCaseName,
    folder: readFolder(form, scope),
    scenarioName,
    scenario: named(store.where("scenario", "testCaseId", testCaseId), scenarioName),
    configurationName,
    configuration: named(store.where("configuration", "testCaseId", testCaseId), configurationName),
  };
}

/** API 2, Common parameters: testcase_folder is a path of folders, with or without slashes around it. */
function readFolder(form: StartForm, { findings }: Scope): string | undefined {
  const folder = form
    .text("testcase_folder")
    ?.trim()
    .replace(/^\/|\/$/g, "");
  const problem = folder === undefined ? undefined : filePathProblem(folder);
  if (problem !== undefined) findings.add("testcase_folder", problem);
  return folder;
}
