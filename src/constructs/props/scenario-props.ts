// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Declared } from "../declared.ts";
import type { Expression } from "../expressions.ts";

/** One parameter that the script takes. */
interface ScenarioParamsConfigItem {
  /** Name of the parameter. */
  readonly name: string;
  /** Whether a run must set it. Default: false. */
  readonly required?: boolean | Expression | null;
  /** Value when a run sets none; write-only when encrypted. */
  readonly defaultValue?: string | number | boolean | null;
  /** Whether its values are secret. Default: false. */
  readonly encrypted?: boolean | Expression | null;
}

/** A scenario: the script that each virtual user runs. */
export interface ScenarioProps {
  /** Name of the scenario. Default: the key. */
  readonly name?: string | null;
  /** The script's text, run once per iteration. Usually a file. */
  readonly script: string;
  /** Script run once at the start. */
  readonly init?: string | null;
  /** Script run once at the end. */
  readonly teardown?: string | null;
  /** Type of the script; Code is a Node.js script. Default: "Code". */
  readonly scriptType?: string | null;
  /** Language of a Code script. Default: "javascript". */
  readonly language?: "javascript" | "typescript" | Expression | null;
  /** Node.js version of a Code script. Default: "latest". */
  readonly nodeVersion?: "14" | "18" | "22" | "latest" | Expression | null;
  /** Parameters that the script takes. */
  readonly paramsConfig?: readonly ScenarioParamsConfigItem[] | null;
  /** Tags that label the results of runs. */
  readonly tags?: readonly (Declared<"tag"> | string)[] | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?:
    | readonly (
        | "name"
        | "script"
        | "init"
        | "teardown"
        | "scriptType"
        | "language"
        | "nodeVersion"
        | "paramsConfig"
        | "tags"
      )[]
    | null;
}
