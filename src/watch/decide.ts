import { chooseHeals } from "./choose-heals.ts";
import { type EndedEvent, endCheck, withPastCheck } from "./end-check.ts";
import { observeFights } from "./fights.ts";
import { notificationsOf, troubleAfter } from "./make-notifications.ts";
import { nextCheckAfter, nextCheckAfterSuspension } from "./next-check.ts";
import type { ProjectMemory } from "./project-memory.ts";
import type { StateFound } from "./project-state.ts";
import { nextSuspension, suspensionAt } from "./suspensions.ts";
import type { Decision, Known, WatchAction, WatchClock, WatchEvent } from "./watch-events.ts";
import { versionOf } from "./watched-project.ts";

/**
 * Every decision of the watcher about one project: the memory and the steps that follow from an event. While a check is under way no
 * other is begun; while the project is suspended none is, and none that is under way heals anything.
 */
export function decide(known: Known, event: WatchEvent, at: WatchClock): Decision {
  switch (event.is) {
    case "started":
      return checkNow({ ...known, memory: omit(known.memory, "checking") }, at);
    case "due":
      return known.memory.checking === undefined ? checkNow(known, at) : unchanged(known);
    case "asked":
      return ask(known, event.retry, at);
    case "compared":
      return answer(known, event, at.now);
    case "ended":
      return known.memory.checking === undefined ? unchanged(known) : end(known, event, at);
    case "suspended":
      return suspend({ ...known, memory: { ...known.memory, suspendedUntil: event.until ?? null } }, known, at);
    case "resumed":
      return resume(known, at);
  }
}

/** The memory of a project that was never checked. */
export function newMemory(): ProjectMemory {
  return {
    commit: {},
    failures: 0,
    failedTries: [],
    fights: {},
    history: [],
    problems: [],
    plan: "",
    outOfSync: { count: 0 },
    drifted: { count: 0 },
    objects: 0,
    driftedFields: 0,
    heals: 0,
    foughtOver: 0,
    requests: 0,
  };
}

function unchanged({ memory }: Known): Decision {
  return { memory, actions: [] };
}

/** Begins a check, or suspends the project. None is under way. */
function checkNow(known: Known, at: WatchClock): Decision {
  const suspension = suspensionAt(known, at.now);
  if (suspension !== undefined) return waitSuspended(known, suspension, at);
  const memory = omit(omit(known.memory, "nextCheckAt"), "suspendedUntil");
  return {
    memory: { ...memory, checking: { since: at.now, isAskedAgain: false, retry: false } },
    actions: [{ do: "check", project: known.project.name }],
  };
}

/** A retry holds at once, for a check under way too, and for the one after it. */
function ask(known: Known, retry: boolean, at: WatchClock): Decision {
  const memory = retry ? { ...known.memory, failedTries: [], fights: {} } : known.memory;
  const { checking } = memory;
  if (checking === undefined) return checkNow({ ...known, memory }, at);
  return {
    memory: { ...memory, checking: { ...checking, isAskedAgain: true, retry: retry || checking.retry } },
    actions: [],
  };
}

/** Answers a check that waits for what to heal; one that nobody knows of heals nothing. */
function answer(known: Known, event: Extract<WatchEvent, { is: "compared" }>, now: number): Decision {
  const { found, commit } = event;
  const memory = { ...known.memory, fights: observeFights(known.memory.fights, found.findings, now) };
  const { checking } = memory;
  const version = versionOf(known.project, commit, found);
  const isAllowed = checking !== undefined && suspensionAt(known, now) === undefined;
  const addresses = isAllowed ? chooseHeals({ ...known, memory }, found, version).heal : [];
  const actions: readonly WatchAction[] = [{ do: "heal", project: known.project.name, addresses }];
  if (checking === undefined || addresses.length === 0) return { memory, actions };
  const origins = new Map(found.findings.map(({ address, origin }) => [address, origin]));
  const drifted = addresses.filter((address) => origins.get(address) === "drift");
  const tried = { version, difference: found.difference, addresses, drifted };
  return { memory: { ...memory, checking: { ...checking, tried } }, actions };
}

