// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Expression } from "../expressions.ts";

/** A gateway: the proxy in front of a site through which traffic is recorded into a scenario. */
export interface GatewayProps {
  /** Name of the gateway. Default: the key. */
  readonly name?: string | null;
  /** Base URL of the site behind the gateway. Cannot change in place: a change replaces the gateway and its recordings. */
  readonly url: string;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly ("name" | "url")[] | null;
}
