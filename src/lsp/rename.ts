import { isWithin, keyPattern, lastStep } from "../model/address.ts";
import type { DocumentPath, Position } from "../model/diagnostic.ts";
import { isObject, itemsOf, type JsonObject, valueAt } from "../model/json.ts";
import { canBeRenamed } from "../model/kind.ts";
import { mainFile } from "../workspace/workspace.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";
import { declarationsOf, everyUse, namesOutside, placesUsing, sourcesOf } from "./find-target.ts";
import { type ProjectIndex, pathOfTarget, type Target } from "./project-index.ts";

/** A word of a file, from a position on, that another one takes the place of. */
interface WordEdit {
  readonly file: string;
  readonly position: Position;
  readonly found: string;
  readonly instead: string;
}

/** A new key for an object, an instance, a variable or a parameter. */
export interface Renaming {
  readonly edits: readonly WordEdit[];
  /** A text that is another one wherever a file of the project has it, or the one file that is named. */
  readonly everywhere?: readonly [found: string, instead: string, file?: string];
  /** The entries of `moved` by which objects keep their ids, for the main file. */
  readonly moved?: readonly Move[];
}

/** An entry of `moved`. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** The edits that give a target another key, in all files; a sentence where that cannot be done. */
export function rename(target: Target, key: string, index: ProjectIndex): Renaming | string {
  const { kind } = target;
  if (kind === "file") return "A file is renamed in the file system, not here";
  if (kind === "environment") return "The state of an environment is stored under its name: rename both by hand";
  if (kind === "parameter") return renameParameter(target, key, index);
  if (!keyPattern.test(key)) return `${key} cannot be a key: letters, digits, ".", "_" and "-" are allowed`;
  if (isTyped(key))
    return `YAML reads ${key} as a number, a boolean or null where others name it: choose another key, or rename by hand`;
  if (kind === "instance") return renameInstance(target, key, index);
  if (isTaken(target, key, index))
    return `${kind === "variable" ? key : addressWith(target.name, key)} exists already: choose another key`;
  return kind === "variable" ? renameVariable(target, key, index) : renameObject(target, key, index);
}

function renameVariable(target: Target, key: string, index: ProjectIndex): Renaming | string {
  const { name } = target;
  const edits = keyEdits(target, key, index);
  return edits.length === 0 ? notFound(name) : { edits, everywhere: [`\${var:${name}}`, `\${var:${key}}`] };
}

function renameObject(target: Target, key: string, index: ProjectIndex): Renaming | string {
  const { name, module } = target;
  const keys = keyEdits(target, key, index);
  const refusal =
    immovable(target, key, index) ?? (keys.length === 0 && module === undefined ? notFound(name) : undefined);
  if (refusal !== undefined) return refusal;
  const edits = [...keys, ...useEdits(target, key, index)];
  if (module === undefined) return { edits, moved: [{ from: name, to: addressWith(name, key) }] };
  const outside = namesOutside(target, index).flatMap((each) => {
    const instead = lastKey(each).slice(0, -lastKey(name).length) + key;
    return useEdits({ kind: "object", name: each }, instead, index);
  });
  // The objects of instances have addresses of their own; what is the same under another key moves by itself.
  return { edits: [...edits, ...outside] };
}

const notFound = (name: string) => `It is not known where ${name} is declared: rename it by hand`;

/** Why an object cannot be moved by an entry of `moved`, in a sentence. */
function immovable(target: Target, key: string, index: ProjectIndex): string | undefined {
  const { name, module } = target;
  const path = pathOfTarget(target, index.kinds) ?? [];
  if (index.of(module).findInModules({ path, at: "key" }))
    return "A module declares it: rename it in the module's file";
  if (module !== undefined) return undefined;
  if (!index.of().addresses.has(name))
    return `Only an environment declares ${name}, and moved would count for all of them: rename it by hand`;
  if (isNamedByKey(name, path, index))
    return `The service cannot rename it, and it is called by its key: write name: ${lastKey(name)} below it, and rename again`;
  const former = formerMove(target, key, index);
  return former && `moved has an entry from ${former}: remove it, and rename again`;
}

/** True of an object that takes its name, which no request can change, from its key: a tag, a region. */
function isNamedByKey(address: string, path: DocumentPath, { kinds, sources }: ProjectIndex): boolean {
  const isFixed = !canBeRenamed(kinds.find(({ name }) => name === lastStep(address).kind));
  return isFixed && !sources.some(({ value }) => valueAt(value, [...path, "name"].map(String)) !== undefined);
}

/** True for a key that is no text without quotes. */
function isTyped(key: string): boolean {
  return typeof parseYaml(key, "").value !== "string";
}