/** The state that follows from a check, what is told of it, and the time of the next. */
function end(known: Known, event: EndedEvent, at: WatchClock): Decision {
  const { now } = at;
  const ended = endCheck(known, event, now);
  const isAskedAgain = known.memory.checking?.isAskedAgain === true;
  const idle = { ...known, memory: omit(ended.memory, "checking") };
  const suspension = suspensionAt(idle, now);
  const shown: StateFound = suspension === undefined ? ended.shown : { state: "suspended", reason: suspension.reason };
  const stated = withState(idle.memory, shown, now);
  const past = { ...shown, at: new Date(now).toISOString(), ms: event.ms, commit: event.commit ?? null };
  const memory = { ...stated, history: withPastCheck(stated, { ...past, healed: ended.healed }) };
  const told = notificationsOf(known, memory, { healed: ended.healed, fought: ended.fought, now });
  const tells = told.map((notification): WatchAction => ({ do: "tell", notification }));
  if (isAskedAgain && suspension === undefined) {
    const next = checkNow({ ...known, memory }, at);
    return { memory: next.memory, actions: [...tells, ...next.actions] };
  }
  if (suspension !== undefined)
    return waiting(known, { memory, actions: tells }, nextCheckAfterSuspension(known.project, suspension.until, at));
  const next = nextCheckAfter(known.project, { failures: memory.failures, isUnfinished: ended.isUnfinished }, at);
  // A window of its hours that begins before that is seen when it does.
  return waiting(known, { memory, actions: tells }, nextSuspension(known.project.suspend, now, next));
}

/** Holds at once: a check under way is told to heal nothing, unless it has its answer already. */
function suspend(known: Known, before: Known, at: WatchClock): Decision {
  const suspension = suspensionAt(known, at.now);
  return suspension === undefined ? unchanged(before) : waitSuspended(known, suspension, at);
}

/** The state remains `suspended` until a check has ended, which follows at once unless hours of the project suspend it still. */
function resume(known: Known, at: WatchClock): Decision {
  if (known.memory.suspendedUntil === undefined) return unchanged(known);
  const memory = omit(known.memory, "suspendedUntil");
  return ask({ ...known, memory }, false, at);
}

/** A project becomes, or remains, suspended; it waits for the end, unless a check under way does that for it. */
function waitSuspended(
  known: Known,
  { reason, until }: NonNullable<ReturnType<typeof suspensionAt>>,
  at: WatchClock,
): Decision {
  const memory = withState(known.memory, { state: "suspended", reason }, at.now);
  const told = notificationsOf(known, memory, { healed: [], fought: [], now: at.now });
  const decision: Decision = { memory, actions: told.map((notification) => ({ do: "tell", notification })) };
  if (memory.checking !== undefined) return decision;
  return waiting(known, decision, nextCheckAfterSuspension(known.project, until, at));
}

/** A decision to wait besides others; without a moment it waits for somebody. */
function waiting({ project }: Known, { memory, actions }: Decision, until: number | undefined): Decision {
  if (until === undefined) return { memory: omit(memory, "nextCheckAt"), actions };
  return {
    memory: { ...memory, nextCheckAt: until },
    actions: [...actions, { do: "wait", project: project.name, until }],
  };
}

function withState(memory: ProjectMemory, { state, reason }: StateFound, now: number) {
  const { reason: _, trouble: before, ...rest } = memory;
  const trouble = troubleAfter(before, state);
  return {
    ...rest,
    state,
    ...(reason !== undefined && { reason }),
    ...(trouble !== undefined && { trouble }),
    since: memory.state === state && memory.since !== undefined ? memory.since : now,
  };
}

/** The memory without one of its members; the same when it has none. */
function omit<K extends "checking" | "nextCheckAt" | "suspendedUntil">(memory: ProjectMemory, name: K): ProjectMemory {
  if (memory[name] === undefined) return memory;
  const { [name]: _, ...rest } = memory;
  return rest as ProjectMemory;
}
