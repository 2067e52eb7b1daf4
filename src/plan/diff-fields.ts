import type { Field } from "../model/field.ts";
import { isContentMark, isSecretMark } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject, sameJson } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { foreignFields } from "../model/variant.ts";
import type { Sides } from "./mask-secrets.ts";
import { unmasked } from "./mask-secrets.ts";
import type { Cause, FieldChange } from "./plan.ts";

/** What the three-way diff of one object comes to (docs/engine.md, Diff). */
export interface FieldsDiff {
  readonly changes: readonly FieldChange[];
  /** What to send; null clears. */
  readonly send: JsonObject;
  /** Last-applied values when all is done; secrets still as marks, texts as content marks. */
  readonly applied: JsonObject;
  /** Fields that stop being managed. */
  readonly released: readonly string[];
  /** Managed fields that differ from what was applied last, whether or not anything is done about it; drift under `ignore` is none. */
  readonly drifted: readonly FieldChange[];
}

/** One object to compare. */
export interface DiffInput extends Sides {
  readonly kind: AnyKind;
  readonly ignore: readonly string[];
  /** Addresses that get a new id: what refers to them is sent again. */
  readonly renewed: ReadonlySet<string>;
  /** Both sides before they were masked, where they were. */
  readonly plain?: Pick<Sides, "desired" | "live">;
}

interface Verdict {
  readonly change?: FieldChange;
  readonly send?: Json;
  readonly applied?: Json;
  readonly released?: true;
}

/** Compares every managed field. Fields of inactive variants are neither compared nor required. */
export function diffFields(input: DiffInput): FieldsDiff {
  const { kind } = input;
  const foreign = foreignHere(input);
  const verdicts = managedFields(input).map(
    (name) => [name, foreign.has(name) ? leaveVariant(input, name) : compare(input, name)] as const,
  );
  const collect = (member: "send" | "applied") =>
    Object.fromEntries(
      verdicts.flatMap(([name, verdict]) => (verdict[member] === undefined ? [] : [[name, verdict[member]]])),
    );
  return {
    changes: verdicts.flatMap(([, verdict]) => (verdict.change ? [verdict.change] : [])),
    send: collect("send"),
    applied: collect("applied"),
    released: verdicts.flatMap(([name, verdict]) => (verdict.released ? [name] : [])),
    drifted: managedFields(input).flatMap((name) => driftOf(kind.fields[name], name, input)),
  };
}

function managedFields({ kind, desired, applied }: DiffInput): readonly string[] {
  return Object.keys(kind.fields).filter((name) => desired[name] !== undefined || applied[name] !== undefined);
}

/** The variant is chosen by the project where it says, by the service's default where it stopped saying, else by the service. */
function foreignHere(input: DiffInput): ReadonlySet<string> {
  const { kind, applied, plain } = input;
  if (kind.variants === undefined) return new Set();
  const desired = unmasked(input.desired, plain?.desired);
  const live = unmasked(input.live, plain?.live);
  const choosing: Record<string, Json> = {};
  for (const { by } of kind.variants) {
    const names = typeof by === "string" ? [by] : by;
    const source = names.some((name) => desired[name] !== undefined) ? desired : live;
    const dropped = source === live && names.some((name) => applied[name] !== undefined);
    for (const name of names) {
      const value = source[name];
      if (value !== undefined && !(dropped && typeof by === "string")) choosing[name] = value;
    }
  }
  return foreignFields(kind.variants, choosing);
}

/** What was ours of a variant that is no longer active is cleared. */
function leaveVariant({ kind, applied, live, plain }: DiffInput, name: string): Verdict {
  if (applied[name] === undefined || live[name] === undefined || kind.fields[name]?.ownRequest) return {};
  // A secret is never read: where the service has left the variant too, it went with it.
  if (kind.fields[name]?.secret && foreignFields(kind.variants, unmasked(live, plain?.live)).has(name)) return {};
  return { change: { field: name, before: live[name], cause: "change" }, send: null };
}

