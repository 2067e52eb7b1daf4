// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Expression } from "../expressions.ts";

/** A data store: a file, mostly CSV, whose rows a scenario reads. Bytes are kept exactly. */
export interface DataStoreProps {
  /** File name; its extension decides the type. Unique within the scenario. Default: the key. */
  readonly name?: string | null;
  /** The file's contents. Usually a file of the project, read as bytes. */
  readonly contents: string;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly ("name" | "contents")[] | null;
}
