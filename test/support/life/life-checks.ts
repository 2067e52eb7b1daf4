import { anyMatcher, isWithin } from "../../../src/model/address.ts";
import type { Json } from "../../../src/model/json.ts";
import type { ApplyOutcome } from "../../../src/project/apply-project.ts";
import { type CreateIntent, isPause, type StateResource } from "../../../src/state/state.ts";
import type { StoredState } from "../../../src/state/store.ts";
import type { Asked, Rig } from "../rig.ts";
import { type Row, tablesOf } from "./outside-edits.ts";
import { type Placed, type Project, placed } from "./wish-edits.ts";

/** Service and state between two commands. */
export interface Moment {
  /** Every object that an address could be bound to, and history, by `kind#id`. */
  readonly rows: ReadonlyMap<string, { readonly kind: string; readonly row: Row }>;
  readonly stored: StoredState | undefined;
}

/** Tables of what can be bound; tags come and go with what carries them. */
const kinds = [
  "testCase",
  "scenario",
  "dataStore",
  "configuration",
  "schedule",
  "gateway",
  "vcsRoot",
  "provider",
  "region",
];
const history = ["execution", "recording"];

/** How things stand; a state that cannot be read throws. */
export async function momentOf(rig: Rig): Promise<Moment> {
  const tables = tablesOf(rig);
  const rows = [...kinds, ...history].flatMap((kind) =>
    (tables[kind] ?? []).map((row) => [`${kind}#${row.id}`, { kind, row }] as const),
  );
  return { rows: new Map(rows), stored: await rig.stored() };
}

/** One of our commands, as it is judged. */
export interface Step {
  readonly before: Moment;
  readonly after: Moment;
  readonly project: Project;
  readonly asked: Asked;
  /** Objects of somebody else before it. */
  readonly foreign: ReadonlySet<string>;
  readonly outcome?: ApplyOutcome;
  readonly writes: number;
  /** It only looked. */
  readonly isPlan: boolean;
  readonly crashed: boolean;
}

/** Everything that a command broke, in words. */
export function brokenBy(step: Step): readonly string[] {
  return [
    ...brokenState(step),
    ...brokenOutcome(step),
    ...touchedForeign(step),
    ...lostObjects(step),
    ...strayObjects(step),
    ...tooManyDeletes(step),
  ];
}

const bound = ({ stored }: Moment) => Object.entries(stored?.state.resources ?? {});
const handleOf = ({ kind, id }: StateResource) => `${kind}#${id}`;

/** Addresses by what they are bound to. */
function addressesOf(moment: Moment): ReadonlyMap<string, string> {
  return new Map(bound(moment).map(([address, resource]) => [handleOf(resource), address]));
}

function brokenState({ before, after, isPlan }: Step): readonly string[] {
  const seen = new Map<string, string>();
  const problems: string[] = [];
  for (const [address, resource] of bound(after)) {
    const twin = seen.get(handleOf(resource));
    if (twin !== undefined) problems.push(`${address} and ${twin} are both bound to ${handleOf(resource)}`);
    seen.set(handleOf(resource), address);
  }
  const same = JSON.stringify(before.stored) === JSON.stringify(after.stored);
  return isPlan && !same ? [...problems, "a plan changed the state"] : problems;
}

function brokenOutcome({ outcome, writes, before, after, crashed, isPlan }: Step): readonly string[] {
  if (crashed) return [];
  const problems: string[] = [];
  const unexpected = outcome?.diagnostics.filter(({ code }) => code === "LF9002" || code === "LF9001") ?? [];
  problems.push(...unexpected.map(({ summary, detail, address }) => `${summary}: ${detail} (${address})`));
  const status = outcome?.status;
  const mayWrite = status === "applied" || status === "partial" || status === "interrupted";
  // What an earlier run left paused is resumed first, whatever the plan says then.
  const resumes = isPlan ? 0 : (before.stored?.intents.filter(isPause).length ?? 0);
  if (writes > resumes && !mayWrite)
    problems.push(`${writes} writes by ${isPlan ? "a plan" : `an apply that is ${status}`}`);
  if (status === "locked") problems.push("the lock of a dead process was not broken");
  // A create that was answered, and that no read could confirm, is looked for by the next run.
  const isBound = (address: string) => after.stored?.state.resources[address] !== undefined;
  const open = (after.stored?.intents ?? []).filter((intent) => isPause(intent) || !isBound(intent.address)).length;
  if (open > 0 && (status === "applied" || status === "nothing")) problems.push(`${open} open intents after ${status}`);
  return problems;
}

/** What moves by itself as time passes. */
const ofTime = ["nextScheduled", "lastScheduled", "updatedAt"];
/** A tag that is deleted takes its label from everything that carries it (docs/engine.md, Write routes). */
const ofTags = ["tags", "updatedAt"];
const moving: Readonly<Record<string, readonly string[]>> = {
  schedule: ofTime,
  configuration: ofTime,
  scenario: ofTags,
};

function still({ kind, row }: { readonly kind: string; readonly row: Row }): string {
  return JSON.stringify(row, (name, value: Json) => (moving[kind]?.includes(name) ? undefined : value));
}

function touchedForeign({ before, after, foreign }: Step): readonly string[] {
  const ours = addressesOf(after);
  return [...foreign].flatMap((handle) => {
    const [was, is] = [before.rows.get(handle), after.rows.get(handle)];
    if (was === undefined || is === undefined || ours.has(handle) || history.includes(was.kind)) return [];
    return still(was) === still(is) ? [] : [`${handle} is not ours and changed: ${still(was)} -> ${still(is)}`];
  });
}

