import type { JsonObject } from "../model/json.ts";
import type { Target } from "../model/target.ts";
import type { StateResource } from "../state/state.ts";

/** The format that this version writes and reads. */
export const snapshotFormat = "loadform-snapshot/1";

/** The live tree and the bindings at one moment, for plans without a key: without secrets, salt and fingerprints. */
export interface Snapshot {
  readonly format: typeof snapshotFormat;
  readonly project: string;
  readonly environment?: string;
  /** The address of the service is without a password. */
  readonly target: Target;
  /** The organization as the project names it; absent where it does not. */
  readonly organization?: number | string;
  readonly lineage: string;
  readonly serial: number;
  /** ISO 8601. */
  readonly takenAt: string;
  /** Bound objects by address. */
  readonly bound: Readonly<Record<string, BoundObject>>;
  /** Everybody else's. */
  readonly others: readonly OtherObject[];
  /** Texts by hash; only those of bound objects, without any that has a secret in it. */
  readonly contents?: Readonly<Record<string, string>>;
}

/** A binding with its live object. Hidden values are marks. */
export interface BoundObject extends Omit<StateResource, "seen" | "secrets"> {
  /** Dotted paths whose values come from the environment, or are secrets. */
  readonly hidden?: readonly string[];
  /**
   * By dotted path, the hashes of what the project's files say of hidden values, `${env:…}` and all; "" where that was not what was
   * last applied. A path is absent where the files spell the secret out.
   */
  readonly sources?: Readonly<Record<string, string>>;
  /** Absent when it was deleted outside. */
  readonly live?: LiveObject;
}

/** A live object as a plan compares it. */
export interface LiveObject {
  /** Live handle of the parent. */
  readonly parent?: string;
  readonly fields: JsonObject;
  readonly facts?: JsonObject;
  readonly offers?: readonly string[];
  readonly deactivatedOffers?: readonly string[];
}

/**
 * An object that is not bound. Besides what identifies it, it has what decides whether a plan equals the live one, and none of
 * its settings: the references by which an object that is deleted is in use, the regions that it offers, and a few facts.
 */
export interface OtherObject {
  readonly kind: string;
  readonly id: number;
  readonly createdAt: string;
  readonly parent?: string;
  /** Absent where it would give a secret away. */
  readonly name?: string;
  /** Ids and names that lead to other objects, at their places in its fields. */
  readonly references?: JsonObject;
  /** That it is public, read-only or deactivated. */
  readonly facts?: JsonObject;
  readonly offers?: readonly string[];
  readonly deactivatedOffers?: readonly string[];
}
