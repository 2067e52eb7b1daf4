import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { isObject, valueAt } from "../model/json.ts";
import type { TreeNode } from "../model/tree.ts";
import { sensitiveText } from "./readable-value.ts";

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Shorter values are too common to be looked for (engine.md 2.13). */
const shortest = 4;

/** Takes values out of texts, spelled as they are, in base64, URL- or JSON-escaped. `toBase64` is given from outside. */
export function redactor(values: Iterable<string>, toBase64: (text: string) => string): Redact {
  const spellings = [...values]
    .filter((value) => value.length >= shortest)
    .flatMap((value) => [
      value,
      toBase64(value).replace(/=+$/, ""),
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
    ]);
  const longestFirst = [...new Set(spellings)].sort((left, right) => right.length - left.length);
  if (longestFirst.length === 0) return (text) => text;
  const pattern = new RegExp(
    longestFirst.map((spelling) => spelling.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"),
    "g",
  );
  return (text) => text.replace(pattern, sensitiveText);
}

/** A problem without secrets: the service's own words may repeat what was sent. */
export function redactDiagnostic(diagnostic: Diagnostic, redact: Redact): Diagnostic {
  const [summary, detail] = [redact(diagnostic.summary), redact(diagnostic.detail)];
  const isClean = summary === diagnostic.summary && detail === diagnostic.detail;
  return isClean ? diagnostic : { ...diagnostic, summary, detail };
}

/** The secret values of a project: what must not be printed even when the service repeats it. */
export function secretsIn(nodes: Iterable<Pick<TreeNode, "fields" | "sensitive">>): readonly string[] {
  const found: string[] = [];
  for (const { fields, sensitive } of nodes)
    for (const path of sensitive ?? []) found.push(...textsIn(valueAt(fields, path.split("."))));
  return found;
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsIn(item));
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
