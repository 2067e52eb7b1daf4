// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Expression } from "../expressions.ts";

/** A test case: the scenarios, configurations, gateways and data of one load test. */
export interface TestCaseProps {
  /** Name of the test case, unique within the account. Default: the key. */
  readonly name?: string | null;
  /** What the test case is for, in Markdown. */
  readonly description?: string | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** What happens to objects under this one that the project does not declare. Default: "keep". */
  readonly unmanaged?: "keep" | "delete" | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly ("name" | "description")[] | null;
}
