import type { DocumentPath } from "../model/diagnostic.ts";
import { type Field, fileDescription } from "../model/field.ts";
import { objectOf } from "../model/json.ts";
import { fieldRows } from "../schema/reference-table.ts";
import { type Cursor, cursorAt } from "./cursor.ts";
import { givesParameters, parameterWords } from "./module-index.ts";
import { documentAround, fieldAt, type ProjectIndex, withoutPatch } from "./project-index.ts";

/** One proposal; it replaces the text between two offsets. */
export interface Proposal {
  readonly label: string;
  readonly is: "key" | "value" | "reference" | "variable" | "file";
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Type or kind, beside the label. */
  readonly detail?: string;
  readonly about?: string;
}

type Draft = Omit<Proposal, "from" | "to">;

/** The proposals at an offset of a file. `files` are the paths that `${file:…}` may name, relative to the file's folder. */
export function complete(
  text: string,
  offset: number,
  { index, file, files }: { readonly index: ProjectIndex; readonly file: string; readonly files: readonly string[] },
): readonly Proposal[] {
  const inside = /\$\{(?:(var|file|param|each):)?([\w./-]*)$/.exec(text.slice(Math.max(0, offset - 300), offset));
  if (inside !== null) return expressions(inside, { text, offset }, { index, files });
  const cursor = cursorAt(text, offset);
  if (cursor === undefined) return [];
  const { index: inner, path, isPatch } = documentAround(cursor.path, { index, file });
  const field = fieldAt(inner.document, path);
  if (field === undefined) return [];
  const declared = isPatch ? inner.keysAt(path) : patchedKeys(path, index);
  const drafts =
    moduleDrafts(cursor, { index, file, files }) ?? draftsAt(field, { ...cursor, path }, { index: inner, declared });
  return drafts.map((draft) => ({ ...draft, from: cursor.from, to: cursor.to }));
}

/** Parameters of the module that a `use` names, or the paths of modules; undefined anywhere else. */
function moduleDrafts(
  cursor: Cursor,
  {
    index: { modules },
    file,
    files,
  }: { readonly index: ProjectIndex; readonly file: string; readonly files: readonly string[] },
): readonly Draft[] | undefined {
  const { path, at } = cursor;
  if (path.at(-1) === "module" && path.at(-3) === "use")
    return files.map((name) => ({ label: name, is: "file", text: name }));
  const module = at === "start" && givesParameters(path) ? modules.usedAt(file, path) : undefined;
  if (module === undefined) return undefined;
  const free = Object.entries(modules.parametersOf(module)).filter(([name]) => !cursor.taken.has(name));
  return free.map(([name, declared]) => ({
    ...{ label: name, is: "key", text: `${name}${cursor.isKey ? "" : ": "}` },
    ...parameterWords(objectOf(declared)),
  }));
}

/** The proposals for a field; `declared` are the keys that a patch may be about. */
function draftsAt(
  field: Field,
  cursor: Cursor,
  { index, declared }: { readonly index: ProjectIndex; readonly declared: readonly string[] },
): readonly Draft[] {
  if (cursor.at === "start") {
    const keys = keyDrafts(field, cursor, declared);
    if (keys.length > 0 || field.fields !== undefined || field.type === "map") return keys;
  }
  return valueDrafts(field, cursor, index);
}

function keyDrafts(field: Field, cursor: Cursor, declared: readonly string[]): readonly Draft[] {
  const names = Object.keys(field.fields ?? {}).filter((name) => !cursor.taken.has(name));
  const known = names.flatMap((name): Draft[] => {
    const member = field.fields?.[name];
    if (member === undefined) return [];
    const isBlock = member.type === "object" || member.type === "map" || member.type === "list";
    const colon = cursor.isKey ? "" : isBlock && !cursor.isFlow ? ":" : ": ";
    const [row] = fieldRows({ [name]: member });
    const need = member.required ? ", required" : "";
    return [
      { label: name, is: "key", text: name + colon, detail: `${row?.type}${need}`, about: fileDescription(member) },
    ];
  });
  const others = [...(field.secretKeys ?? []), ...(field.type === "map" ? declared : [])];
  const free = others.filter((name) => !cursor.taken.has(name));
  return [
    ...known,
    ...free.map((name): Draft => ({ label: name, is: "key", text: `${name}${cursor.isKey ? "" : ":"}` })),
  ];
}

/** Keys that a patch of an environment may be about. */
function patchedKeys(path: DocumentPath, index: ProjectIndex): readonly string[] {
  return path[0] === "environments" && path.length > 2 ? index.keysAt(withoutPatch(path)) : [];
}

function valueDrafts(field: Field, { path, at, isKey }: Cursor, index: ProjectIndex): readonly Draft[] {
  const one = field.type === "list" && field.alsoOne && field.of ? field.of : field;
  const { reference } = one;
  if (reference !== undefined) {
    const declared = index.candidates(reference.kind, path).map(
      (name): Draft => ({
        ...{ label: name, is: "reference", text: name, detail: reference.kind },
      }),
    );
    // An object at the service is named by a mapping.
    const keys = one.type === "reference" && at === "start" ? ["id", "name"] : [];
    const drafts = keys.map((name): Draft => ({ label: name, is: "key", text: `${name}${isKey ? "" : ": "}` }));
    return isKey ? drafts : [...declared, ...drafts];
  }
  if (one.type === "choice") return (one.values ?? []).map((name) => ({ label: name, is: "value", text: name }));
  if (one.type === "boolean") return ["true", "false"].map((name) => ({ label: name, is: "value", text: name }));
  return addressDrafts(path, index);
}

function addressDrafts([first, , name]: DocumentPath, index: ProjectIndex): readonly Draft[] {
  const draft = (label: string): Draft => ({ label, is: "reference", text: label });
  if (first === "moved" && name === "to") return [...index.addresses].map(draft);
  if (first === "defaultEnvironment") return index.environments.map(draft);
  if (first !== "gates" || name !== "configuration") return [];
  return [...index.addresses].flatMap((address) => {
    const [, testCase, configuration] = /^testCase\.([^/]+)\/configuration\.([^/]+)$/.exec(address) ?? [];
    return testCase === undefined ? [] : draft(`${testCase}/${configuration}`);
  });
}

/** The sources of `${…}`, or the names that may follow its colon. */
function expressions(
  [, source, typed = ""]: RegExpExecArray,
  { text, offset }: { readonly text: string; readonly offset: number },
  { index, files }: { readonly index: ProjectIndex; readonly files: readonly string[] },
): readonly Proposal[] {
  const { module, modules } = index;
  const rest = /^[\w./-]*\}?/.exec(text.slice(offset, offset + 300))?.[0].length ?? 0;
  const range = { from: offset - typed.length, to: offset + rest };
  if (source === "var")
    return index.variables.map((name) => ({ label: name, is: "variable", text: `${name}}`, ...range }));
  if (source === "each") return module === undefined ? [] : [{ label: "key", is: "variable", text: "key}", ...range }];
  if (source === "file") return files.map((name) => ({ label: name, is: "file", text: `${name}}`, ...range }));
  const parameters = Object.entries(module === undefined ? {} : modules.parametersOf(module));
  if (source === "param")
    return parameters.map(([name, declared]) => ({
      ...{ label: name, is: "variable", text: `${name}}`, ...range },
      ...parameterWords(objectOf(declared)),
    }));
  const own = module === undefined ? [] : ["param:", "each:key}"];
  const sources = ["var:", "env:", "file:", ...own];
  return sources.map((name) => ({ label: name.replace("}", ""), is: "value", text: name, ...range }));
}