/** What went although a guard keeps it, or although it is wished for. */
function lostObjects(step: Step): readonly string[] {
  const { before, after } = step;
  const addresses = addressesOf(before);
  return [...before.rows.keys()]
    .filter((handle) => !after.rows.has(handle))
    .flatMap((handle) => {
      const address = addresses.get(handle);
      return address === undefined ? lostOther(step, handle) : lostOwn(step, address, handle);
    });
}

function lostOther({ before, asked, foreign }: Step, handle: string): readonly string[] {
  const isGuarded = foreign.has(handle) || history.includes(before.rows.get(handle)?.kind ?? "");
  return isGuarded && asked.allowDestroy?.length === 0 ? [`${handle} went with something`] : [];
}

function lostOwn(step: Step, address: string, handle: string): readonly string[] {
  const isProtected = step.before.stored?.state.resources[address]?.protect === true;
  const wished = wishOf(step, address);
  const isLost = wished !== undefined && !mayBeReplaced(step, wished, handle);
  return [
    ...(isProtected ? [`${address} is protected and was deleted`] : []),
    ...(isLost ? [`${address} is wished for and was deleted`] : []),
  ];
}

/** The wish that an address of the state is led to. */
function wishOf({ project, asked }: Step, address: string): Placed | undefined {
  if (asked.destroy) return undefined;
  const moved = movedTo(project, address);
  const wishes = placed(project.wishes);
  return wishes.find((each) => each.address === address) ?? wishes.find((each) => each.address === moved);
}

function mayBeReplaced({ before, after, asked, project }: Step, { address, wish }: Placed, handle: string): boolean {
  const isAsked = anyMatcher(asked.replace ?? []);
  const parts = address.split("/").map((_, index, all) => all.slice(0, index + 1).join("/"));
  // A replacement that was cut short is ended by whatever apply comes next.
  const addresses = bound(before).map(([each]) => movedTo(project, each));
  const isUnderWay = (part: string) => addresses.some((each) => each.startsWith(`${part}.being-replaced`));
  if (parts.some((part) => isAsked(part) || isUnderWay(part))) return true;
  const was = before.rows.get(handle)?.row;
  const row = JSON.stringify(was ?? {});
  if (wish.kind === "region") return !after.rows.has(`provider#${was?.["providerId"]}`);
  if (wish.kind === "gateway") return !row.includes(JSON.stringify(wish.fields["url"]));
  return wish.kind === "provider" && !row.includes(JSON.stringify(wish.fields["providerType"]));
}

/** What is there although nobody knows of it, or no longer known although it is there. */
function strayObjects(step: Step): readonly string[] {
  const { before, after, foreign } = step;
  const [was, is] = [addressesOf(before), addressesOf(after)];
  const inDoubt = (after.stored?.intents ?? []).flatMap((intent) => (isPause(intent) ? [] : [intent]));
  const problems: string[] = [];
  for (const [handle, { kind, row }] of after.rows) {
    if (is.has(handle) || foreign.has(handle) || history.includes(kind) || row["active"] === false) continue;
    const address = was.get(handle);
    const places = address === undefined ? inDoubtBefore(step, kind) : [address];
    if (places.some((place) => isForgotten(step, place))) continue;
    const known = inDoubt.findIndex((each) => each.kind === kind && mayBeOf(each, address, row));
    if (known >= 0) inDoubt.splice(known, 1);
    else if (address !== undefined) problems.push(`${address} is no longer bound to ${handle}, which is there`);
    else problems.push(`${handle} is there and nobody knows of it: ${JSON.stringify(row)}`);
  }
  return problems;
}

/** Whether a create in doubt may be of an object; a region that was put to sleep is woken under another address. */
function mayBeOf(intent: CreateIntent, address: string | undefined, row: Row): boolean {
  const isWoken = intent.kind === "region" && intent.name === row["name"];
  return address === undefined || intent.address === address || isWoken;
}

/** Addresses of which it was not known whether they have an object of a kind: it may be found and forgotten at once. */
function inDoubtBefore({ before }: Step, kind: string): readonly string[] {
  return (before.stored?.intents ?? []).filter((intent) => intent.kind === kind).map(({ address }) => address);
}

function isForgotten({ project }: Step, address: string): boolean {
  const place = movedTo(project, address.replace(/\.being-replaced(-\d+)?/, ""));
  return project.removed.some((block) => !block.destroy && isWithin(place, block.address));
}

/** Where the moved: blocks lead an address. */
function movedTo({ moved }: Project, address: string): string {
  const move = moved.find(({ from }) => isWithin(address, from));
  return move === undefined ? address : move.to + address.slice(move.from.length);
}

function tooManyDeletes({ before, after, asked }: Step): readonly string[] {
  if (asked.destroy || asked.forceThreshold || (before.stored?.intents.length ?? 0) > 0) return [];
  const isTag = ([, { kind }]: readonly [string, StateResource]) => kind === "tag";
  const live = bound(before).filter((each) => isTag(each) || before.rows.has(handleOf(each[1])));
  const gone = live.filter((each) => !isTag(each) && !after.rows.has(handleOf(each[1]))).length;
  const isTooMany = gone > 20 || (live.length >= 10 && gone > 0.3 * live.length);
  return isTooMany ? [`${gone} of ${live.length} objects deleted without --force-threshold`] : [];
}
