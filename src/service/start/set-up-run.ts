import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { openOrganizations } from "../rules/access.ts";
import { readName, sameName } from "../rules/read-text.ts";
import type { StartOptions } from "../rules/start-options.ts";
import { writeConfiguration } from "../rules/write-configuration.ts";
import { putFile } from "../rules/write-data-store.ts";
import { refuseReadonly, writeScenario } from "../rules/write-scenario.ts";
import { putTestCase, testCaseOf } from "../rules/write-test-case.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { ScenarioRecord, TestCaseRecord } from "../store/records/scenarios.ts";
import { filePathProblem } from "./file-path.ts";
import type { StartLoad } from "./read-load.ts";
import { readLoad } from "./read-load.ts";
import { readOptions } from "./read-options.ts";
import type { StartScenario } from "./read-scenario.ts";
import { readScenarioForm } from "./read-scenario.ts";
import type { FormParts } from "./read-start-form.ts";
import { readStartForm } from "./read-start-form.ts";
import type { AskedRunners } from "./read-test-runners.ts";
import { checkShares, providerConfigurations, readTestRunners, regionCount } from "./read-test-runners.ts";
import { readScenarioFiles } from "./scenario-files.ts";
import type { StartForm } from "./start-form.ts";
import type { Unzipped } from "./unzip-upload.ts";

/** What a form has set up. */
export interface SetUpRun {
  readonly testCase: TestCaseRecord;
  readonly scenario: ScenarioRecord;
  readonly configuration: ConfigurationRecord;
  /** Parameters of the scenario, as sent: those that are encrypted are kept nowhere else. */
  readonly params: Readonly<Record<string, string>>;
  readonly options: StartOptions;
}

/**
 * Creates or updates test case, scenario and configuration, or refuses with every invalid field (API 2, Starting a run).
 * Zips are unpacked by field before.
 */
export function setUpRun(parts: FormParts, unzipped: ReadonlyMap<string, Unzipped>, scope: Scope): SetUpRun {
  const form = readStartForm(parts, scope);
  const place = findPlace(form, scope);
  const files = readScenarioFiles(form, unzipped, scope);
  const scenario = readScenarioForm(form, { former: place.scenario, files, scope });
  const runners = readTestRunners(form, { organizationId: place.organizationId, scope });
  const load = readLoad(form, Math.max(1, regionCount(runners)), scope);
  if (load.users >= regionCount(runners)) checkShares(runners, load.users, scope);
  const options = readOptions(form, place.organizationId, scope);
  scope.findings.check();
  const testCase = writeTestCase(form, place, scope);
  const row = saveScenario({ scenario, place, files, testCase }, scope);
  const params = Object.fromEntries(
    form.all("params[*]").map(({ keys, value }) => [keys[0] ?? "", String(value ?? "")]),
  );
  const configuration = saveConfiguration({ place, testCase, scenario: row, params, load, runners }, scope);
  return { testCase, scenario: row, configuration, params, options };
}

/** Names of a form, with what they name already. */
interface RunPlace {
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
function findPlace(form: StartForm, scope: Scope): RunPlace {
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

/** DECISION (API 2, Common parameters: view): the file is kept with the test case and not interpreted. */
function writeTestCase(
  form: StartForm,
  { testCaseName, organizationId, folder }: RunPlace,
  scope: Scope,
): TestCaseRecord {
  const row = putTestCase({ name: testCaseName, organizationId }, scope);
  const view = form.file("view");
  if (folder === undefined && view === undefined) return row;
  return scope.store.update("testCase", row.id, {
    ...(folder === undefined ? {} : { folder }),
    ...(view ? { defaultView: { name: view.path, contents: base64Of(view.bytes) } } : {}),
  });
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

function saveScenario(
  {
    scenario,
    place,
    files,
    testCase,
  }: {
    readonly scenario: StartScenario;
    readonly place: RunPlace;
    readonly files: ReadonlyMap<string, Uint8Array>;
    readonly testCase: TestCaseRecord;
  },
  scope: Scope,
): ScenarioRecord {
  const former = place.scenario;
  const isSilent = Object.keys(scenario.fields).length === 0;
  if (files.size > 0) refuseReadonly(former);
  const row =
    isSilent && former
      ? former
      : writeScenario({ name: place.scenarioName, ...scenario.fields }, { testCaseId: testCase.id, former, scope });
  for (const [name, bytes] of files) putFile({ name, contents: base64Of(bytes) }, row.id, scope);
  return scenario.type ? scope.store.update("scenario", row.id, scenario.kept) : row;
}

interface ConfigurationSave {
  readonly place: RunPlace;
  readonly testCase: TestCaseRecord;
  readonly scenario: ScenarioRecord;
  readonly params: Readonly<Record<string, string>>;
  readonly load: StartLoad;
  readonly runners: readonly AskedRunners[];
}

/** DECISION (API 2, Starting a run): the form is the whole load of the configuration, what it leaves out has its default; triggers and schedules remain. */
function saveConfiguration({ place, testCase, scenario, params, load, runners }: ConfigurationSave, scope: Scope) {
  const providers = providerConfigurations(runners, load.users, { organizationId: place.organizationId, scope });
  return writeConfiguration(
    {
      name: place.configurationName,
      scriptId: scenario.id,
      providers,
      ...load.fields,
      scriptParams: JSON.stringify(params),
    },
    // What the load's rules say was said already, under the names of the form.
    { testCaseId: testCase.id, former: place.configuration, scope: { ...scope, unknown: [] } },
  );
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
