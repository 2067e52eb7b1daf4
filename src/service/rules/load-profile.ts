import type { JsonValue } from "../../api/routes.ts";
import { shownValue } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import type { LoadFields } from "../store/records/configurations.ts";
import { textAfter } from "./read-text.ts";

/** Fields of a request, as they came. */
export type Input = Readonly<Record<string, JsonValue | undefined>>;

type Numbers =
  | "durationSecs"
  | "iterations"
  | "iterationSleepSecs"
  | "rampupSecs"
  | "concurrentClients"
  | "startConcurrentClients"
  | "step";

/** Smallest values: iterationSleepSecs and rampupSecs are stated (API 1, Limits). DECISION (API 1, Create body fields): all other numbers of a load are at least 1. */
const minima: Readonly<Record<Numbers, number>> = {
  durationSecs: 1,
  iterations: 1,
  iterationSleepSecs: 1,
  rampupSecs: 0,
  concurrentClients: 1,
  startConcurrentClients: 1,
  step: 1,
};

/** Those whose smallest value the documents state (API 1, Limits). */
const statedMinima: ReadonlySet<string> = new Set(["iterationSleepSecs", "rampupSecs"]);

/** DECISION (API 1, Create body fields): which fields belong to which profile; foreign ones are dropped. */
const foreign: Readonly<Record<string, readonly Numbers[]>> = {
  Flat: ["startConcurrentClients", "step"],
  Step: ["rampupSecs", "iterations"],
  BreakingPoint: ["rampupSecs", "iterations", "startConcurrentClients", "step"],
};

/** Most steps per region of a Step profile (API 1, Limits). */
const maximumSteps = 50;

type Draft = { -readonly [K in Numbers]?: number } & { profileType: string };

/** The load fields of a configuration after a write; `former` is the configuration before it (API 1, Test configurations). */
export function mergeLoad(
  input: Input,
  former: Partial<LoadFields> | undefined,
  scope: Scope,
): Omit<LoadFields, "name" | "scriptParams"> {
  const profileType = textAfter(input["profileType"], former?.profileType, "Flat");
  const draft: Draft = { profileType };
  for (const name of Object.keys(minima) as Numbers[])
    draftNumber(draft, name, { value: input[name], former: former?.[name] });
  refuseBothBases(input, scope);
  switchBasis(draft, input);
  dropForeign(draft, input, scope);
  checkBasis(draft, input, scope);
  checkUsers(draft, scope);
  checkRanges(draft, scope);
  const { iterationSleepSecs = 10, ...rest } = draft;
  return {
    ...rest,
    ...(profileType === "Flat" ? { rampupSecs: draft.rampupSecs ?? 60 } : {}),
    iterationSleepSecs,
    imageDiffMode: textAfter(input["imageDiffMode"], former?.imageDiffMode, "None"),
  };
}

function draftNumber(
  draft: Draft,
  name: Numbers,
  { value, former }: { readonly value: JsonValue | undefined; readonly former: number | undefined },
): void {
  const merged = value === undefined ? former : value;
  if (typeof merged === "number") draft[name] = merged;
}

/** API 1, Create body fields: one of durationSecs or iterations. */
function refuseBothBases(input: Input, scope: Scope): void {
  if (typeof input["durationSecs"] === "number" && typeof input["iterations"] === "number")
    scope.findings.add("iterations", "found durationSecs and iterations; expected exactly one of them", "documented");
}

/** DECISION (API 1, Create body fields): one basis in a write drops the other. */
function switchBasis(draft: Draft, input: Input): void {
  if (typeof input["durationSecs"] === "number" && input["iterations"] === undefined) delete draft.iterations;
  if (typeof input["iterations"] === "number" && input["durationSecs"] === undefined) delete draft.durationSecs;
}

function dropForeign(draft: Draft, input: Input, scope: Scope): void {
  for (const name of foreign[draft.profileType] ?? []) {
    delete draft[name];
    if (typeof input[name] === "number") scope.unknown.push(name);
  }
}

/** API 1, Create body fields: Step and BreakingPoint are duration based only, iterations are for Flat. */
function checkBasis(draft: Draft, input: Input, scope: Scope): void {
  if (draft.durationSecs !== undefined || draft.iterations !== undefined) return;
  const found =
    typeof input["iterations"] === "number"
      ? `iterations with profileType ${draft.profileType}`
      : "neither durationSecs nor iterations";
  const expected =
    draft.profileType === "Flat" ? "exactly one of them" : `durationSecs: ${draft.profileType} is duration based only`;
  scope.findings.add("durationSecs", `found ${found}; expected ${expected}`, "documented");
}

/** API 1, Create body fields: concurrentClients for Flat and Step; startConcurrentClients, step for Step; at most 50 steps. */
function checkUsers(draft: Draft, scope: Scope): void {
  const { profileType, concurrentClients, startConcurrentClients, step } = draft;
  const needed: readonly Numbers[] =
    profileType === "Step"
      ? ["concurrentClients", "startConcurrentClients", "step"]
      : profileType === "Flat"
        ? ["concurrentClients"]
        : [];
  for (const name of needed)
    if (draft[name] === undefined)
      scope.findings.add(name, `found none; expected ${name}: it is required for ${profileType}`, "documented");
  if (startConcurrentClients === undefined || concurrentClients === undefined || step === undefined) return;
  if (startConcurrentClients > concurrentClients)
    scope.findings.add(
      "startConcurrentClients",
      `found ${startConcurrentClients}; expected at most concurrentClients, ${concurrentClients}`,
    );
  const steps = Math.ceil((concurrentClients - startConcurrentClients) / Math.max(1, step));
  if (steps > maximumSteps)
    scope.findings.add("step", `found ${steps} steps; expected at most ${maximumSteps} per region`, "documented");
}

function checkRanges(draft: Draft, scope: Scope): void {
  for (const [name, minimum] of Object.entries(minima)) {
    const value = draft[name as Numbers];
    if (value !== undefined && value < minimum)
      scope.findings.add(
        name,
        `found ${shownValue(value)}; expected at least ${minimum}`,
        statedMinima.has(name) ? "documented" : "decision",
      );
  }
}
