import { addressOfPath, objectAt } from "../config/declared-object.ts";
import type { SourceDocument } from "../config/merge-documents.ts";
import type { DocumentPath, Position } from "../model/diagnostic.ts";
import { type Cursor, cursorAt } from "./cursor.ts";
import { givesParameters } from "./module-index.ts";
import {
  documentAround,
  fieldAt,
  type ProjectIndex,
  pathOfTarget,
  type Target,
  type Use,
  withoutPatch,
} from "./project-index.ts";

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
  at: { readonly index: ProjectIndex; readonly file: string },
): Target | undefined {
  const expression = expressionAt(text, offset);
  const cursor = cursorAt(text, offset);
  if (cursor === undefined) return undefined;
  const { index, path } = documentAround(cursor.path, at);
  const parameter = parameterAt(cursor, expression, { ...at, inner: index });
  if (parameter !== undefined) return parameter;
  if (expression !== undefined) {
    const field = fieldAt(index.document, path);
    return field && index.targetsOf(field, expression, { file: at.file, path: [] }).at(-1);
  }
  const module = moduleAt(cursor, at);
  return module ?? keyTarget({ ...cursor, path }, index) ?? valueTarget({ ...cursor, path }, { ...at, index });
}

/** The parameter that a key of a `use` gives, a module declares, or an expression takes; `inner` is the document around it. */
function parameterAt(
  { path, word, at, isKey }: Cursor,
  expression: string | undefined,
  { index, file, inner }: { readonly index: ProjectIndex; readonly file: string; readonly inner: ProjectIndex },
): Target | undefined {
  const [, taken] = expression === undefined ? [] : (/^\$\{param:([\w-]+)\}$/.exec(expression) ?? []);
  const isGiven = at === "start" && isKey && givesParameters(path);
  const isDeclared = isKey && index.module !== undefined && path.length === 1 && path[0] === "parameters";
  const name = taken ?? (isGiven || isDeclared ? word : undefined);
  const module = isGiven && taken === undefined ? index.modules.usedAt(file, path) : inner.module;
  return name === undefined || module === undefined ? undefined : { kind: "parameter", name, module };
}

/** The whole `${…}` around an offset. */
export function expressionAt(text: string, offset: number): string | undefined {
  const from = text.lastIndexOf("${", offset);
  const to = text.indexOf("}", from);
  return from >= 0 && to >= offset && to - from < 500 ? text.slice(from, to + 1) : undefined;
}

function keyTarget(cursor: Cursor, { kinds, module }: ProjectIndex): Target | undefined {
  const { path, at, word } = cursor;
  if (at !== "start" || !cursor.isKey) return undefined;
  if (path.length === 1 && path[0] === "environments") return { kind: "environment", name: word };
  const key = withoutPatch([...path, word]);
  const own = module === undefined ? {} : { module };
  if (key.length === 2 && key[0] === "variables") return { kind: "variable", name: word };
  if (key[0] === "use" && (key.length === 2 || (key.length === 4 && key[2] === "forEach")))
    return { kind: "instance", name: key.filter((_, step) => step % 2 === 1).join("/"), ...own };
  const object = objectAt(key, kinds);
  const address = object?.within.length === 0 ? addressOfPath(key, kinds) : undefined;
  return address === undefined ? undefined : { kind: "object", name: address, ...own };
}

/** The file of the module that a `use` names. */
function moduleAt(
  { path, isKey }: Cursor,
  { index, file }: { readonly index: ProjectIndex; readonly file: string },
): Target | undefined {
  const isPath = !isKey && path.at(-1) === "module" && path.at(-3) === "use";
  const name = isPath ? index.modules.usedAt(file, path) : undefined;
  return name === undefined ? undefined : { kind: "file", name };
}

function valueTarget(
  { path, word, isKey }: Cursor,
  { index, file }: { readonly index: ProjectIndex; readonly file: string },
): Target | undefined {
  const field = fieldAt(index.document, path);
  const one = field?.type === "list" && field.alsoOne ? field.of : field;
  return one && !isKey ? index.targetsOf(one, word, { file, path })[0] : undefined;
}

/** Where a target is declared, in each file that has a part of it and in each environment that patches it. */
export function declarationsOf(target: Target, { kinds, of }: ProjectIndex): readonly Place[] {
  const { sources, environments, findInModules } = of(target.module);
  const path = pathOfTarget(target, kinds);
  if (path === undefined) return [];
  const found = findInModules({ path, at: "key" });
  if (found) return [{ file: found.file, position: found, text: String(path.at(-1)) }];
  const patched = target.module === undefined ? environments : [];
  return [path, ...patched.map((name): DocumentPath => ["environments", name, ...path])].flatMap((each) =>
    sources.flatMap(({ file, locate }): Place[] => {
      const position = locate({ path: each, at: "key" });
      return position ? [{ file, position, text: String(each.at(-1)) }] : [];
    }),
  );
}

/** What a target is called where the project refers to it: an object of a module by its address in each instance. */
export function namesOutside({ kind, name, module }: Target, { modules }: ProjectIndex): readonly string[] {
  if (kind === "instance" && module === undefined) {
    const keys = [...modules.expanded().instances].filter(([, instance]) => instance === name.split("/").at(-1));
    return keys.map(([key]) => `testCase.${key}`);
  }
  const [testCase = "", ...below] = kind === "object" && module !== undefined ? name.split("/") : [];
  const keys = module === undefined ? [] : modules.expandedKeys(module, testCase.slice(testCase.indexOf(".") + 1));
  return keys.map((key) => [`testCase.${key}`, ...below].join("/"));
}

/** Every use of everything but parameters, in all files. */
export function everyUse({ modules, of }: ProjectIndex): readonly Use[] {
  return [undefined, ...modules.sources.keys()].flatMap((file) => of(file).uses());
}

function targetUses(target: Target, index: ProjectIndex): readonly Omit<Use, "target">[] {
  const { kind, name, module } = target;
  const { modules } = index;
  if (kind === "parameter")
    return modules.parameterUses().filter((use) => use.module === module && use.parameter === name);
  const outside = namesOutside(target, index);
  return everyUse(index).filter(({ target: used }) => {
    if (used.kind === kind && used.name === name && used.module === module) return true;
    if (used.kind !== "object" || used.module !== undefined) return false;
    // An instance is used where an object of it is.
    return outside.some((each) => used.name === each || (kind === "instance" && used.name.startsWith(`${each}/`)));
  });
}

/** Where a target is used. */
export function placesUsing(target: Target, index: ProjectIndex): readonly Place[] {
  const sources = sourcesOf(index);
  return targetUses(target, index).flatMap(({ file, path, text, at }): Place[] => {
    const position = sources.get(file)?.locate({ path, at });
    return position ? [{ file, position, text }] : [];
  });
}

/** All files of the project, those of modules included. */
export function sourcesOf({ of, modules }: ProjectIndex): ReadonlyMap<string, SourceDocument> {
  return new Map([...modules.sources, ...of().sources.map((source) => [source.file, source] as const)]);
}
