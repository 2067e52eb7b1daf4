import type { Scope } from "../core/scope.ts";
import type { StartOptions } from "../core/start-options.ts";
import { writeConfiguration } from "../rules/write-configuration.ts";
import { putFile } from "../rules/write-data-store.ts";
import { refuseReadonly, writeScenario } from "../rules/write-scenario.ts";
import { putTestCase } from "../rules/write-test-case.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { ScenarioRecord, TestCaseRecord } from "../store/records/scenarios.ts";
import { readLoad } from "./read-load.ts";
import { readOptions } from "./read-options.ts";
import { readScenarioForm, type StartScenario } from "./read-scenario.ts";
import { type FormParts, readStartForm } from "./read-start-form.ts";
import { checkShares, providerConfigurations, readTestRunners, regionCount } from "./read-test-runners.ts";
import { findPlace, type RunPlace } from "./run-place.ts";
import { readScenarioFiles } from "./scenario-files.ts";
import type { StartForm } from "./start-form.ts";
import type { Unzipped } from "./unzip-upload.ts";

/** The objects that a form has set up. */
export interface SetUpRun {
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
  const scenario = readScenarioForm(form, { former: place.scenario, files }, scope);
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
  const fields = {
    name: place.configurationName,
    scriptId: row.id,
    providers: providerConfigurations(runners, load.users, { organizationId: place.organizationId, scope }),
    ...load.fields,
    scriptParams: JSON.stringify(params),
  };
  // DECISION (API 2, Starting a run): the form is the whole load of the configuration, what it leaves out has its default; triggers and schedules remain.
  const of = { testCaseId: testCase.id, former: place.configuration };
  // Fields that the load's rules leave unread were reported already, under the names of the form.
  const configuration = writeConfiguration(fields, of, { ...scope, unknown: [] });
  return { configuration, params, options };
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
      : writeScenario({ name: place.scenarioName, ...scenario.fields }, { testCaseId: testCase.id, former }, scope);
  for (const [name, bytes] of files) putFile({ name, contents: base64Of(bytes) }, row.id, scope);
  return scenario.type ? scope.store.update("scenario", row.id, scenario.kept) : row;
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
