import { addressOfPath, objectAt } from "../config/declared-object.ts";
import type { DocumentPath, Position } from "../model/diagnostic.ts";
import type { Cursor } from "./cursor.ts";
import { cursorAt } from "./cursor.ts";
import { givesParameters } from "./module-index.ts";
import type { ProjectIndex, Target } from "./project-index.ts";
import { fieldAt, pathOfTarget, withoutPatch } from "./project-index.ts";

/** A word of a file in one of its lines. */
export interface Place {
  readonly file: string;
  readonly position: Position;
  /** The text there, from its first character. */
  readonly text: string;
}

/** The target that the word at an offset leads to, or is the key of; undefined where there is none. */
export function targetAt(
  text: string,
  offset: number,
  { index, file }: { readonly index: ProjectIndex; readonly file: string },
): Target | undefined {
  const expression = expressionAt(text, offset);
  const cursor = cursorAt(text, offset);
  if (cursor === undefined) return undefined;
  const parameter = parameterAt(cursor, expression, { index, file });
  if (parameter !== undefined) return parameter;
  if (expression !== undefined) {
    const field = fieldAt(index.document, cursor.path);
    return field && index.targetsOf(field, expression, { file, path: [] }).at(-1);
  }
  return keyTarget(cursor, index) ?? valueTarget(cursor, { index, file });
}

/** The parameter that a key of a `use` gives, a module declares, or an expression takes. */
function parameterAt(
  { path, word, at, isKey }: Cursor,
  expression: string | undefined,
  { index, file }: { readonly index: ProjectIndex; readonly file: string },
): Target | undefined {
  const { modules } = index;
  const own = path.includes("patch") ? modules.usedAt(file, path) : index.module;
  const [, taken] = expression === undefined ? [] : (/^\$\{param:([\w-]+)\}$/.exec(expression) ?? []);
  const isGiven = at === "start" && isKey && givesParameters(path);
  const isDeclared = isKey && index.module !== undefined && path.length === 1 && path[0] === "parameters";
  const name = taken ?? (isGiven || isDeclared ? word : undefined);
  const module = isGiven && taken === undefined ? modules.usedAt(file, path) : own;
  return name === undefined || module === undefined ? undefined : { kind: "parameter", name, module };
}

/** The whole `${…}` around an offset. */
function expressionAt(text: string, offset: number): string | undefined {
  const from = text.lastIndexOf("${", offset);
  const to = text.indexOf("}", from);
  return from >= 0 && to >= offset && to - from < 500 ? text.slice(from, to + 1) : undefined;
}

function keyTarget(cursor: Cursor, { kinds }: ProjectIndex): Target | undefined {
  const { path, at, word } = cursor;
  if (at !== "start" || !cursor.isKey) return undefined;
  const key = withoutPatch([...path, word]);
  if (key.length === 2 && key[0] === "variables") return { kind: "variable", name: word };
  const object = objectAt(key, kinds);
  const address = object?.within.length === 0 ? addressOfPath(key, kinds) : undefined;
  return address === undefined ? undefined : { kind: "object", name: address };
}

function valueTarget(
  { path, word, isKey }: Cursor,
  { index, file }: { readonly index: ProjectIndex; readonly file: string },
): Target | undefined {
  if (!isKey && path.at(-1) === "module" && path.at(-3) === "use") {
    const module = index.modules.usedAt(file, path);
    return module === undefined ? undefined : { kind: "file", name: module };
  }
  const field = fieldAt(index.document, path);
  const one = field?.type === "list" && field.alsoOne ? field.of : field;
  return one && !isKey ? index.targetsOf(one, word, { file, path })[0] : undefined;
}

/** Where a target is declared, in each file that has a part of it and in each environment that patches it. */
export function declarationsOf(target: Target, index: ProjectIndex): readonly Place[] {
  if (target.kind === "parameter") {
    const { module = "", name } = target;
    const position = index.modules.sources.get(module)?.locate({ path: ["parameters", name], at: "key" });
    return position ? [{ file: module, position, text: name }] : [];
  }
  const path = pathOfTarget(target, index.kinds);
  if (path === undefined) return [];
  const found = index.findInModules({ path, at: "key" });
  if (found) return [{ file: found.file, position: found, text: String(path.at(-1)) }];
  const patched = index.environments.map((name): DocumentPath => ["environments", name, ...path]);
  return [path, ...patched].flatMap((each) =>
    index.sources.flatMap(({ file, locate }): Place[] => {
      const position = locate({ path: each, at: "key" });
      return position ? [{ file, position, text: String(each.at(-1)) }] : [];
    }),
  );
}

/** Where a target is used. */
export function placesUsing(target: Target, index: ProjectIndex): readonly Place[] {
  const { kind, name, module } = target;
  const found = index
    .uses()
    .filter(({ target: used }) => used.kind === kind && used.name === name && used.module === module);
  const sources = new Map([...index.modules.sources, ...index.sources.map((source) => [source.file, source] as const)]);
  return found.flatMap(({ file, path, text, at }): Place[] => {
    const position = sources.get(file)?.locate({ path, at });
    return position ? [{ file, position, text }] : [];
  });
}
