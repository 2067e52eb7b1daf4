import { routes } from "../api/routes.ts";
import { shapes } from "../api/shapes.ts";
import { isObject, sameJson } from "../model/json.ts";
import type { Difference, Subject } from "./difference.ts";
import { isFree } from "./free-members.ts";
import type { Question } from "./question.ts";
import { brokenRules } from "./rules.ts";
import { type Described, readDescriptor, scalarMisform, typeWords } from "./value-form.ts";

/** An answer to a question: its status, and its value where it could be read. */
export interface Answered {
  readonly status: number;
  readonly value?: unknown;
  /** The status promised a value, and what came was none. */
  readonly isUnreadable?: true;
}

type Note = Omit<Difference, "route">;

type Comparing = {
  readonly notes: Note[];
  /** The nearest object with an id. */
  readonly subject?: Subject | undefined;
  /** The list may hold objects of organizations that the replica does not have. */
  readonly mayHoldMore: boolean;
};

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = shapes;

/** Differences between the live answer and the replica's to the same question; without one the live answer is compared with its shape. */
export function compareAnswers(question: Question, live: Answered, ours: Answered | undefined): readonly Difference[] {
  const { route, subject, mayHoldMore = false } = question;
  const about = subject === undefined ? {} : { subject };
  const expected = ours?.status ?? 200;
  if (live.status !== expected) {
    const note: Note = { kind: "status", at: "answer", found: `status ${live.status}`, expected: `status ${expected}` };
    return [{ ...note, ...about, route }];
  }
  if (live.status >= 300) return [];
  const described: unknown = routes[route].answer;
  const notes: Note[] = [];
  if (live.isUnreadable) notes.push({ kind: "type", at: "answer", found: "no JSON", expected: "JSON", ...about });
  else if (typeof described === "string")
    compareMember(
      live.value,
      ours?.value,
      { at: "answer", described: readDescriptor(described) },
      {
        ...{ notes, subject, mayHoldMore },
      },
    );
  return notes.map((note) => ({ ...note, route }));
}

/** The place of a value: how a finding names it, and what the documents say of it. */
interface Place {
  readonly at: string;
  readonly described: Described;
  /** Only the form is compared. */
  readonly isFree?: boolean;
}

function compareMember(live: unknown, ours: unknown, place: Place, comparing: Comparing): void {
  const { at, described } = place;
  if (described.isList && !Array.isArray(live)) note(comparing, at, "type", [typeWords(live), "a list"]);
  else if (described.isList) compareLists(live as readonly unknown[], ours, place, comparing);
  else compareOne(live, ours, place, comparing);
}

function compareOne(live: unknown, ours: unknown, { at, described, isFree: free }: Place, comparing: Comparing): void {
  const { shape, word } = described;
  if (shape !== undefined) {
    if (!isObject(live)) note(comparing, at, "type", [typeWords(live), "an object"]);
    else compareObjects(live, isObject(ours) && free !== true ? ours : undefined, shape, comparing);
    return;
  }
  const misform = scalarMisform(live, word);
  if (misform) note(comparing, at, misform.kind, [misform.found, misform.expected]);
  else if (free !== true && ours !== undefined && !sameJson(live as never, ours as never))
    note(comparing, at, "value", ["another value", "the value that follows from what the service lists"]);
}

function compareLists(live: readonly unknown[], ours: unknown, place: Place, comparing: Comparing): void {
  const item: Place = { ...place, described: { ...place.described, isList: false } };
  const known = Array.isArray(ours) && place.isFree !== true ? (ours as readonly unknown[]) : undefined;
  const hasIds = known?.every((each) => isObject(each) && each["id"] !== undefined) ?? false;
  const byId = new Map<number | undefined, unknown>(hasIds ? known?.map((each) => [entryId(each), each] as const) : []);
  if (known !== undefined && !isCountRight(live, known, comparing.mayHoldMore ? byId : undefined))
    note(comparing, place.at, "count", ["other entries", "those that the service lists elsewhere"]);
  for (const [index, each] of live.entries()) {
    const counterpart = hasIds ? byId.get(entryId(each)) : known?.length === live.length ? known[index] : undefined;
    compareOne(each, counterpart, item, comparing);
  }
}

/** True of a list that has as many entries as expected, or, where it may hold more, all of the expected ones. */
function isCountRight(
  live: readonly unknown[],
  known: readonly unknown[],
  expected: ReadonlyMap<number | undefined, unknown> | undefined,
): boolean {
  if (expected === undefined) return live.length === known.length;
  const found = new Set(live.map(entryId));
  return [...expected.keys()].every((id) => found.has(id));
}

/** The id of an entry; one that came as text names the same object. */
function entryId(value: unknown): number | undefined {
  return isObject(value) && value["id"] !== undefined ? Number(value["id"]) : undefined;
}

type Members = Readonly<Record<string, unknown>>;

function compareObjects(live: Members, ours: Members | undefined, shape: string, around: Comparing): void {
  const fields = tables[shape] ?? {};
  const id = entryId(live);
  const isStored = fields["createdAt"] !== undefined && id !== undefined && Number.isSafeInteger(id);
  const comparing = isStored ? { ...around, subject: { kind: shape, id } } : around;
  for (const [member, descriptor] of Object.entries(fields)) {
    const place = { at: `${shape}.${member}`, described: readDescriptor(descriptor), isFree: isFree(shape, member) };
    const value = live[member];
    const found = presence(value, ours && { value: ours[member] }, place);
    if (found !== undefined) note(comparing, place.at, found.kind, found.words);
    if (isGiven(value)) compareMember(value, ours?.[member] ?? undefined, place, comparing);
  }
  for (const member of Object.keys(live))
    if (!Object.hasOwn(fields, member) && isGiven(live[member]))
      note(comparing, `${shape}.${member}`, "undescribed", ["a member", "none of that name"]);
  for (const { member, found, expected } of brokenRules(shape, live))
    note(comparing, `${shape}.${member}`, "rule", [found, expected]);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

interface Presence {
  readonly kind: Difference["kind"];
  readonly words: readonly [found: string, expected: string];
}

/** The defect of a member being there, or not. Without the replica's answer only what is always there is known. */
function presence(
  value: unknown,
  ours: { readonly value: unknown } | undefined,
  { described, isFree: free }: Place,
): Presence | undefined {
  const expected = ours?.value;
  if (value === null && described.isList) return { kind: "type", words: ["null", "a list"] };
  if (!isGiven(value)) {
    const isNeeded =
      described.isRequired || (expected !== undefined && !(value === null && (free || expected === null)));
    if (!isNeeded) return undefined;
    return { kind: "missing", words: [value === null ? "null" : "nothing", wanted(expected)] };
  }
  if (ours === undefined || expected !== undefined || free) return undefined;
  return { kind: "unasked", words: [typeWords(value), "no such member in this answer"] };
}

function wanted(expected: unknown): string {
  if (expected === null) return "null, or a value";
  return expected === undefined ? "always a value" : typeWords(expected);
}

function note(
  { notes, subject }: Comparing,
  at: string,
  kind: Difference["kind"],
  [found, expected]: readonly [string, string],
): void {
  notes.push({ kind, at, found, expected, ...(subject && { subject }) });
}
