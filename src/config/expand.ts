import { posix } from "node:path";
import { type Diagnostic, type DocumentPath, errorOf, type Position } from "../model/diagnostic.ts";
import { hinted, meaning } from "../model/did-you-mean.ts";
import type { Field } from "../model/field.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { normalNumber } from "../model/normal-form.ts";
import type { Report } from "./collect-problems.ts";
import type { FileContents } from "./read-files.ts";

/** A variable's value; undefined when it has none, which is reported where it is declared. */
export interface VariableValue {
  readonly value: Json | undefined;
  readonly sensitive: boolean;
  /** The text it was made of, with nothing of `${env:…}` replaced. */
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

export type ExpandProblem = Omit<Diagnostic, "address" | keyof Position>;

/** A scalar with everything replaced. */
export interface Expanded {
  readonly value: Json | Uint8Array;
  /** Something in it is from `${env:…}`. */
  readonly sensitive: boolean;
  readonly problems: readonly ExpandProblem[];
  /** An expression of another spelling, which remained. */
  readonly misspelt?: Misspelt | undefined;
}

/** A near miss of an expression, and the expression that was probably meant. */
interface Misspelt {
  readonly found: string;
  readonly meant: string;
}

/** In the place of an environment variable that is not set, so that nothing takes it for a value. */
export interface UnsetMark extends JsonObject {
  readonly $unset: string;
}

/** Everything that is replaced in a text, and the escape. */
export const expression = /\$\$\{|\$\{(env|file|var):([^}]*)\}/g;

/** A cheap test for expressions that is sometimes wrongly true. */
export function mayExpand(text: string): boolean {
  return text.includes("${");
}

/**
 * Replaces `${env:…}`, `${file:…}`, `${var:…}` and the escape `$${`; any other `${…}` remains. One whole `${var:…}` keeps the variable's type, one whole `${file:…}` is bytes when `asBytes`.
 */
export function expandText(text: string, scope: Scope, asBytes = false): Expanded {
  const matches = [...text.matchAll(expression)];
  const [only] = matches;
  const [found, source, name] = /(?<!\$)\$\{(env|file|var)(?:s:|\.)([\w./-]+)\}/.exec(text) ?? [];
  const misspelt = found === undefined ? undefined : { found, meant: `\${${source}:${name}}` };
  if (only === undefined) return { value: text, sensitive: false, problems: [], misspelt };
  if (matches.length === 1 && only[0].length === text.length && only[1] !== undefined)
    return resolve(only[1], only[2] ?? "", scope, asBytes);
  return { ...interpolate(text, matches, scope), misspelt };
}

/** The doubt about a text that is sent as it is although it looks like something else. */
export function takenAsText(found: string, meant: string): ExpandProblem {
  const hint = meaning("It is sent to the service as it is written here", { found, instead: meant });
  return { severity: "warning", code: "LF1204", summary: `${found} is taken as the text itself`, ...hint };
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
    if (result.length > longestText) return unexpanded(tooLong);
  }
  return { value: unset ?? result + text.slice(from), sensitive, problems };
}

const tooLong: ExpandProblem = errorOf(
  "LF1104",
  "a text grows too long",
  `With \${…} replaced it has more than ${longestText} characters. Put long texts into files, one \${file:…} each`,
);

function resolve(source: string, name: string, scope: Scope, asBytes: boolean): Expanded {
  if (source === "env") return fromEnvironment(name, scope);
  if (source === "var") return fromVariable(name, scope);
  return fromFile(name, scope, asBytes);
}

function fromEnvironment(name: string, { env, unsetEnv }: Scope): Expanded {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value !== undefined) return { value, sensitive: true, problems: [] };
  const detail = `Set the environment variable ${name} before the command runs`;
  const problem: ExpandProblem = { severity: unsetEnv, code: "LF1303", summary: `$${name} is not set`, detail };
  return { value: { $unset: name }, sensitive: true, problems: [problem] };
}

function fromVariable(name: string, { variable, variableNames }: Scope): Expanded {
  const found = variable(name);
  if (found) return { value: found.value ?? { $unset: name }, sensitive: found.sensitive, problems: [] };
  const detail = `No variable ${name} is declared under variables`;
  const problem = { severity: "error", code: "LF1302", summary: `unknown variable ${name}` } as const;
  return unexpanded({ ...problem, ...hinted(detail, { found: name, among: variableNames }) });
}

