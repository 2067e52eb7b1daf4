import { type Diagnostic, type DocumentPath, warningOf } from "../../model/diagnostic.ts";
import { isObject, type Json, type JsonObject, objectOf } from "../../model/json.ts";
import type { Report } from "../collect-problems.ts";
import type { LoadedDocuments } from "../load-documents.ts";
import { doubtAddition, type SourceDocument } from "../merge-documents.ts";
import { moduleExpression } from "./substitute.ts";

/** True for files that use modules, or have an expression of modules in them. */
export function needsModules({ sources, texts }: Pick<LoadedDocuments, "sources" | "texts">): boolean {
  return sources.some(usesModules) || texts.some((text) => text.search(/\$\{(?:param|each):/) >= 0);
}

function usesModules({ value }: SourceDocument): boolean {
  const { use, environments } = value;
  return (
    use !== undefined ||
    (isObject(environments) && Object.values(environments).some((each) => isObject(each) && each["use"] !== undefined))
  );
}

/** A warning for each `${param:…}` and `${each:…}` of the project's own files, where nothing replaces them. */
export function outsideModules(sources: readonly SourceDocument[]): readonly Diagnostic[] {
  const detail = "It is replaced within modules only. Use ${var:NAME} with a variable of the project here";
  return sources.flatMap((source) =>
    expressionsIn(source.value, []).flatMap(({ path, at, text }): Diagnostic[] =>
      [...text.matchAll(moduleExpression)]
        .filter(([, kind]) => kind !== undefined)
        .map(([found]) => ({
          ...warningOf("LF1204", `${found} is taken as the text itself`, detail),
          ...source.locate({ path, at }),
        })),
    ),
  );
}

interface Found {
  readonly path: DocumentPath;
  readonly at: "key" | "value";
  readonly text: string;
}

/** A patch in a `use` belongs to its module. */
function expressionsIn(value: Json | JsonObject, path: DocumentPath): readonly Found[] {
  if (typeof value === "string") return isExpression(value) ? [{ path, at: "value", text: value }] : [];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => expressionsIn(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === "patch" && path.at(-2) === "use") return [];
    const key: Found[] = isExpression(name) ? [{ path: [...path, name], at: "key", text: name }] : [];
    return [...key, ...expressionsIn(member, [...path, name])];
  });
}

function isExpression(text: string): boolean {
  return /\$\{(?:param|each):/.test(text);
}

/** Says which instances only an environment has although one of nearly the same key is used: a patch of it was meant. */
export function doubtUses({ environments, use }: JsonObject, report: Report): void {
  for (const [name, patch] of Object.entries(objectOf(environments))) {
    const [patches, path] = [objectOf(objectOf(patch)["use"]), ["environments", name, "use"]];
    doubtKeys(patches, objectOf(use), { path, report });
    for (const [key, each] of Object.entries(patches)) {
      const entries = [objectOf(each), objectOf(objectOf(use)[key])].map((one) => objectOf(one["forEach"]));
      doubtKeys(entries[0] ?? {}, entries[1] ?? {}, { path: [...path, key, "forEach"], report });
    }
  }
}

/** A whole use is a new instance, whatever its key is near to. */
function doubtKeys(
  patches: JsonObject,
  declared: JsonObject,
  { path, report }: { readonly path: readonly string[]; readonly report: Report },
): void {
  const others = Object.keys(declared).filter((key) => !Object.hasOwn(patches, key));
  for (const [key, patch] of Object.entries(patches)) {
    const isWhole = objectOf(patch)["module"] !== undefined;
    if (!isWhole && !Object.hasOwn(declared, key))
      doubtAddition(key, "instance", { path: [...path, key], report, others });
  }
}
