import { expect } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import type { Limits } from "../../src/model/limits.ts";
import { checkLimits } from "../../src/policy/check-limits.ts";
import { declaredLoads } from "../../src/policy/declared-loads.ts";
import type { LimitInput } from "../../src/policy/limit-finding.ts";
import { loadFiles } from "./load-files.ts";

/** The moment at which limits are checked, a Tuesday. */
const checkedAt = Date.parse("2026-11-24T12:00:00Z");

const runner = (more: JsonObject) => [{ provider: { id: 0 }, regions: ["eu"], ...more }];

/** A configuration of 10 users for 60 s without ramp-up in region eu; what is null is left out. */
export function load(more: JsonObject = {}, ...schedules: readonly JsonObject[]): JsonObject {
  const fields = {
    scenario: "s",
    durationSecs: 60,
    rampupSecs: 0,
    concurrentClients: 10,
    providers: runner({}),
    ...more,
  };
  return { ...fields, schedules: Object.fromEntries(schedules.map((each, index) => [`x${index}`, each])) };
}

/** Test runners of which the one has other fields. */
export const inRegions = (regions: readonly string[], more: JsonObject = {}): JsonObject => ({
  providers: runner({ regions, ...more }),
});

/** A test runner that names no region. */
export const inAny = (numRegions: number): JsonObject => ({ providers: [{ provider: { id: 0 }, numRegions }] });

export const every = (recurringInterval: string, more: JsonObject = {}): JsonObject => ({
  scheduleType: "Recurring",
  recurringInterval,
  ...more,
});

export const daily = (hour: number, minute = 0, more: JsonObject = {}) => every("Day", { hour, minute, ...more });

export const once = (nextScheduled: string): JsonObject => ({ scheduleType: "Single", nextScheduled });

/** Fields of a configuration that ends by iterations. */
export const iterations: JsonObject = { durationSecs: null, iterations: 5 };

/** Fields of a BreakingPoint. */
export const breakingPoint: JsonObject = {
  profileType: "BreakingPoint",
  rampupSecs: null,
  triggers: [
    {
      conditions: [{ metric: "firstReceivedMs", operator: "GTE", threshold: 1 }],
      actions: [{ actionType: "StopExecution" }],
    },
  ],
};

/** What is checked of configurations named a, b, c, …; the first limits are the project's own. */
export async function limitInput(
  configurations: readonly JsonObject[],
  limits: readonly Limits[],
  { env = {}, ...more }: Partial<LimitInput> & { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<LimitInput> {
  const all = configurations.map(
    (fields, index) => `      ${String.fromCharCode(97 + index)}: ${JSON.stringify(fields)}`,
  );
  const yaml = ["testCases:", "  t:", '    scenarios: { s: { script: "run();" } }', "    configurations:", ...all, ""];
  const project = await loadFiles(yaml.join("\n"), { env });
  expect(project.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const sources = limits.map((each, index) => ({
    limits: each,
    nameOf: (key: string) => (index === 0 ? `limits.${key}` : `${key} outside`),
    severity: each.enforce === "warn" ? ("warning" as const) : ("error" as const),
  }));
  return { loads: declaredLoads(project.tree), gates: [], sources, now: checkedAt, locate: project.locate, ...more };
}

/** The address of one of the configurations. */
export const configurationAddress = (key: string) => `testCase.t/configuration.${key}`;

/** A text with addresses as short as they can be: `a`, and `a/x0` for its first schedule. */
export const shortly = (text = "") => text.replaceAll("testCase.t/configuration.", "").replaceAll("/schedule.", "/");

/** The summaries of all findings. */
export const summariesOf = (input: LimitInput) => checkLimits(input).map(({ summary }) => shortly(summary));