/** The address that an entry of `moved` comes from, which would lead there again. */
function formerMove({ name }: Target, key: string, index: ProjectIndex): string | undefined {
  const moves = itemsOf(sourcesOf(index).get(mainFile)?.value["moved"]).filter(isObject);
  const isBack = ({ from, to }: JsonObject) =>
    typeof to === "string" && isWithin(to, name) && from === addressWith(name, key) + to.slice(name.length);
  const back = moves.find(isBack);
  return back && String(back["from"]);
}

function isTaken(target: Target, key: string, index: ProjectIndex): boolean {
  const holder = pathOfTarget(target, index.kinds)?.slice(0, -1) ?? [];
  const own = index.of(target.module);
  return (
    own.keysAt(holder).includes(key) ||
    (target.kind === "object" && own.module === undefined && own.addresses.has(addressWith(target.name, key)))
  );
}

function keyEdits(target: Target, key: string, index: ProjectIndex): readonly WordEdit[] {
  return declarationsOf(target, index).map(({ file, position, text }) => ({
    ...{ file, position, found: text, instead: key },
  }));
}

/** The keys of an instance's test cases begin with its own. */
function renameInstance(target: Target, key: string, index: ProjectIndex): Renaming | string {
  const { module } = target;
  if (module !== undefined)
    return `The keys of all instances of ${module} contain this one: rename it by hand, with an entry of moved for each`;
  const { instances } = index.modules.expanded();
  if ([...instances.values()].includes(key) || isTaken(target, key, index))
    return `${key} exists already: choose another key`;
  const edits = keyEdits(target, key, index);
  const moved = namesOutside(target, index).map((from) => {
    const testCase = from.slice("testCase.".length);
    return { from, to: `testCase.${key}${testCase.slice(instances.get(testCase)?.length)}` };
  });
  const taken = moved.find(({ to }) => index.of().addresses.has(to));
  if (taken !== undefined) return `${taken.to} exists already: choose another key`;
  const named = moved.flatMap(({ from, to }) =>
    useEdits({ kind: "object", name: from }, to.slice("testCase.".length), index),
  );
  return { edits: [...edits, ...named], ...(moved.length > 0 && { moved }) };
}

function renameParameter(target: Target, key: string, index: ProjectIndex): Renaming | string {
  const { name, module = "" } = target;
  if (!/^[\w-]+$/.test(key))
    return `${key} cannot be the name of a parameter: letters, digits, "_" and "-" are allowed`;
  if (Object.hasOwn(index.modules.parametersOf(module), key)) return `${module} has a parameter ${key} already`;
  const [found, instead] = [`\${param:${name}}`, `\${param:${key}}`];
  // The module's own expressions are found by their text; in a patch another module's may have the same.
  const uses = placesUsing(target, index).filter(({ file, text }) => text === name || file !== module);
  const edits = uses.map(({ file, position, text }) => ({
    ...{ file, position, found: text, instead: text === name ? key : text.replaceAll(found, instead) },
  }));
  return { edits: [...keyEdits(target, key, index), ...edits], everywhere: [found, instead, module] };
}

/** The address with another last key; keys may have dots in them. */
function addressWith(address: string, key: string): string {
  const start = address.lastIndexOf("/") + 1;
  return `${address.slice(0, address.indexOf(".", start) + 1)}${key}`;
}

/** The new texts of what refers to an object or to one below it. */
function useEdits(target: Target, key: string, index: ProjectIndex): readonly WordEdit[] {
  const sources = sourcesOf(index);
  return everyUse(index).flatMap(({ file, path, target: used, text, at }): WordEdit[] => {
    const isBelow = used.kind === "object" && used.module === target.module;
    const instead = isBelow ? textWith(text, { target, used, key }) : undefined;
    if (instead === undefined || instead === text) return [];
    const position = sources.get(file)?.locate({ path, at });
    return position ? [{ file, position, found: text, instead }] : [];
  });
}

/** The text of a use after the renaming; undefined where it does not name the key. */
function textWith(
  text: string,
  { target, used, key }: { readonly target: Target; readonly used: Target; readonly key: string },
): string | undefined {
  if (used.name !== target.name && !used.name.startsWith(`${target.name}/`)) return undefined;
  if (text === used.name) return addressWith(target.name, key) + used.name.slice(target.name.length);
  const depth = target.name.split("/").length - 1;
  const [keys, steps] = [text.split("/"), used.name.split("/")];
  const at = depth - (steps.length - keys.length);
  if (at < 0 || keys[at] !== lastKey(target.name)) return undefined;
  return keys.with(at, key).join("/");
}

/** The key of an object; it may have dots in it. */
export function lastKey(address: string): string {
  const step = address.slice(address.lastIndexOf("/") + 1);
  return step.slice(step.indexOf(".") + 1);
}
