import type { CheckResult, Finding, Found } from "./check-result.ts";
import { chooseHeals } from "./choose-heals.ts";
import { failedTriesAfter, isFailedHeal } from "./failed-tries.ts";
import { countHeals, observeFights } from "./fights.ts";
import type { PastCheck, ProjectMemory } from "./project-memory.ts";
import { type StateFound, stateOfResult } from "./project-state.ts";
import type { Known, WatchEvent } from "./watch-events.ts";
import { versionOf } from "./watched-project.ts";

export type EndedEvent = Extract<WatchEvent, { readonly is: "ended" }>;

/** A check that ended, as it is remembered; its state and its time are not set yet. */
export interface EndedCheck {
  readonly memory: ProjectMemory;
  /** Without regard to suspensions. */
  readonly shown: StateFound;
  readonly healed: readonly string[];
  /** Left alone from now on. */
  readonly fought: readonly string[];
  /** Something was postponed, or the healing was interrupted. */
  readonly isUnfinished: boolean;
}

/** Longest lists that are remembered. */
const [mostFindings, mostHealed, mostProblems, mostChecks] = [50, 20, 50, 100];
const noChoice = { heal: [], unpruned: [], leftAlone: [], triedInVain: [], postponed: [] };

/** The memory after a check: what it read, tried and healed. One that failed leaves the lists and the plan of the last that compared. */
export function endCheck(known: Known, event: EndedEvent, now: number): EndedCheck {
  const { result, commit } = event;
  const fights = fightsAfter(known.memory, { result, now });
  const healed = healedBy(result);
  const tried = {
    ...known.memory,
    failedTries: failedTriesAfter(known.memory, result),
    fights: fights.fights,
    requests: known.memory.requests + (result.requests ?? 0),
    heals: known.memory.heals + healed.length,
    foughtOver: known.memory.foughtOver + fights.begun.length,
  };
  const ended = { healed, fought: fights.begun };
  if (result.is !== "checked") {
    const memory = withCommit({ ...tried, problems: result.diagnostics.slice(0, mostProblems) }, commit);
    const shown = stateOfResult(result, noChoice, memory);
    return { ...ended, memory: counted(memory, result, now), shown, isUnfinished: false };
  }
  const { found, heal } = result;
  const version = versionOf(known.project, commit, found);
  const isClean = found.findings.length + found.unrecorded.length === 0;
  const [git, drifted] = [ofOrigin(found, "git"), ofOrigin(found, "drift")];
  const memory: ProjectMemory = withCommit(
    {
      ...tried,
      failedTries: isClean ? [] : tried.failedTries,
      problems: [...found.blocked, ...(heal?.diagnostics ?? []), ...found.warnings].slice(0, mostProblems),
      plan: isClean ? "" : found.plan,
      findings: [...git.slice(0, mostFindings), ...drifted.slice(0, mostFindings)],
      outOfSync: { count: git.length },
      drifted: { count: drifted.length },
      objects: found.objects,
      driftedFields: found.findings.reduce((sum, { driftedFields }) => sum + driftedFields, 0),
    },
    commit,
    found.findings,
  );
  const choice = chooseHeals({ project: known.project, memory }, found, version);
  return {
    memory: counted(memory, result, now),
    shown: stateOfResult(result, choice, memory),
    ...ended,
    isUnfinished: choice.postponed.length > 0 || heal?.status === "interrupted",
  };
}

/** The history with one more check. */
export function withPastCheck(memory: ProjectMemory, past: PastCheck): ProjectMemory["history"] {
  const { healed, ...rest } = past;
  const more = healed.length - mostHealed;
  const newest = more > 0 ? { ...rest, healed: healed.slice(0, mostHealed), moreHealed: more } : past;
  return [newest, ...memory.history.slice(0, mostChecks - 1)];
}

/** Errors in a row, and the last check that was none. A try that is not repeated is no error of this check. */
function counted(memory: ProjectMemory, result: CheckResult, now: number): ProjectMemory {
  const isError = result.is === "failed" || (result.is === "checked" && isFailedHeal(result.heal));
  const failures = isError ? memory.failures + 1 : 0;
  const isSuccess = result.is === "checked" && !isError;
  return { ...memory, lastCheckAt: now, failures, ...(isSuccess && { lastSuccessAt: now }) };
}

function fightsAfter(
  memory: ProjectMemory,
  { result, now }: { readonly result: CheckResult; readonly now: number },
): ReturnType<typeof countHeals> {
  if (memory.checking?.retry) return { fights: {}, begun: [] };
  const drifted = new Set(memory.checking?.tried?.drifted);
  const healed = healedBy(result).filter((address) => drifted.has(address));
  const fights = result.is === "checked" ? observeFights(memory.fights, result.found.findings, now) : memory.fights;
  return countHeals(fights, healed, now);
}

function healedBy(result: CheckResult): readonly string[] {
  return result.is === "refused" ? [] : (result.heal?.written ?? []);
}

function withCommit(memory: ProjectMemory, wanted: string | undefined, findings?: readonly Finding[]): ProjectMemory {
  if (wanted === undefined) return memory;
  const isApplied = findings?.every(({ origin }) => origin !== "git") === true;
  return { ...memory, commit: { ...memory.commit, wanted, ...(isApplied && { applied: wanted }) } };
}

function ofOrigin({ findings }: Found, wanted: Finding["origin"]): readonly Finding[] {
  return findings.filter(({ origin }) => origin === wanted);
}