function compare(input: DiffInput, name: string): Verdict {
  const field = input.kind.fields[name];
  const desired = input.desired[name];
  const applied = input.applied[name];
  const live = input.live[name] ?? field?.default;
  if (desired === undefined) return dropField({ name, field, applied, live });
  if (desired === null) return clearField({ name, field, applied, live });
  const isRenewed = isToBeRenewed(input, name);
  if (same(desired, live) && !isRenewed) return { applied: desired };
  const cause = causeOf({ desired, applied, live });
  if (cause === "drift" && isLeftAlone(input, name)) return { applied: desired };
  const unknown = isRenewed ? { unknown: true as const } : {};
  return {
    change: fieldChange({ name, before: live, after: desired, cause, ...unknown }),
    send: desired,
    applied: desired,
  };
}

/** Drift of a field under `ignore` is left, unless what the field refers to gets a new id. */
function isLeftAlone(input: DiffInput, name: string): boolean {
  const value = input.desired[name];
  return input.ignore.includes(name) && value !== undefined && value !== null && !isToBeRenewed(input, name);
}

/** Whether what a field refers to gets a new id. */
function isToBeRenewed({ desired, plain, renewed }: DiffInput, name: string): boolean {
  const value = plain?.desired[name] ?? desired[name];
  return value !== undefined && value !== null && refersTo(value, renewed);
}

interface OneField {
  readonly name: string;
  readonly field: Field | undefined;
  readonly applied: Json | undefined;
  readonly live: Json | undefined;
}

/** Unset now, set before: back to the documented default, unless someone took it over or there is none. */
function dropField({ name, field, applied, live }: OneField): Verdict {
  const standard = field?.default;
  if (applied === null) return {};
  if (!same(applied, live) || standard === undefined) return { released: true };
  if (same(live, standard)) return {};
  return { change: fieldChange({ name, before: live, after: standard, cause: "change" }), send: null };
}

function clearField({ name, field, applied, live }: OneField): Verdict {
  if (live === undefined || same(live, field?.default)) return { applied: null };
  const cause = applied === null ? "drift" : "change";
  return { change: fieldChange({ name, before: live, after: field?.default, cause }), send: null, applied: null };
}

function causeOf({
  desired,
  applied,
  live,
}: {
  desired: Json;
  applied: Json | undefined;
  live: Json | undefined;
}): Cause {
  if (applied !== undefined && same(applied, desired)) return "drift";
  return applied !== undefined && !same(applied, live) ? "both" : "change";
}

function driftOf(field: Field | undefined, name: string, input: DiffInput): readonly FieldChange[] {
  const applied = input.applied[name];
  const live = input.live[name] ?? field?.default;
  const isCleared = applied === null && live === field?.default;
  if (applied === undefined || isCleared || same(applied, live)) return [];
  const desired = input.desired[name];
  const cause = desired === undefined || same(desired, applied) ? "drift" : "both";
  if (cause === "drift" && isLeftAlone(input, name)) return [];
  return [fieldChange({ name, before: applied ?? undefined, after: live, cause })];
}

function fieldChange(change: {
  readonly name: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly cause: Cause;
  readonly unknown?: true;
}): FieldChange {
  const { name, before, after, cause, unknown } = change;
  return {
    field: name,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    cause,
    ...(unknown && { unknown }),
    ...(holdsSecret(before) || holdsSecret(after) ? { sensitive: true as const } : {}),
  };
}

/** Equality of two values of a field; texts and files are equal by hash. */
export function same(left: Json | undefined, right: Json | undefined): boolean {
  if (isContentMark(left) && isContentMark(right)) return left.$content === right.$content;
  return sameJson(left, right);
}

/** Whether a value is, or holds, a secret. */
export function holdsSecret(value: Json | undefined): boolean {
  if (isSecretMark(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isObject(value) && Object.values(value).some(holdsSecret);
}

/** Whether a value refers to one of these addresses. */
export function refersTo(value: Json, addresses: ReadonlySet<string>): boolean {
  if (addresses.size === 0) return false;
  if (Array.isArray(value)) return value.some((item) => refersTo(item, addresses));
  if (!isObject(value)) return false;
  const { ref } = value;
  return (
    (typeof ref === "string" && addresses.has(ref)) || Object.values(value).some((item) => refersTo(item, addresses))
  );
}
