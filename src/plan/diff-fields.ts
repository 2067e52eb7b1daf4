import type { Field } from "../model/field.ts";
import { holdsSecret, same } from "../model/fingerprint.ts";
import { isEmptyJson, isObject, type Json, type JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { inactiveFields } from "../model/variant.ts";
import type { Cause, FieldChange } from "./plan.ts";
import { type DiffSides, unmasked } from "./secrets.ts";

/** The three-way diff of one object (docs/engine.md, Diff). */
export interface FieldsDiff {
  readonly changes: readonly FieldChange[];
  /** The members to send; null clears. */
  readonly send: JsonObject;
  /** Last-applied values when all is done; secrets still as marks, texts as content marks. */
  readonly applied: JsonObject;
  /** Fields that stop being managed. */
  readonly released: readonly string[];
  /** Managed fields that differ from the last-applied values, whether or not the plan changes them; drift under `ignore` is none. */
  readonly drifted: readonly FieldChange[];
}

/** One object to compare. */
export interface DiffInput extends DiffSides {
  readonly kind: AnyKind;
  readonly ignore: readonly string[];
  /** Addresses that get a new id: what refers to them is sent again. */
  readonly renewed: ReadonlySet<string>;
  /** Two sides before they were masked, where any value was. */
  readonly plain?: Pick<DiffSides, "desired" | "live">;
}

interface Verdict {
  readonly change?: FieldChange;
  readonly send?: Json;
  readonly applied?: Json;
  readonly released?: true;
}

/** Compares every managed field. Fields of inactive variants are neither compared nor required. */
export function diffFields(given: DiffInput): FieldsDiff {
  const implied = impliedChoices(given, given.desired);
  const former = isEmptyJson(implied) ? {} : impliedChoices(given, given.applied);
  const input = { ...given, desired: { ...given.desired, ...implied }, applied: { ...given.applied, ...former } };
  const inactive = inactiveOf(input);
  const verdicts = managedFields(input).map(
    (name) => [name, inactive.has(name) ? clearInactive(input, name) : compareField(input, name)] as const,
  );
  const collect = (member: "send" | "applied", left: JsonObject = {}) =>
    Object.fromEntries(
      verdicts.flatMap(([name, { [member]: value }]) => (value === undefined || name in left ? [] : [[name, value]])),
    );
  return {
    changes: verdicts.flatMap(([, verdict]) => (verdict.change ? [verdict.change] : [])),
    send: collect("send"),
    applied: collect("applied", implied),
    released: verdicts.flatMap(([name, verdict]) => (verdict.released ? [name] : [])),
    drifted: managedFields(input).flatMap((name) => driftOf(input, name)),
  };
}

function managedFields(input: DiffInput): readonly string[] {
  const { kind, desired, applied } = input;
  const isManaged = (name: string) => desired[name] !== undefined || applied[name] !== undefined;
  return Object.keys(kind.fields).filter((name) => isManaged(name) || isFilledInAnew(input, name));
}

/** True of a field without a value of ours whose live value means something else beside what is declared now. */
function isFilledInAnew(input: DiffInput, name: string, isSent = (_other: string) => true): boolean {
  const { kind, desired, plain } = input;
  const { sense } = kind.fields[name] ?? {};
  if (sense === undefined || input.live[name] === undefined || (desired[name] ?? null) !== null) return false;
  const live = unmasked(input.live, plain?.live);
  const sent = Object.entries(unmasked(desired, plain?.desired)).filter(
    ([each]) => !isLeft(input, each) && isSent(each),
  );
  return sense({ ...live, ...Object.fromEntries(sent) }) !== sense(live);
}

/** True where what the project has not changed alone makes it mean something else: somebody changed the choice. */
function isDriftedAlong(input: DiffInput, name: string): boolean {
  return isFilledInAnew(input, name, (other) => same(input.applied[other], input.desired[other]));
}

/** Drift of an ignored choice is left as it is, and with it the service's choice holds. */
function isLeft({ ignore, applied, desired }: DiffInput, name: string): boolean {
  return ignore.includes(name) && same(applied[name], desired[name]);
}

/**
 * Choices that nobody declared and that fields need: the service has another one, by which these have no effect. They are sent
 * back to their default, and remain undeclared.
 */
function impliedChoices({ kind, desired, applied, live, plain, ignore }: DiffInput, fields: JsonObject): JsonObject {
  const choices = (kind.variants ?? []).flatMap((variant): [string, Json][] => {
    const { by, default: standard } = variant;
    if (typeof by !== "string" || standard === undefined || ignore.includes(by)) return [];
    if (desired[by] !== undefined || applied[by] !== undefined) return [];
    const without = inactiveFields([variant], unmasked(live, plain?.live));
    const isNeeded = (name: string) => (fields[name] ?? null) !== null && !ignore.includes(name);
    return [...without].some(isNeeded) ? [[by, standard]] : [];
  });
  return Object.fromEntries(choices);
}

/** Fields of inactive variants. The variant is the declared value; the default where it was declared and no longer is; else the live value. */
function inactiveOf(input: DiffInput): ReadonlySet<string> {
  const { kind, applied, plain } = input;
  if (kind.variants === undefined) return new Set();
  const desired = unmasked(input.desired, plain?.desired);
  const live = unmasked(input.live, plain?.live);
  const choosing: Record<string, Json> = {};
  for (const { by } of kind.variants) {
    const names = typeof by === "string" ? [by] : by;
    const source = names.some((name) => desired[name] !== undefined && !isLeft(input, name)) ? desired : live;
    const dropped = source === live && names.some((name) => applied[name] !== undefined && !isLeft(input, name));
    for (const name of names) {
      const value = source[name];
      if (value !== undefined && !(dropped && typeof by === "string")) choosing[name] = value;
    }
  }
  return inactiveFields(kind.variants, choosing);
}

/** An applied value of a variant that is no longer active is cleared; one under `ignore` remains as it was applied. */
function clearInactive(input: DiffInput, name: string): Verdict {
  const { kind, applied, live, plain } = input;
  if (isLeft(input, name) && applied[name] !== undefined) return { applied: applied[name] };
  if (applied[name] === undefined || live[name] === undefined || kind.fields[name]?.separateRequest) return {};
  // A secret is never read: when the variant is inactive at the service too, it was cleared with it.
  if (kind.fields[name]?.secret && inactiveFields(kind.variants, unmasked(live, plain?.live)).has(name)) return {};
  return { change: { field: name, before: live[name], cause: "change" }, send: null };
}

function compareField(input: DiffInput, name: string): Verdict {
  const field = input.kind.fields[name];
  const desired = input.desired[name];
  const applied = input.applied[name];
  const live = input.live[name] ?? field?.default;
  if (isFilledInAnew(input, name)) {
    const cause = isDriftedAlong(input, name) ? "drift" : "change";
    return { ...clearing({ name, field, live }, cause), ...(desired === null && { applied: null }) };
  }
  if (desired === undefined) return dropField({ name, field, applied, live });
  if (desired === null) return clearField({ name, field, applied, live });
  const isRenewed = isRenewedReference(input, name);
  if (same(desired, live) && !isRenewed) return { applied: desired };
  const cause = same(desired, live) ? "change" : causeOf({ desired, applied, live });
  if (cause === "drift" && isIgnored(input, name)) return { applied: desired };
  const unknown = isRenewed ? { unknown: true as const } : {};
  return {
    change: fieldChange({ name, before: live, after: desired, cause, ...unknown }),
    send: desired,
    applied: desired,
  };
}

/** Drift of a field under `ignore` is accepted, unless the field refers to an object that gets a new id. */
function isIgnored(input: DiffInput, name: string): boolean {
  const value = input.desired[name];
  return input.ignore.includes(name) && value !== undefined && value !== null && !isRenewedReference(input, name);
}

function isRenewedReference({ desired, plain, renewed }: DiffInput, name: string): boolean {
  const value = plain?.desired[name] ?? desired[name];
  return value !== undefined && value !== null && refersTo(value, renewed);
}

interface ComparedField {
  readonly name: string;
  readonly field: Field | undefined;
  readonly applied: Json | undefined;
  readonly live: Json | undefined;
}

/** Unset now, set before: back to the documented default, unless someone took it over or there is none. */
function dropField({ name, field, applied, live }: ComparedField): Verdict {
  const standard = field?.default;
  if (applied === null) return {};
  if (!same(applied, live) || standard === undefined) return { released: true };
  if (same(live, standard)) return {};
  return clearing({ name, field, live }, "change");
}

function clearField({ name, field, applied, live }: ComparedField): Verdict {
  if (isCleared({ field, applied, live })) return { applied: null };
  return { ...clearing({ name, field, live }, applied === null ? "drift" : "change"), applied: null };
}

function clearing({ name, field, live }: Omit<ComparedField, "applied">, cause: Cause): Verdict {
  return { change: fieldChange({ name, before: live, after: field?.default, cause }), send: null };
}

/** True of the default, of nothing where there is none, and of what the service fills in where no value was applied. */
function isCleared({ field, applied, live }: Omit<ComparedField, "name">): boolean {
  if (field?.filledIn && (applied ?? null) === null) return true;
  return field?.default === undefined ? isEmptyJson(live) : live === undefined || same(live, field.default);
}

function causeOf(sides: Pick<ComparedField, "applied" | "live"> & { readonly desired: Json }): Cause {
  const { desired, applied, live } = sides;
  if (applied !== undefined && same(applied, desired)) return "drift";
  return applied !== undefined && !same(applied, live) ? "both" : "change";
}

function driftOf(input: DiffInput, name: string): readonly FieldChange[] {
  const field = input.kind.fields[name];
  const applied = input.applied[name];
  const live = input.live[name] ?? field?.default;
  if (field?.sense && isDriftedAlong(input, name))
    return [fieldChange({ name, before: applied ?? undefined, after: live, cause: "drift" })];
  const isAsCleared = applied === null && isCleared({ field, applied, live });
  if (applied === undefined || isAsCleared || same(applied, live)) return [];
  const desired = input.desired[name];
  const cause = desired === undefined || same(desired, applied) ? "drift" : "both";
  if (cause === "drift" && isIgnored(input, name)) return [];
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

/** True where a value refers to one of these addresses. */
export function refersTo(value: Json, addresses: ReadonlySet<string>): boolean {
  return addresses.size > 0 && holdsAddress(value, addresses);
}

function holdsAddress(value: Json, addresses: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const isOne = isObject(value) && typeof value.ref === "string" && addresses.has(value.ref);
  return isOne || Object.values(value).some((item: Json) => holdsAddress(item, addresses));
}
