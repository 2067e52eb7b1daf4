// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Declared } from "../declared.ts";
import type { Expression } from "../expressions.ts";

/** A region of a private grid of test runners. Destroying it deactivates it; declaring it again re-activates it. */
export interface RegionProps {
  /** Name of the region, unique in its grid. Cannot change in place. Default: the key. */
  readonly name?: string | null;
  /** Where it is, what it is for. */
  readonly description?: string | null;
  /** The private grid (a Shared provider) that it belongs to. Cannot change in place. */
  readonly provider?: Declared<"provider"> | string | { readonly id: number } | { readonly name: string } | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly ("name" | "description" | "provider")[] | null;
}
