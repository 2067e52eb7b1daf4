import { getOrMake, groupBy, keysOnce } from "../model/group-by.ts";
import type { JsonObject } from "../model/json.ts";
import type { Target } from "../model/target.ts";

/** The format that this version writes and reads. */
export const stateFormat = "loadform-state/1";

/** An address's binding, and its last-applied values (docs/engine.md, State). No truth about the service. */
export interface StateResource {
  readonly kind: string;
  readonly id: number;
  readonly createdAt: string;
  /** Id of the parent object. */
  readonly parent?: number;
  /** The content version: members of an answer that tell whether a text or file has changed (docs/engine.md, Reading). */
  readonly seen?: JsonObject;
  /** Normal form of the fields that the user set; no defaults, texts or secrets. */
  readonly applied: JsonObject;
  /** sha256 of texts and files, by field. */
  readonly content?: Readonly<Record<string, string>>;
  /** Fingerprints of sensitive values, by dotted path. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly protect?: boolean;
  readonly ignore?: readonly string[];
}

export interface State {
  readonly format: typeof stateFormat;
  /** Raised at every write. */
  readonly serial: number;
  /** Random, made once. */
  readonly lineage: string;
  readonly project: string;
  readonly environment?: string;
  readonly target?: Target;
  /** Salt of the secret fingerprints, in hex. */
  readonly salt: string;
  readonly resources: Readonly<Record<string, StateResource>>;
  /** Open intents of a run that stores its state remotely. */
  readonly pending: readonly Intent[];
}

/** The state of a project that never applied anything. `random` gives bytes as hex. */
export function newState(project: string, environment: string | undefined, random: (bytes: number) => string): State {
  return {
    format: stateFormat,
    serial: 0,
    lineage: random(16),
    project,
    ...(environment === undefined ? {} : { environment }),
    salt: random(16),
    resources: {},
    pending: [],
  };
}

/** A state as the next one to write: its serial is above its own and that of the former one. */
export function raised(state: State, former: Pick<State, "serial"> | undefined): State {
  return { ...state, serial: Math.max(state.serial, former?.serial ?? 0) + 1 };
}

/** A create or pause that a run is about to do, recorded so that a later run can end it (docs/engine.md, Journal and recovery). */
export type Intent = CreateIntent | PauseIntent;

/** A pending create: it is about to be sent, or was sent and is unresolved. */
export interface CreateIntent {
  readonly address: string;
  readonly kind: string;
  /** Address of the parent, when the kind has one. */
  readonly parent?: string;
  /** Ids of that kind under that parent before; none of them is the lost create. */
  readonly preIds: readonly number[];
  /** Name that was sent, for kinds that have one. */
  readonly name?: string;
  /** The scope in which its name is unique, as declared: `{ ref }` or `{ id }`; for kinds whose natural key has that. */
  readonly within?: JsonObject;
  /** Fields that were sent, apart from the name; no references, texts as their hashes, no secrets but that there is one. */
  readonly sent?: JsonObject;
  /** When the object was created, as the answer said; absent until there is one. */
  readonly createdAt?: string;
  /** When it was sent, or when its run was last known to be sending it; epoch milliseconds of this machine. */
  readonly t: number;
  /** When it was sent, once `t` is later. */
  readonly since?: number;
  /** Milliseconds after which its request is given up, where these are more than usual. */
  readonly timeoutMs?: number;
}

/** An object that is paused while the objects that it runs change; it is to be resumed, by a later run if need be. */
export interface PauseIntent {
  readonly op: "pause";
  readonly address: string;
  readonly kind: string;
  readonly id: number;
  readonly t: number;
  readonly since?: number;
}

export function isPause(intent: Intent): intent is PauseIntent {
  return "op" in intent;
}

/** An intent under new addresses. */
export function movedIntent(intent: Intent, newAddress: (address: string) => string): Intent {
  const address = newAddress(intent.address);
  if (isPause(intent)) return { ...intent, address };
  const { parent, within } = intent;
  const scope = typeof within?.["ref"] === "string" ? { ref: newAddress(within["ref"]) } : within;
  return {
    ...intent,
    address,
    ...(parent !== undefined && { parent: newAddress(parent) }),
    ...(scope && { within: scope }),
  };
}

/** Renews `t`, from which recovery counts its wait, while the run is active; `since` remains the time when it was sent first. */
export function renewIntent<T extends Intent>(intent: T, now: number): T {
  return now <= intent.t ? intent : { ...intent, t: now, since: intent.since ?? intent.t };
}

/** Identifies an open intent: an address may be paused and have a pending create too. */
export function intentKey(intent: Intent): string {
  return isPause(intent) ? pauseKey(intent.address) : intent.address;
}

export function pauseKey(address: string): string {
  return `pause ${address}`;
}

/** Ids of objects by the names of their kinds. */
export type IdsByKind = Readonly<Record<string, readonly number[]>>;

const kindLists = new WeakMap<State["resources"], ReadonlyMap<string, readonly StateResource[]>>();

/** All bindings by the names of their kinds, grouped once. */
export function boundByKind({ resources }: State): ReadonlyMap<string, readonly StateResource[]> {
  const all = () => keysOnce(resources).flatMap((address) => resources[address] ?? []);
  return getOrMake(kindLists, resources, () => groupBy(all(), ({ kind }) => kind));
}
