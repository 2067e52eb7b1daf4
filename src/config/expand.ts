import type { Diagnostic, Position } from "../model/diagnostic.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { withHint } from "./describe-value.ts";
import type { FileContents } from "./read-files.ts";

/** A variable's value; undefined when it has none, which is reported where it is declared. */
export interface VariableValue {
  readonly value: Json | undefined;
  readonly sensitive: boolean;
  /** What it was made of, with nothing of `${env:…}` replaced. */
  readonly source: Json;
}

/** Where `${…}` gets its values from. */
export interface Scope {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly variable: (name: string) => VariableValue | undefined;
  readonly variableNames: readonly string[];
  readonly files: FileContents;
  readonly unsetEnv: "error" | "warning";
}

/** What went wrong in one scalar. */
export type ExpandProblem = Omit<Diagnostic, "address" | keyof Position>;

/** A scalar with everything replaced. */
export interface Expanded {
  readonly value: Json | Uint8Array;
  /** Something in it came from `${env:…}`. */
  readonly sensitive: boolean;
  readonly problems: readonly ExpandProblem[];
}

/** Stands where an environment variable was not set, so that nothing takes it for a value. */
export interface UnsetMark extends JsonObject {
  readonly $unset: string;
}

/** Everything that is replaced in a text, and the escape. */
export const expression = /\$\$\{|\$\{(env|file|var):([^}]*)\}/g;

/** Whether a text may hold something to replace; a cheap test that is sometimes wrongly true. */
export function mayExpand(text: string): boolean {
  return text.includes("${");
}

/**
 * Replaces `${env:…}`, `${file:…}`, `${var:…}` and the escape `$${`; any other `${…}` is left alone. One whole `${var:…}` keeps the variable's type, one whole `${file:…}` is bytes when `asBytes`.
 */
export function expandText(text: string, scope: Scope, asBytes = false): Expanded {
  const matches = [...text.matchAll(expression)];
  const [only] = matches;
  if (only === undefined) return { value: text, sensitive: false, problems: [] };
  if (matches.length === 1 && only[0].length === text.length && only[1] !== undefined)
    return resolve(only[1], only[2] ?? "", scope, asBytes);
  return interpolate(text, matches, scope);
}

/** A text that several others are put into, and these again, doubles with each step. */
export const longestText = 10_000_000;

function interpolate(text: string, matches: readonly RegExpExecArray[], scope: Scope): Expanded {
  const problems: ExpandProblem[] = [];
  let unset: Json | undefined;
  let sensitive = false;
  let [result, from] = ["", 0];
  for (const match of matches) {
    result += text.slice(from, match.index);
    from = match.index + match[0].length;
    if (match[1] === undefined) result += "${";
    else {
      const part = resolve(match[1], match[2] ?? "", scope, false);
      problems.push(...part.problems);
      sensitive ||= part.sensitive;
      if (isUnset(part.value)) unset ??= part.value;
      else result += typeof part.value === "string" ? part.value : JSON.stringify(part.value);
    }
    if (result.length > longestText) return failed(tooLong);
  }
  return { value: unset ?? result + text.slice(from), sensitive, problems };
}

const tooLong: ExpandProblem = {
  severity: "error",
  code: "LF1104",
  summary: "a text grows too long",
  detail: `found more than ${longestText} characters after replacing \${…}; expected less: put long texts into files, one \${file:…} each`,
};

function resolve(source: string, name: string, scope: Scope, asBytes: boolean): Expanded {
  if (source === "env") return fromEnvironment(name, scope);
  if (source === "var") return fromVariable(name, scope);
  return fromFile(name, scope, asBytes);
}

function fromEnvironment(name: string, { env, unsetEnv }: Scope): Expanded {
  const value = env[name];
  if (value !== undefined) return { value, sensitive: true, problems: [] };
  const detail = `found no environment variable ${name}; expected one: set it before the command runs`;
  const problem: ExpandProblem = { severity: unsetEnv, code: "LF1303", summary: `$${name} is not set`, detail };
  return { value: { $unset: name }, sensitive: true, problems: [problem] };
}

function fromVariable(name: string, { variable, variableNames }: Scope): Expanded {
  const found = variable(name);
  if (found) return { value: found.value ?? { $unset: name }, sensitive: found.sensitive, problems: [] };
  const detail = `found \${var:${name}}; expected a name declared under variables`;
  const problem = { severity: "error", code: "LF1302", summary: `unknown variable ${name}` } as const;
  return failed({ ...problem, detail: withHint(detail, didYouMean(name, variableNames)) });
}

function fromFile(path: string, { files }: Scope, asBytes: boolean): Expanded {
  const content = files.get(path);
  if (content === undefined || content.bytes === undefined) {
    const detail = content?.failure ?? `found \${file:${path}}; expected a file of the project`;
    return failed({ severity: "error", code: "LF1002", summary: `file ${path} cannot be read`, detail });
  }
  if (asBytes) return { value: content.bytes, sensitive: false, problems: [] };
  const text = content.text();
  if (text !== undefined) return { value: text, sensitive: false, problems: [] };
  const detail = "found bytes that are no UTF-8; expected text (data stores take any bytes)";
  return failed({ severity: "error", code: "LF1002", summary: `file ${path} is no text`, detail });
}

function failed(problem: ExpandProblem): Expanded {
  return { value: { $unset: "" }, sensitive: false, problems: [problem] };
}

/** Whether a value stands for one that is not there. */
export function isUnset(value: unknown): value is UnsetMark {
  return typeof value === "object" && value !== null && "$unset" in value;
}
