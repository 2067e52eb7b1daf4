import { isObject, type Json } from "../model/json.ts";
import type { Survey } from "./survey.ts";
import {
  amountIn,
  documentedWord,
  idIn,
  momentIn,
  stampOf,
  textIn,
  textOrNull,
  type Wire,
  wireIn,
  wiresBelow,
} from "./wire-values.ts";

/** Rows of the scenarios of test cases, with their data stores, configurations and schedules. */
export function loadRows({ testCases, scenarios }: Survey) {
  const whole = new Map(scenarios.map((wire) => [idIn(wire), wire]));
  const below = (member: string) =>
    testCases.flatMap((testCase) => wiresBelow(testCase, member).map((wire) => ({ wire, testCaseId: idIn(testCase) })));
  const scenario = below("scenarios").map(({ wire, testCaseId }) =>
    scenarioRow(wire, testCaseId, whole.get(idIn(wire))),
  );
  const known = new Set(scenario.map(({ id }) => id));
  const configurations = below("configurations");
  return {
    scenario,
    dataStore: [...dataStoreRows(testCases, known), ...ownStoreRows(scenarios, known)],
    configuration: configurations.map(({ wire, testCaseId }) => configurationRow(wire, testCaseId)),
    schedule: configurations.flatMap(({ wire }) =>
      wiresBelow(wire, "schedules").map((each) => scheduleRow(each, idIn(wire))),
    ),
    metricDef: below("metricDefs").map(({ wire, testCaseId }) => ({
      ...{ ...stampOf(wire), testCaseId, namespace: "User", name: textIn(wire["name"]) },
      ...{ metricType: textIn(wire["metricType"]), metricUnits: textIn(wire["metricUnits"]) },
    })),
  };
}

/** A text that was not read is stood in for by one of its length. */
function scenarioRow(wire: Wire, testCaseId: number, whole: Wire | undefined) {
  const { sourceId, paramsConfig, tags } = wire;
  // A list may show the texts too.
  const shown: Wire = whole ?? wire;
  return {
    ...{ ...stampOf(wire), testCaseId, name: textIn(wire["name"]), sourceType: textIn(wire["sourceType"]) },
    main: textIn(shown["main"], "-".repeat(Math.min(amountIn(wire["length"]), 10_000_000))),
    init: textOrNull(shown["init"]) ?? (wire["hasInit"] === true ? "-" : null),
    teardown: textOrNull(shown["teardown"]) ?? (wire["hasTeardown"] === true ? "-" : null),
    ...{ scriptType: textIn(wire["scriptType"], "Code"), language: textIn(wire["language"], "javascript") },
    ...{ nodeVersion: textIn(wire["nodeVersion"], "latest"), readonly: wire["readonly"] === true, secrets: {} },
    sourceId: typeof sourceId === "number" ? sourceId : null,
    paramsConfig: (Array.isArray(paramsConfig) ? paramsConfig : []).filter(isObject).map(parameterRow),
    tags: (Array.isArray(tags) ? tags : []).filter((tag) => typeof tag === "string") as readonly string[],
  };
}

function parameterRow({ name, required, encrypted, defaultValue }: Wire) {
  const given = defaultValue === null || typeof defaultValue === "string" ? { defaultValue } : {};
  return { name: textIn(name), required: required === true, encrypted: encrypted === true, ...given };
}

/** A test case lists the data stores of all its scenarios, each with the scenario that it belongs to. */
function dataStoreRows(testCases: Survey["testCases"], scenarios: ReadonlySet<number>) {
  return testCases.flatMap((testCase) =>
    wiresBelow(testCase, "dataStores").flatMap((wire) => {
      const scenarioId = idIn(wireIn(wire, "script"));
      return scenarios.has(scenarioId) ? [dataStoreRow(wire, scenarioId)] : [];
    }),
  );
}

/** A scenario that was read by itself has its own. */
function ownStoreRows(scenarios: readonly Wire[], known: ReadonlySet<number>) {
  return scenarios
    .filter((scenario) => known.has(idIn(scenario)))
    .flatMap((scenario) => wiresBelow(scenario, "dataStores").map((wire) => dataStoreRow(wire, idIn(scenario))));
}

