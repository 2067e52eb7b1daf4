import { isContentMark, isSecretMark, type SecretFingerprint } from "../model/fingerprint.ts";
import { isObject, type Json, type JsonObject, sameJson, valueAt, withValueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { hiddenMembers } from "../model/normal-form.ts";

/** The three sides of one object (docs/engine.md, Diff), with sensitive values as marks. */
export interface DiffSides {
  readonly desired: JsonObject;
  readonly applied: JsonObject;
  readonly live: JsonObject;
}

/** Fields with their masked values in plain: for what chooses a variant and for references, not to be shown. */
export function unmasked(fields: JsonObject, plain: JsonObject = {}): JsonObject {
  if (!Object.values(fields).some(isSecretMark)) return fields;
  const entries = Object.entries(fields).map(([name, value]): [string, Json] => [
    name,
    isSecretMark(value) ? (plain[name] ?? value) : value,
  ]);
  return Object.fromEntries(entries);
}

export interface MaskInput extends DiffSides {
  readonly kind: AnyKind;
  /** Dotted paths that are sensitive now. */
  readonly sensitive: readonly string[];
  /** Fingerprints of the last-applied secrets, by dotted path. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly fingerprint: SecretFingerprint;
}

/** Paths of values that the service hides whatever the project says of them: somebody encrypted the parameter. */
export function hiddenPaths(kind: AnyKind, { desired, live }: Pick<DiffSides, "desired" | "live">): readonly string[] {
  const declared = hiddenMembers(kind, live).filter((path) => isValue(valueAt(desired, path)));
  // Paths are dotted, so a key with a dot in it hides the whole field, and with it the others.
  const whole = new Set(declared.flatMap(([name, key]) => (key.includes(".") ? [name] : [])));
  return [...whole, ...declared.flatMap(([name, key]) => (whole.has(name) ? [] : [`${name}.${key}`]))];
}

/** Puts a mark in the place of every sensitive value, the same mark for the same value, so that the diff never sees one. */
export function maskSecrets(input: MaskInput): DiffSides {
  const paths = new Set([...input.sensitive, ...Object.keys(input.secrets)]);
  let sides: DiffSides = { desired: input.desired, applied: input.applied, live: input.live };
  for (const dotted of paths) sides = maskPath(input, sides, dotted);
  return sides;
}

function maskPath(input: MaskInput, sides: DiffSides, dotted: string): DiffSides {
  const path = dotted.split(".");
  const desired = valueAt(sides.desired, path);
  const known = input.secrets[dotted];
  const mark = (each: Json): JsonObject => ({ $secret: input.fingerprint(input.kind.name, dotted, withHashes(each)) });
  const marked = (fields: JsonObject, value: Json | undefined) =>
    isValue(value) ? withValueAt(fields, path, mark(value)) : fields;
  const withKnown = known === undefined ? sides.applied : withValueAt(sides.applied, path, { $secret: known });
  const isSecret = input.sensitive.includes(dotted);
  // No longer a secret: the project declares the live value openly, so it can be compared openly.
  if (!isSecret && isShownAs(input, path, desired)) {
    const isAsApplied = known === mark(desired).$secret;
    return { ...sides, applied: isAsApplied ? withValueAt(sides.applied, path, desired) : withKnown };
  }
  const isNewSecret = isSecret && known === undefined;
  const applied = isNewSecret ? marked(sides.applied, valueAt(sides.applied, path)) : withKnown;
  return {
    desired: isSecret ? marked(sides.desired, desired) : sides.desired,
    applied,
    live: maskLive(input, { ...sides, applied }, dotted),
  };
}

/** A value that the service does not show counts as last applied; one that it shows becomes a mark too. */
function maskLive(input: MaskInput, { live, desired, applied }: DiffSides, dotted: string): JsonObject {
  const path = dotted.split(".");
  const before = valueAt(applied, path) ?? null;
  const known = isSecretMark(before) ? before : undefined;
  const shown = valueAt(live, path);
  if (isWriteOnly(input.kind, live, path)) {
    if (known !== undefined) return withValueAt(live, path, known);
    // A hidden value is no change of it: after an import the applied value is unknown.
    return isValue(valueAt(desired, path)) && shown === null ? withValueAt(live, path, undefined) : live;
  }
  if (shown === undefined || shown === null) return live;
  // A secret within it, which the service hides, is as it was last applied.
  const [open, declared] = [openParts(input.kind, live), valueAt(desired, path)];
  const isHidden = known !== undefined && declared !== undefined && !sameJson(open(declared, path), declared);
  if (isHidden && sameJson(open(declared, path), open(shown, path))) return withValueAt(live, path, known);
  return withValueAt(live, path, { $secret: input.fingerprint(input.kind.name, dotted, withHashes(shown)) });
}

/** Makes values without the parts that the service hides. */
function openParts(kind: AnyKind, live: JsonObject) {
  return function open(value: Json, path: readonly string[]): Json {
    if (!isObject(value) || isContentMark(value)) return value;
    const shown = Object.entries(value).filter(([name]) => !isWriteOnly(kind, live, [...path, name]));
    return Object.fromEntries(shown.map(([name, each]) => [name, open(each, [...path, name])]));
  };
}

function isValue(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}

function isShownAs({ kind, live }: MaskInput, path: readonly string[], desired: Json | undefined): desired is Json {
  const shown = valueAt(live, path);
  return (
    isValue(desired) &&
    isValue(shown) &&
    !isWriteOnly(kind, live, path) &&
    sameJson(withHashes(desired), withHashes(shown))
  );
}

/** A text or file counts by its hash alone. */
function withHashes(value: Json): Json {
  return isContentMark(value) ? value.$content : value;
}

/** True where the service never answers the value at a path of an object that it shows. */
export function isWriteOnly(kind: AnyKind, live: JsonObject, path: readonly string[]): boolean {
  const [name = "", key = ""] = path;
  const field = kind.fields[name];
  if (field?.secret) return true;
  if (field?.secretKeys?.includes(key)) return true;
  if (path.length === 2 && valueAt(live, path) === null) return true;
  const entry = valueAt(live, [name, key]);
  return path.length === 3 && isObject(entry) && entry["encrypted"] === true;
}
