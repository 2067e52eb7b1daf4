import type { scenarioRoutes } from "../../api/scenarios.ts";
import { type BuiltIn, type Handlers, WaitingReply } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { probeInput, readProbeParams, readProbeRegion, smokeInfo, whyNotRun } from "../executions/probe-input.ts";
import { findObject } from "../rules/access.ts";
import { deleteObject, refuseInUse, touchParents } from "../rules/cascade.ts";
import { copyConfiguration, copyScenario, refuseLeftBehind } from "../rules/copy-test-case.ts";
import { readName, refuseSibling } from "../rules/read-text.ts";
import { writeScenario } from "../rules/write-scenario.ts";
import { runScript } from "../scripts/run-script.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { ScenarioRecord, TestCaseRecord } from "../store/records/scenarios.ts";
import { viewConfiguration } from "../views/configuration.ts";
import { viewScenario } from "../views/scenario.ts";
import type { View } from "../views/stamp.ts";
import { viewNotRun, viewValidation } from "../views/validation.ts";

const written = { down: true, up: true } as const;

/** API 1, Scenarios (scripts). */
export const scenarioHandlers: Handlers<BuiltIn<typeof scenarioRoutes>> = {
  "GET /test-cases/:testCaseId/scripts": ({ params, query, scope }) => {
    const { id } = findObject(scope, "testCase", params.testCaseId);
    return scope.store.where("scenario", "testCaseId", id).map((row) => viewScenario(row, query, scope));
  },
  "GET /scripts/:id": ({ params, query, scope }) =>
    viewScenario(findObject(scope, "scenario", params.id), query, scope),
  "HEAD /scripts/:id": ({ params, scope }) => void findObject(scope, "scenario", params.id),
  "POST /test-cases/:testCaseId/scripts": ({ params, body, scope }) => {
    const { id } = findObject(scope, "testCase", params.testCaseId);
    return viewScenario(writeScenario({ ...body }, { testCaseId: id, former: undefined }, scope), written, scope);
  },
  "PUT /scripts/:id": ({ params, body, scope }) => {
    const former = findObject(scope, "scenario", params.id);
    const { testCaseId } = former;
    return viewScenario(writeScenario({ ...body }, { testCaseId, former }, scope), written, scope);
  },
  "POST /scripts/:id/run": ({ params, query, body, scope }) => {
    const scenario = findObject(scope, "scenario", params.id);
    const region = readProbeRegion(query.region, scope);
    const given = readProbeParams(scenario, body, scope);
    scope.findings.check();
    const reason = whyNotRun(scenario, scope);
    if (reason !== undefined) return viewNotRun(reason, scope.now);
    const input = probeInput(scenario, { params: given, info: smokeInfo(scenario, region, scope) }, scope);
    const { network, targets, allowedHosts } = scope.settings;
    const { threads } = scope;
    const work = () => scope.turns.take((end) => runScript(input, { network, targets, allowedHosts, threads, end }));
    return WaitingReply.of(work, (run) => viewValidation(run, { ...input, network }));
  },
  "DELETE /scripts/:id": ({ params, scope }) => {
    const row = findObject(scope, "scenario", params.id);
    refuseInUse(`scenario ${row.id}`, scope.store.where("configuration", "scriptId", row.id), scope);
    const view = viewScenario(row, written, scope);
    deleteObject(scope, "scenario", row.id);
    touchParents(scope, "scenario", row);
    return view;
  },
  "POST /scripts/:id/copy": ({ params, query, body, scope }) => {
    const source = findObject(scope, "scenario", params.id);
    const name = readName(body?.name ?? query.name, scope);
    const target = readTarget(body?.targetTestCase ?? query.targetTestCase, source, scope);
    scope.findings.check();
    refuseSibling(name, scope.store.where("scenario", "testCaseId", target.id), scope);
    const running =
      (body?.copyConfs ?? query.copyConfs) === true
        ? scope.store.where("configuration", "scriptId", source.id)
        : undefined;
    refuseLeftBehind(running ?? [], { organizationId: target.organizationId, copied: new Set([source.id]) }, scope);
    const copy = copyScenario(source, { testCaseId: target.id, name }, scope);
    const view = viewScenario(copy, { down: false, up: true }, scope);
    return running ? { ...view, configurations: copyRunning(running, copy, scope) } : view;
  },
};

/** The test case that a copy is made in; a target that is no test case is 400. */
function readTarget(id: number | null | undefined, source: ScenarioRecord, scope: Scope): TestCaseRecord {
  const own = findObject(scope, "testCase", source.testCaseId);
  if (id === undefined || id === null) return own;
  const row = scope.store.get("testCase", id);
  if (row === undefined) scope.findings.add("targetTestCase", `found ${id}; expected the id of a test case`);
  return row ? findObject(scope, "testCase", id) : own;
}

/** API 1, POST /scripts/:id/copy: copyConfs also copies the configurations that run this scenario. */
function copyRunning(
  running: readonly ConfigurationRecord[],
  { id: scriptId, testCaseId }: ScenarioRecord,
  scope: Scope,
): readonly View[] {
  return running
    .map((each) => copyConfiguration(each, { testCaseId, scriptId }, scope))
    .map((each) => viewConfiguration(each, { down: false, up: false }, scope));
}
