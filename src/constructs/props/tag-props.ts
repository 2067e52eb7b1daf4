// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Expression } from "../expressions.ts";

/** A tag: a label of test results. It is pending until a scenario or a run carries it. */
export interface TagProps {
  /** The label, unique in the organization. Cannot be renamed. Default: the key. */
  readonly name?: string | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly "name"[] | null;
}
