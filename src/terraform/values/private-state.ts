import { isContentMark } from "../../model/fingerprint.ts";
import { isObject, itemsOf, type Json, type JsonObject } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import type { PrivateBytes } from "../provider-session.ts";
import type { LiveObject } from "./live-object.ts";

/**
 * The data stored beside a state, hidden from users: hashes that tell whether a text is still the one in the state.
 * Nothing of a secret.
 */
export interface PrivateState {
  /** The content version of the last read or write. */
  readonly seen?: JsonObject;
  /** Hashes of the texts and files when they were stored. */
  readonly content?: Readonly<Record<string, string>>;
  /** Values that may be secret are in the state since an import: where the configuration says nothing of them, they remain. */
  readonly imported?: true;
  /** Paths of encrypted parameters that an import could not read: until they are declared, they are no drift. */
  readonly unread?: readonly (readonly string[])[];
}

/** The part of it that says which values of the service count. */
export type ImportMarks = Pick<PrivateState, "imported" | "unread">;

const version = 1;

/** The bytes of it. */
export function writePrivate(state: PrivateState): PrivateBytes {
  return Buffer.from(JSON.stringify({ v: version, ...state }));
}

/** The stored data; empty after an import, or when another version or damaged bytes are found: then texts are read anew. */
export function readPrivate(bytes: PrivateBytes): PrivateState {
  const value = parseBytes(bytes);
  if (!isObject(value) || value["v"] !== version) return {};
  const { seen, content, imported, unread } = value;
  const marks: ImportMarks = {
    ...(imported === true && { imported }),
    ...(Array.isArray(unread) && { unread: unread.map((path) => itemsOf(path).map(String)) }),
  };
  if (!isObject(seen) || !isObject(content)) return marks;
  const hashes = Object.entries(content).map(([field, hash]) => [field, String(hash)]);
  return { seen, content: Object.fromEntries(hashes), ...marks };
}

/** The private state of an object whose texts are those in its fields. */
export function privateOf(kind: AnyKind, { fields, contentVersion }: LiveObject): PrivateState {
  const hashes = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    kind.fields[name]?.content && isContentMark(value) ? [[name, value.$content]] : [],
  );
  const isWhole = contentVersion && kind.contentVersion?.every((member) => contentVersion[member] !== undefined);
  return isWhole && hashes.length > 0 ? { seen: contentVersion, content: Object.fromEntries(hashes) } : {};
}

function parseBytes(bytes: PrivateBytes): Json {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8")) as Json;
  } catch {
    return null;
  }
}
