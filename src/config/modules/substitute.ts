import { posix } from "node:path";
import type { DocumentPath } from "../../model/diagnostic.ts";
import { isObject, type Json } from "../../model/json.ts";
import { type ExpandProblem, isUnset, mayExpand, takenAsText } from "../expand.ts";
import { type Parameters, unknownParameter } from "./parameters.ts";

/** The values that a module's document is filled with in one instance. */
export interface Substitution {
  readonly parameters: Parameters;
  readonly instance: string;
  /** Takes a problem at a place of the module's document. */
  readonly say: (problem: ExpandProblem, path: DocumentPath, at: "key" | "value") => void;
  /** Takes a key that was made of an expression: the path as it is now, and the key as it is written. */
  readonly renamed: (path: DocumentPath, written: string) => void;
}

/** Expressions of modules, and the escape, which remains for the expansion that follows. */
export const moduleExpression = /\$\$\{|\$\{(param|each):([^}]*)\}/g;

/** A `${file:…}`, with such expressions in it or not. */
const fileExpression = /(?<!\$)\$\{file:((?:\$\{(?:param|each):[^}]*\}|[^}])*)\}/g;

const misspelling = /(?<!\$)\$\{(?:params?[:.]([\w-]+)|each[:.]?(?:key)?|instance)\}/;

/** A value of a module with `${param:NAME}` and `${each:key}` replaced, in keys too; one whole expression keeps its type. */
export function substitute(value: Json, path: DocumentPath, filling: Substitution): Json {
  if (typeof value === "string")
    return mayExpand(value) ? substituteText(value, filling, saidAt(path, filling)) : value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) => substitute(item, [...path, index], filling));
    return items;
  }
  if (!isObject(value)) return value;
  const made: Record<string, Json> = {};
  for (const written in value) {
    const key = substituteKey(written, path, filling);
    if (key === "__proto__") filling.say(noKey(key), [...path, written], "key");
    if (Object.hasOwn(made, key)) filling.say(sameKey(key), [...path, written], "key");
    made[key] = substitute(value[written] ?? null, [...path, key], filling);
  }
  return made;
}

function saidAt(path: DocumentPath, { say }: Substitution): (problem: ExpandProblem) => void {
  return (problem) => say(problem, path, "value");
}

/** A key of a module's mapping with everything replaced. */
export function substituteKey(written: string, path: DocumentPath, filling: Substitution): string {
  if (!mayExpand(written)) return written;
  const key = substituteText(written, filling, (problem) => filling.say(problem, [...path, written], "key"));
  const isUsable = key !== null && typeof key !== "object";
  if (!isUsable && !isUnset(key)) filling.say(notText(written), [...path, written], "key");
  const name = isUsable ? String(key) : written;
  if (name !== written) filling.renamed([...path, name], written);
  return name;
}

function substituteText(text: string, filling: Substitution, say: (problem: ExpandProblem) => void): Json {
  const [misspelt, parameter] = misspelling.exec(text.replace(moduleExpression, "")) ?? [];
  if (misspelt !== undefined)
    say(takenAsText(misspelt, parameter === undefined ? "${each:key}" : `\${param:${parameter}}`));
  const [first] = text.matchAll(moduleExpression);
  if (first === undefined) return text;
  if (first[0] === text && first[1] !== undefined) return expressionValue(first[1], first[2] ?? "", { filling, say });
  if (text.includes("${file:")) checkFiles(text, filling, say);
  return replaced(text, filling, say);
}

function replaced(text: string, filling: Substitution, say: (problem: ExpandProblem) => void): string {
  let [result, from] = ["", 0];
  for (const match of text.matchAll(moduleExpression)) {
    result = joined(result, text.slice(from, match.index));
    from = match.index + match[0].length;
    result = joined(result, matchText(match, filling, say));
  }
  return joined(result, text.slice(from));
}

/** A `$` at the end of a value makes no expression of what follows it. */
function joined(before: string, after: string): string {
  return before.endsWith("$") && after.startsWith("{") ? `${before}$${after}` : before + after;
}

function matchText(
  [found, source, name = ""]: RegExpExecArray,
  filling: Substitution,
  say: (problem: ExpandProblem) => void,
): string {
  if (source === undefined) return found;
  const value = expressionValue(source, name, { filling, say });
  if (value !== null && typeof value === "object" && !isUnset(value)) say(notText(found));
  return value === null || typeof value === "object" ? "" : String(value);
}

function expressionValue(
  source: string,
  name: string,
  { filling, say }: { readonly filling: Substitution; readonly say: (problem: ExpandProblem) => void },
): Json {
  const { parameters, instance } = filling;
  if (source === "each") {
    if (name !== "key") say(takenAsText(`\${each:${name}}`, "${each:key}"));
    return name === "key" ? instance : `\${each:${name}}`;
  }
  if (!parameters.has(name)) say(unknownParameter(name, [...parameters.keys()]));
  // What is unknown is reported here, a missing or wrong value was with the parameter: it is not again where it would be.
  const value = parameters.get(name);
  return value === undefined ? { $unset: name } : value;
}

/** A value within the path of a file does not lead out of the folder that is written before it. */
function checkFiles(text: string, filling: Substitution, say: (problem: ExpandProblem) => void): void {
  for (const [, written = ""] of text.matchAll(fileExpression)) {
    const cut = written.indexOf("${");
    if (cut < 0) continue;
    const folder = posix.join(written.slice(0, written.lastIndexOf("/", cut) + 1), ".");
    const path = posix.normalize(replaced(written, filling, () => undefined));
    const isBelow = folder === "." || folder === "./" ? !path.startsWith("..") : path.startsWith(folder);
    if (!isBelow) say(outside(folder));
  }
}

function outside(folder: string): ExpandProblem {
  const detail = `A value leads this path out of ${folder}, where a module's files have to be: give the parameter a path below it`;
  return { severity: "error", code: "LF1002", summary: "a module's file is outside its folder", detail };
}

function notText(found: string): ExpandProblem {
  const detail = `The value of ${found} is no single value, so it cannot be a part of a text or key. Write it as a whole value`;
  return { severity: "error", code: "LF1102", summary: `${found} is not text`, detail };
}

function noKey(key: string): ExpandProblem {
  const detail = `${key} cannot be a key: give the parameter that it is made of another value`;
  return { severity: "error", code: "LF1105", summary: "not usable as a key", detail };
}

function sameKey(key: string): ExpandProblem {
  const detail = `With \${…} replaced, two keys here are ${key}: give the parameters values that differ`;
  return { severity: "error", code: "LF1005", summary: `${key} is declared twice`, detail };
}
