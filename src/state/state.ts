import type { JsonObject } from "../model/json.ts";
import type { Intent } from "./journal.ts";

/** The format that this version writes and reads. */
export const stateFormat = "loadform-state/1";

/** What one address is bound to, and what was applied last (docs/engine.md, State). No truth about the service. */
export interface StateResource {
  readonly kind: string;
  readonly id: number;
  readonly createdAt: string;
  /** Id of the parent object. */
  readonly parent?: number;
  /** Inputs that say whether a text or file has moved (docs/engine.md, Reading). */
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

/** Which service and organization a state belongs to. */
export interface Target {
  readonly url: string;
  readonly organization: number;
}

/** What we created, and its ids. */
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
  /** Creates sent by a run that stores its state remotely and has not said how they ended. */
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