function fromFile(path: string, { files }: Scope, asBytes: boolean): Expanded {
  const content = files.get(path);
  if (content === undefined || content.bytes === undefined) {
    const failure = content?.failure ?? { detail: `\${file:${path}} does not lead to a file of the project` };
    const summary = `file ${posix.normalize(path)} cannot be read`;
    return unexpanded({ severity: "error", code: "LF1002", summary, ...failure });
  }
  if (asBytes) return { value: content.bytes, sensitive: false, problems: [] };
  const text = content.text();
  if (text !== undefined) return { value: text, sensitive: false, problems: [] };
  const detail = "Its bytes are not UTF-8 text. Only data stores take any bytes";
  return unexpanded({ severity: "error", code: "LF1002", summary: `file ${path} is not text`, detail });
}

function unexpanded(problem: ExpandProblem): Expanded {
  return { value: { $unset: "" }, sensitive: false, problems: [problem] };
}

export function isUnset(value: unknown): value is UnsetMark {
  return typeof value === "object" && value !== null && "$unset" in value;
}

/** A field's value with everything replaced. */
export interface ExpandedField {
  readonly value: Json;
  /** The single values from `${env:…}`, or from a file where the field is secret. */
  readonly secrets: readonly Json[];
}

/** False for most values: nothing in them has to be replaced. */
export function needsExpansion(value: Json): boolean {
  if (typeof value === "string") return mayExpand(value);
  if (Array.isArray(value)) return value.some(needsExpansion);
  if (!isObject(value)) return false;
  for (const name in value) {
    const member = value[name];
    if (member !== undefined && needsExpansion(member)) return true;
  }
  return false;
}

interface ExpandWalk {
  readonly scope: Scope;
  readonly report: Report;
  readonly secrets: Json[];
}

/** Replaces in every scalar of a value; what replaced a whole scalar takes the type that its field has. */
export function expandField(
  field: Field | undefined,
  value: Json,
  context: { readonly scope: Scope; readonly report: Report; readonly path: DocumentPath },
): ExpandedField {
  const walk: ExpandWalk = { scope: context.scope, report: context.report, secrets: [] };
  return { value: expand(field, value, context.path, walk), secrets: walk.secrets };
}

function expand(field: Field | undefined, value: Json, path: DocumentPath, walk: ExpandWalk): Json {
  if (typeof value === "string") return mayExpand(value) ? expandScalar(field, value, path, walk) : value;
  if (Array.isArray(value)) return value.map((item: Json, index) => expand(field?.of, item, [...path, index], walk));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [
    name,
    expand(memberField(field, name), member, [...path, name], walk),
  ]);
  return Object.fromEntries(members);
}

function memberField(field: Field | undefined, name: string): Field | undefined {
  if (field?.type === "object") return field.fields?.[name];
  const of = field?.of;
  return of && field?.secretKeys?.includes(name) ? { ...of, secret: true } : of;
}

function expandScalar(field: Field | undefined, text: string, path: DocumentPath, walk: ExpandWalk): Json {
  const { value, sensitive, problems, misspelt } = expandText(text, walk.scope);
  // Of a secret nothing is repeated; that it is written out is said elsewhere.
  const doubts = misspelt && !field?.secret ? [takenAsText(misspelt.found, misspelt.meant)] : [];
  for (const problem of [...problems, ...doubts]) walk.report({ ...problem, place: { path, at: "value" } });
  // A list that may be written as its only element takes one value for that.
  const plain = ofType(field?.alsoOne ? field.of : field, value as Json);
  const kept = field?.secret && plain === "" ? emptySecret(text, path, walk) : plain;
  if (sensitive || field?.secret) walk.secrets.push(kept);
  return kept;
}

/** A pipeline gives the name of a secret that it does not have an empty value; sent, it would wipe the real one. */
function emptySecret(text: string, path: DocumentPath, { scope, report }: ExpandWalk): UnsetMark {
  const detail = `Set the secret before the command runs. To clear it at the service, write null in its place`;
  const problem = { severity: scope.unsetEnv, code: "LF1303", summary: `${text} is empty`, detail } as const;
  report({ ...problem, place: { path, at: "value" } });
  return { $unset: text };
}

function ofType(field: Field | undefined, value: Json): Json {
  if (field === undefined) return value;
  // A secret in a file of one line is that line; files of several lines (keys) remain as they are.
  if (field.secret && typeof value === "string") return value.replace(/^([^\r\n]*)\r?\n$/, "$1");
  if (field.type === "boolean") return value === "true" ? true : value === "false" ? false : value;
  if (field.type === "integer" || field.type === "number") return normalNumber(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}
