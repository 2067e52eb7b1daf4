import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { openOrganizations, owningOrganization } from "../rules/access.ts";
import { readGivenParams } from "../rules/script-params.ts";
import type { ScriptInput } from "../scripts/script-run.ts";
import type { RegionRecord } from "../store/records/runners.ts";
import type { ScenarioRecord } from "../store/records/scenarios.ts";

/** Parameters and `info` of one run of a scenario. */
export interface Probe {
  /** By name, as the starting call gave them. */
  readonly params: Readonly<Record<string, string>>;
  /** `info` of the script, whole but for `outputDir`. */
  readonly info: { readonly [name: string]: JsonValue };
}

/** Without the mark of byte order that spreadsheets write, which would be part of the first column's name. */
const utf8 = new TextDecoder();

/** A Code scenario as it is run: its texts, its data stores, and the parameters given over the defaults of `paramsConfig`. */
export function probeInput(scenario: ScenarioRecord, { params, info }: Probe, scope: Scope): ScriptInput {
  const { main, init, teardown, language } = scenario;
  const tables = scope.store.where("dataStore", "scenarioId", scenario.id).filter(({ type }) => type === "text/csv");
  return {
    main,
    init,
    teardown,
    language: language === "typescript" ? "typescript" : "javascript",
    params: { ...defaultsOf(scenario), ...params },
    dataTables: Object.fromEntries(
      tables.map(({ name, contents }) => [name, utf8.decode(Buffer.from(contents, "base64"))]),
    ),
    info,
    startedAt: scope.now,
    seed: scope.digest(`script ${scenario.id} ${JSON.stringify(info)}`),
  };
}

/** An encrypted default is not kept: its parameter is there only when it is given. */
function defaultsOf({ paramsConfig }: ScenarioRecord): Readonly<Record<string, string>> {
  return Object.fromEntries(
    paramsConfig.flatMap(({ name, defaultValue }) => (defaultValue === undefined ? [] : [[name, defaultValue]])),
  );
}

/** API 1, POST /scripts/:id/run: parameters of the body; DECISION (API 1, Scenario: paramsConfig): a required one without default has to be given. */
export function readProbeParams(
  scenario: ScenarioRecord,
  body: JsonValue | undefined,
  scope: Scope,
): Readonly<Record<string, string>> {
  const given = readGivenParams(body, scope);
  const found = { ...defaultsOf(scenario), ...given };
  for (const { name, required } of scenario.paramsConfig)
    if (required && !Object.hasOwn(found, name))
      scope.findings.add(name, "found none; expected a string: this parameter is required and has no default here");
  return given;
}

/** API 1, POST /scripts/:id/run: the region of an id, by default the first public one. */
export function readProbeRegion(id: number | undefined, scope: Scope): RegionRecord | undefined {
  const open = openOrganizations(scope);
  const regions = scope.store.all("region").filter((row) => {
    const owner = owningOrganization(scope.store, "region", row);
    return row.active && (owner === undefined || open.has(owner));
  });
  const wanted =
    id === undefined
      ? regions.find((row) => owningOrganization(scope.store, "region", row) === undefined)
      : regions.find((row) => row.id === id);
  if (id !== undefined && wanted === undefined)
    scope.findings.add("region", `found ${id}; expected the id of an active region, public or of your organization`);
  return wanted;
}

/** `info` of one iteration by one user outside of any execution: the chunk's id is below 0. */
export function smokeInfo(scenario: ScenarioRecord, region: RegionRecord | undefined, scope: Scope): Probe["info"] {
  return iterationInfo({
    expectedFinishTimestamp: scope.now,
    chunk: { id: -1, executionType: "SmokeTest", concurrentClients: 1, iterations: 1 },
    execution: { id: -1, concurrentClients: 1, scriptId: scenario.id },
    region: region ? { id: region.id, name: region.name } : {},
  });
}

/** `info` of the first iteration of one user by an agent that there is not. */
export function iterationInfo(of: Probe["info"] & { readonly chunk: Probe["info"] }): Probe["info"] {
  const agent = "00000000-0000-4000-8000-000000000000";
  const first = { iteration: 0, client: 0, globalClientIndex: 0, regionalClientIndex: 0 };
  return { ...of, ...first, agent, chunk: { ...of.chunk, agent } };
}

/** Why a scenario is not run, and what its validation says then. */
export interface NotRun {
  readonly success: boolean;
  readonly level: "Info" | "Error";
  readonly message: string;
}

/** DECISION (API 1, Scenario: scriptType): only Code is run; the validation of any other type says that no code ran, and fails unless the setting `unrunnable` is `pass`. */
export function whyNotRun({ scriptType }: ScenarioRecord, { permits, settings }: Scope): NotRun | undefined {
  if (scriptType !== "Code") {
    const message = `no code ran: found scenario type ${scriptType}; this service runs scenarios of type Code only`;
    return { success: settings.unrunnable === "pass", level: "Info", message };
  }
  if (permits.scripts) return undefined;
  const message =
    "no code ran: this service listens beyond loopback, where it runs no scripts; expected it to be started with --allow-scripts (createService: allowScripts: true)";
  return { success: false, level: "Error", message };
}