function dataStoreRow(wire: Wire, scenarioId: number) {
  const { numRows } = wire;
  return {
    ...{ ...stampOf(wire), scenarioId, name: textIn(wire["name"]), contents: "", type: textIn(wire["type"]) },
    ...{ charset: textOrNull(wire["charset"]), size: amountIn(wire["size"]) },
    ...{ numRows: numRows === null || numRows === undefined ? null : amountIn(numRows) },
    headers: textOrNull(wire["headers"]),
  };
}

/** Numbers of each profile; those of others are foreign to it. */
const profileNumbers: Readonly<Record<string, readonly string[]>> = {
  Flat: ["durationSecs", "iterations", "rampupSecs", "concurrentClients"],
  Step: ["durationSecs", "concurrentClients", "startConcurrentClients", "step"],
  BreakingPoint: ["durationSecs", "concurrentClients"],
};

function configurationRow(wire: Wire, testCaseId: number) {
  const { providers, triggers, scriptParams } = wire;
  const profileType = documentedWord(wire["profileType"], ["Flat", "Step", "BreakingPoint"]);
  const runners = (Array.isArray(providers) ? providers : []).filter(isObject);
  return {
    ...{
      ...stampOf(wire),
      testCaseId,
      scriptId: Math.max(idIn(wireIn(wire, "script")), 0),
      name: textIn(wire["name"]),
    },
    profileType,
    iterationSleepSecs: amountIn(wire["iterationSleepSecs"]),
    scriptParams: isJsonText(scriptParams) ? scriptParams : "{}",
    imageDiffMode: documentedWord(wire["imageDiffMode"], ["None", "PreviousExecution", "ScenarioBaseline"]),
    ...numbersOf(wire, profileNumbers[profileType] ?? []),
    providers: runners.map((runner) => ({
      ...{ id: Math.max(idIn(runner), 0), providerId: Math.max(idIn(wireIn(runner, "provider")), 0) },
      ...{ numRegions: amountIn(runner["numRegions"]), params: textsOf(runner["params"]) },
    })),
    triggers: (Array.isArray(triggers) ? triggers : []).filter(isObject).map(triggerRow),
    secrets: {},
  };
}

function triggerRow(wire: Wire) {
  const items = (member: string) =>
    wiresBelow(wire, member).map((each) => ({ ...(each as Readonly<Record<string, Json>>), id: idIn(each) }));
  return { id: Math.max(idIn(wire), 0), conditions: items("conditions"), actions: items("actions") };
}

const intervals = ["Minute", "Hour", "WeekDay", "Day", "Week", "Month"] as const;
const scheduleNumbers = ["minute", "hour", "week", "dayOfWeek", "month", "day"];
const windowNumbers = ["startDay", "endDay", "startDayOfWeek", "endDayOfWeek", "startHour", "endHour"];

function scheduleRow(wire: Wire, configurationId: number) {
  const scheduleType = documentedWord(wire["scheduleType"], ["Recurring", "Single"]);
  const { nextScheduled, exclusions } = wire;
  const windows = (Array.isArray(exclusions) ? exclusions : []).filter(isObject);
  return {
    ...{ ...stampOf(wire), configurationId, scheduleType, active: wire["active"] !== false },
    ...(scheduleType === "Single" && { nextScheduled: momentIn(nextScheduled) }),
    ...(scheduleType === "Recurring" && { recurringInterval: documentedWord(wire["recurringInterval"], intervals) }),
    ...numbersOf(wire, scheduleNumbers),
    ...(Array.isArray(exclusions) && {
      exclusions: windows.map((window) => ({
        recurringInterval: documentedWord(window["recurringInterval"], ["Day", "Month", "Week", "WeekDay", "Hour"]),
        ...numbersOf(window, windowNumbers),
        ...{ startMinute: amountIn(window["startMinute"]), endMinute: amountIn(window["endMinute"]) },
      })),
    }),
  };
}

/** Those members that are numbers from 0 on. */
function numbersOf(wire: Wire, members: readonly string[]): Readonly<Record<string, number>> {
  const present = members.filter((member) => wire[member] !== undefined && wire[member] !== null);
  return Object.fromEntries(present.map((member) => [member, Math.max(amountIn(wire[member]), 0)]));
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)])) : {};
}

function isJsonText(value: unknown): value is string {
  if (typeof value !== "string") return false;
  try {
    return isObject(JSON.parse(value));
  } catch {
    return false;
  }
}
