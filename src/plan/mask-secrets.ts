import type { SecretFingerprint } from "../model/fingerprint.ts";
import { isContentMark } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject, valueAt, withValueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";

/** The three sides of one object (engine.md 2.11), with sensitive values as marks. */
export interface Sides {
  readonly desired: JsonObject;
  readonly applied: JsonObject;
  readonly live: JsonObject;
}

/** What masking needs to know of one object. */
export interface MaskInput extends Sides {
  readonly kind: AnyKind;
  /** Dotted paths that are sensitive now. */
  readonly sensitive: readonly string[];
  /** Fingerprints of what was applied last, by dotted path. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly fingerprint: SecretFingerprint;
}

/** Puts a mark in the place of every sensitive value, the same mark for the same value, so that the diff never sees one. */
export function maskSecrets(input: MaskInput): Sides {
  const { kind, secrets, fingerprint } = input;
  const paths = new Set([...input.sensitive, ...Object.keys(secrets)]);
  let { desired, applied, live } = input;
  for (const dotted of paths) {
    const path = dotted.split(".");
    const wished = valueAt(desired, path);
    const known = secrets[dotted];
    const isSecret = input.sensitive.includes(dotted) && wished !== undefined && wished !== null;
    if (isSecret) desired = withValueAt(desired, path, { $secret: fingerprint(kind.name, dotted, plain(wished)) });
    if (known !== undefined) applied = withValueAt(applied, path, { $secret: known });
    live = maskLive(input, { live, path, dotted, ...(known === undefined ? {} : { known }) });
  }
  return { desired, applied, live };
}

interface LivePath {
  readonly live: JsonObject;
  readonly path: readonly string[];
  readonly dotted: string;
  readonly known?: string;
}

/** What the service does not show stands as it was last applied; what it shows becomes a mark too. */
function maskLive(input: MaskInput, { live, path, dotted, known }: LivePath): JsonObject {
  const shown = valueAt(live, path);
  if (isWriteOnly(input.kind, live, path))
    return known === undefined ? live : withValueAt(live, path, { $secret: known });
  if (shown === undefined || shown === null) return live;
  return withValueAt(live, path, { $secret: input.fingerprint(input.kind.name, dotted, plain(shown)) });
}

/** A text or file counts by its hash alone. */
function plain(value: Json): Json {
  return isContentMark(value) ? value.$content : value;
}

/** Whether the service never answers the value at a path of an object that it shows. */
export function isWriteOnly(kind: AnyKind, live: JsonObject, path: readonly string[]): boolean {
  const [name = "", key = ""] = path;
  const field = kind.fields[name];
  if (field?.secret) return true;
  if (field?.secretKeys?.includes(key)) return true;
  if (path.length === 2 && valueAt(live, path) === null) return true;
  const entry = valueAt(live, [name, key]);
  return path.length === 3 && isObject(entry) && entry["encrypted"] === true;
}
