import { keyPattern } from "../model/address.ts";
import type { Position } from "../model/diagnostic.ts";
import { mainFile } from "../workspace/workspace.ts";
import { declarationsOf, placesUsing } from "./find-target.ts";
import type { ProjectIndex, Target } from "./project-index.ts";
import { pathOfTarget } from "./project-index.ts";

/** A word of a file, from a position on, that another one takes the place of. */
interface WordEdit {
  readonly file: string;
  readonly position: Position;
  readonly found: string;
  readonly instead: string;
}

/** A new key for an object or a variable. */
export interface Renaming {
  readonly edits: readonly WordEdit[];
  /** A text that is another one wherever a file of the project has it, or the one file that is named. */
  readonly everywhere?: readonly [found: string, instead: string, file?: string];
  /** The entry of `moved` by which the object keeps its id; for the end of the main file, or of its list. */
  readonly moved?: { readonly file: string; readonly from: string; readonly to: string };
}

/** The edits that give a target another key, in all files; a sentence where that cannot be done. */
export function rename(target: Target, key: string, index: ProjectIndex): Renaming | string {
  if (target.kind === "file") return "A file is renamed in the file system, not here";
  if (target.kind === "parameter") return renameParameter(target, key, index);
  if (!keyPattern.test(key)) return `${key} cannot be a key: letters, digits, ".", "_" and "-" are allowed`;
  const renamed = target.kind === "variable" ? key : addressWith(target.name, key);
  const taken = target.kind === "variable" ? index.variables.includes(key) : index.addresses.has(renamed);
  if (taken) return `${renamed} exists already: choose another key`;
  const keys = declarationsOf(target, index).map(({ file, position, text }) => ({
    ...{ file, position, found: text, instead: key },
  }));
  if (target.kind === "variable") return { edits: keys, everywhere: [`\${var:${target.name}}`, `\${var:${key}}`] };
  const edits = [...keys, ...useEdits(target, key, index)];
  const path = pathOfTarget(target, index.kinds) ?? [];
  if (index.findInModules({ path, at: "key" })) return "A module declares it: rename it in the module's file";
  // The objects of instances have addresses of their own; what is the same under another key moves by itself.
  if (index.module !== undefined && keys.some(({ file }) => file === index.module)) {
    const outside = index.modules.namedOutside(index.module, path);
    if (outside !== undefined)
      return `${outside} names it from outside of the module, in a patch or by an address: rename it by hand`;
    return { edits: edits.filter(({ file }) => file === index.module) };
  }
  return { edits, moved: { file: mainFile, from: target.name, to: renamed } };
}

function renameParameter(target: Target, key: string, index: ProjectIndex): Renaming | string {
  const { name, module = "" } = target;
  if (!/^[\w-]+$/.test(key))
    return `${key} cannot be the name of a parameter: letters, digits, "_" and "-" are allowed`;
  if (Object.hasOwn(index.modules.parametersOf(module), key)) return `${module} has a parameter ${key} already`;
  const keys = placesUsing(target, index).filter(({ text }) => text === name);
  const edits = [...declarationsOf(target, index), ...keys].map(({ file, position, text }) => ({
    ...{ file, position, found: text, instead: key },
  }));
  return { edits, everywhere: [`\${param:${name}}`, `\${param:${key}}`, module] };
}

/** The address with another last key; keys may have dots in them. */
function addressWith(address: string, key: string): string {
  const start = address.lastIndexOf("/") + 1;
  return `${address.slice(0, address.indexOf(".", start) + 1)}${key}`;
}

function useEdits(target: Target, key: string, index: ProjectIndex): readonly WordEdit[] {
  const sources = new Map(index.sources.map((source) => [source.file, source]));
  return index.uses().flatMap(({ file, path, target: used, text, at }): WordEdit[] => {
    const instead = used.kind === "object" ? textWith(text, { target, used, key }) : undefined;
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
  const step = target.name.split("/")[depth] ?? "";
  if (at < 0 || keys[at] !== step.slice(step.indexOf(".") + 1)) return undefined;
  return keys.with(at, key).join("/");
}
