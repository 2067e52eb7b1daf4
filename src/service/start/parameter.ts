/** Types of scenarios, by what runs them (API 2, Scenario parameters). */
export type ScenarioType =
  | "Code"
  | "AI"
  | "EngineA"
  | "EngineB"
  | "EngineC"
  | "ApiCollection"
  | "HeadlessA"
  | "HeadlessB"
  | "Webdriver"
  | "LegacyBrowser"
  | "Java"
  | "Har";

/** Formats of a parameter's text: `text` as it is, `words` and `numbers` comma-separated, `patterns` regular expressions. */
export type ValueKind = "text" | "whole" | "decimal" | "flag" | "words" | "numbers" | "patterns" | "json";

/** One row of the tables of parameters of POST /start (API 2, Starting a run). */
export interface Parameter {
  /** Name of the form field; `[*]` is any index or key. */
  readonly name: string;
  /** Text when absent. */
  readonly type?: "File" | "File or Text";
  /** `text` when absent. */
  readonly value?: ValueKind;
  readonly from?: number;
  /** Like `from`, itself not a value. */
  readonly above?: number;
  readonly to?: number;
  readonly choices?: readonly string[];
  /** The value when it is not sent. */
  readonly standard?: string;
  /** Types of scenario that it is for; all when absent. */
  readonly of?: readonly ScenarioType[];
  /** Sending it makes the scenario one of this type. */
  readonly defines?: ScenarioType;
  /** Of its value only a digest is kept. */
  readonly secret?: true;
  /** An empty text is a value; otherwise it is as if not sent. */
  readonly mayBeEmpty?: true;
}
