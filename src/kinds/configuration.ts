import { choice, flag, group, integer, list, map, number, oneOrMore, reference, scalar, text } from "../model/field.ts";
import { defineKind } from "../model/kind.ts";
import { configurationRules, missingParameters, neverSteps } from "./configuration-rules.ts";
import { objectName } from "./field-parts.ts";
import { childList, listedWires, nestedReference, read, write } from "./remote-calls.ts";
import { normalParameters, parametersToText, secretValues } from "./scenario.ts";
import { normalTestRunner, readTestRunners, spellTestRunner, takenRegions, writeTestRunners } from "./test-runners.ts";

const condition = group(
  {
    metric: text({ description: "Metric to watch.", required: true, examples: ["firstReceivedMs"] }),
    metricKey: text({ description: "Part of the metric: a percentile, a bucket.", examples: ["p95"] }),
    operator: choice(["GT", "GTE", "LT", "LTE", "EQ", "NEQ"], {
      description: "How to compare.",
      required: true,
      open: true,
      origin: "decision",
    }),
    threshold: number({ description: "Value to compare with.", required: true }),
    timePeriod: choice(["LastMinute", "Execution"], {
      description: "The period to watch.",
      open: true,
      origin: "decision",
    }),
    valueType: choice(["Absolute", "ChangeFromLastMinute", "ChangeFromHistory"], {
      description: "The value itself, or its change.",
      open: true,
      origin: "decision",
    }),
    isPercentage: flag({ description: "A bucket's share, or a relative change.", default: false }),
  },
  { description: "One condition; any satisfied one fires the trigger." },
);

const testRunner = group(
  {
    provider: reference("provider", {
      description: "The provider of test runners.",
      inFiles: "A key under `providers`, `{ id }` or `{ name }`.",
      required: true,
    }),
    regions: list(
      text({
        description: "Name of a region.",
        inFiles: "Or a key under `regions`.",
        trim: true,
        reference: { kind: "region", by: "name" },
      }),
      { description: "Regions to run in.", examples: [["cloud-us-east-1"]] },
    ),
    numRegions: integer({
      description: "How many regions. Default: as many as are named.",
      minimum: 1,
      origin: "decision",
      filledIn: true,
    }),
    concurrentClients: integer({
      description: "Users per region. Default: the configuration's.",
      minimum: 1,
      origin: "decision",
    }),
    weight: oneOrMore(number({ description: "Share of one region." }), {
      description: "How users are split: a number for each region.",
      inFiles: "Or one number for all.",
    }),
    params: map(scalar({ description: "One value." }), { description: "Further parameters, passed through." }),
  },
  { description: "Where to run: a provider and its regions.", normalize: normalTestRunner, spell: spellTestRunner },
);

/** API 1, Test configuration: how many users run a scenario, how long, where, and when it stops. */
export const configuration = defineKind({
  name: "configuration",
  plural: "configurations",
  parent: "testCase",
  description: "A test configuration: how many virtual users run a scenario, how long, from where, and what stops it.",
  fields: {
    name: objectName("Name of the configuration."),
    scenario: reference("scenario", {
      description: "The scenario to run.",
      inFiles: "A key in the same test case, or `otherCase/key`.",
      required: true,
      examples: ["browse"],
      wire: { name: "scriptId", read: nestedReference("script") },
    }),
    profileType: choice(["Flat", "Step", "BreakingPoint"], {
      description:
        "Load profile. Flat keeps a number of users, Step adds users in steps, BreakingPoint raises them until a trigger fires.",
      default: "Flat",
    }),
    concurrentClients: integer({
      description: "Users per region; the final count for Step.",
      minimum: 1,
      origin: "decision",
      examples: [20],
    }),
    durationSecs: integer({
      description: "How long to run. Either this or iterations.",
      unit: "seconds",
      minimum: 1,
      origin: "decision",
      examples: [60],
    }),
    iterations: integer({
      description: "Iterations per user; Flat only. Either this or durationSecs.",
      minimum: 1,
      origin: "decision",
    }),
    iterationSleepSecs: integer({ description: "Pause between iterations.", unit: "seconds", default: 10, minimum: 1 }),
    rampupSecs: integer({
      description: "Time to reach all users; Flat only.",
      unit: "seconds",
      default: 60,
      minimum: 0,
    }),
    startConcurrentClients: integer({ description: "Users at the start; Step only.", minimum: 1, origin: "decision" }),
    step: integer({ description: "Users added per step; Step only, up to 50 steps.", minimum: 1, origin: "decision" }),
    providers: list(testRunner, {
      description: "Test runners: providers and their regions.",
      required: true,
      set: true,
      examples: [[{ provider: { name: "Public Shared Grid" }, regions: ["cloud-us-east-1"] }]],
      wire: { read: readTestRunners, write: writeTestRunners },
    }),
    scriptParams: map(scalar({ description: "Value of one parameter." }), {
      description: "Parameters for the script.",
      inFiles: "A mapping, or JSON text.",
      examples: [{ baseUrl: "https://shop.example.com" }],
      default: {},
      alsoText: true,
      maybeSecret: true,
      normalize: normalParameters,
      wire: { write: parametersToText },
    }),
    imageDiffMode: choice(["None", "PreviousExecution", "ScenarioBaseline"], {
      description: "What screenshots are compared with.",
      default: "None",
    }),
    triggers: list(
      group(
        {
          conditions: list(condition, {
            description: "What fires the trigger: any one of these that is satisfied.",
            required: true,
            set: true,
          }),
          actions: list(
            group(
              {
                actionType: text({
                  description: "Only StopExecution is supported.",
                  required: true,
                  examples: ["StopExecution"],
                }),
              },
              { description: "What to do." },
            ),
            { description: "What to do when a condition holds.", required: true, set: true },
          ),
        },
        { description: "Any one satisfied condition fires the trigger." },
      ),
      { description: "Breaking points: when to stop a run. Required for BreakingPoint.", default: [], set: true },
    ),
  },
  variants: [
    {
      by: "profileType",
      default: "Flat",
      owns: { Flat: ["rampupSecs", "iterations"], Step: ["startConcurrentClients", "step"], BreakingPoint: [] },
    },
    { by: ["durationSecs", "iterations"], owns: { durationSecs: ["durationSecs"], iterations: ["iterations"] } },
  ],
  secretPaths: secretValues,
  rules: configurationRules,
  doubts: [neverSteps],
  missing: missingParameters,
  takes: takenRegions,
  remote: {
    within: childList("configurations"),
    needs: ["providers", "triggers", "schedules"],
    read: read("GET /test-confs/:confId", (id) => ({ params: { confId: id }, query: { down: false, up: false } })),
    create: write("POST /test-cases/:testCaseId/confs", ({ parentId }) => ({ testCaseId: parentId })),
    update: write("PUT /test-confs/:confId", ({ id }) => ({ confId: id })),
    remove: ({ api, id }) => api.call("DELETE /test-confs/:confId", { params: { confId: id } }),
  },
  async history({ api, id }) {
    const query = { limit: -1, down: false, up: false, includeScript: false, includeSummary: false };
    const answer = await api.call("GET /test-confs/:confId/executions", { params: { confId: id }, query });
    const executions = listedWires(answer, `executions of configuration ${id}`);
    const running = executions.filter((item) => item.completed !== true).length;
    return { what: "executions", count: executions.length, running };
  },
});
