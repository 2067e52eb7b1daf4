import { placeSuffix } from "../../model/diagnostic.ts";
import { isObject, type Json, valueAt } from "../../model/json.ts";
import { leadsOut } from "../../workspace/work-tree.ts";
import { type Holder, type Origin, writtenPath } from "./module-places.ts";
import type { Use } from "./read-uses.ts";
import { moduleExpression } from "./substitute.ts";

/** The one place in a project's files that a value of a module's object comes from. */
interface ValueOrigin {
  readonly file: string;
  /** The mapping in the file that has the value, or would have it. */
  readonly path: readonly string[];
  readonly name: string;
  /** The value as it is written; absent where none is. */
  readonly raw?: Json;
  /** The parameters beside it, in their order, for one that is given to a module. */
  readonly parameters?: readonly string[];
}

/** A value without a place where it could be changed for its instance alone. */
interface NoOrigin {
  readonly why: string;
}

/** Finds where a member of a mapping in the expanded document comes from; undefined where no module declares it. */
export type FindOrigin = (path: readonly string[], name: string) => ValueOrigin | NoOrigin | undefined;

/** Finds the origins of values in the test cases of modules. */
export function originsOf(origins: ReadonlyMap<string, Origin>): FindOrigin {
  let counts: ReadonlyMap<string, number> | undefined;
  return ([collection, key = "", ...below], name) => {
    const origin = collection === "testCases" ? origins.get(key) : undefined;
    if (origin === undefined) return undefined;
    counts ??= countInstances(origins.values());
    return originAt({ holder: origin.instance, path: writtenPath(origin, below).map(String), name }, counts);
  };
}

/** The number of instances of each module. */
function countInstances(origins: Iterable<Origin>): ReadonlyMap<string, number> {
  const instances = new Map<string, Set<Holder>>();
  for (const { instance } of origins)
    for (let holder = instance; holder.within !== undefined; holder = holder.within.outer) {
      const { module } = holder.within.use;
      instances.set(module, (instances.get(module) ?? new Set()).add(holder));
    }
  return new Map([...instances].map(([module, holders]) => [module, holders.size]));
}

interface Place {
  readonly holder: Holder;
  readonly path: readonly string[];
  readonly name: string;
  /** The use whose patch it is in, with the document of that. */
  readonly patch?: NonNullable<Holder["within"]>;
}

/** Instances by module. */
type Counts = ReadonlyMap<string, number>;

/** The origin of a member of a document: the place itself, or where the parameter is given that it is. */
function originAt(place: Place, counts: Counts): ValueOrigin | NoOrigin {
  const { holder } = place;
  const written = writtenAt(place);
  const { name } = written;
  const around = valueAt(written.holder.document, written.path);
  const raw = isObject(around) ? around[name] : undefined;
  const made = raw === undefined ? undefined : expressionIn(raw);
  if (made !== undefined) {
    const isWhole = made.text === raw && made.source === "param" && holder.within !== undefined;
    return isWhole ? givenOrigin(holder, made.name, counts) : { why: `it is made of ${made.text}` };
  }
  const why = sharedWhy(written, counts);
  if (why !== undefined) return { why };
  const file = fileAt(written.holder, written.path);
  if (file === undefined || (around !== null && !isObject(around))) return { why: "it is not found in the files" };
  return { file, path: written.path, name, ...(raw !== undefined && { raw }) };
}

/** The place of a member in the module's file, or in the innermost patch that has it. */
function writtenAt(place: Place): Place {
  const { holder, path, name } = place;
  const { within } = holder;
  if (within === undefined) return place;
  const patched = valueAt(within.use.patch, path);
  const isPatched = isObject(patched) && Object.hasOwn(patched, name);
  if (!isPatched && valueAt(holder.document, path) !== undefined) return place;
  return writtenAt({ holder: within.outer, path: [...within.use.path, "patch", ...path], name, patch: within });
}

function expressionIn(
  raw: Json,
): { readonly text: string; readonly source: string; readonly name: string } | undefined {
  for (const [text, source, name = ""] of JSON.stringify(raw).matchAll(moduleExpression))
    if (source !== undefined) return { text, source, name };
  return undefined;
}

/** The reason why a text of a module's own file, or of a patch for several instances, is not changed for one of them. */
function sharedWhy({ holder: { within }, patch }: Place, counts: Counts): string | undefined {
  const entries = patch === undefined ? 1 : entryCount(patch.use, patch.outer);
  if (entries > 1) return `the patch is for ${entries} instances`;
  if (within === undefined) return undefined;
  const { module } = within.use;
  if (leadsOut(module)) return `${module} is outside the project's folder, where other projects may use it`;
  const count = counts.get(module) ?? 0;
  return count > 1 ? `${module} declares it for ${count} instances` : undefined;
}

function fileAt({ within, find }: Holder, path: readonly string[]): string | undefined {
  return within === undefined ? find({ path, at: "key" })?.file : within.use.module;
}

/** Where the value of a parameter is given to a module; one that entries of `forEach` share is overridden in the entry. */
function givenOrigin(holder: Holder, parameter: string, counts: Counts): ValueOrigin | NoOrigin {
  const { within } = holder;
  if (within === undefined) return { why: `it is made of \${param:${parameter}}` };
  const { use, outer } = within;
  if ((use.given[parameter] ?? null) === null) {
    const declared = holder.find({ path: ["parameters", parameter], at: "key" });
    return { why: `it is the default of the parameter ${parameter}${placeSuffix(declared)}` };
  }
  const isOwn = hasMember(outer, use.at, parameter);
  const path = isOwn && use.at !== use.path ? use.at : [...use.path, "with"];
  const found = originAt({ holder: outer, path, name: parameter }, counts);
  if ("why" in found) return found;
  const declared = holder.document["parameters"];
  const parameters = found.parameters ?? (isObject(declared) ? Object.keys(declared) : []);
  return { ...found, parameters, ...(isShared(use, outer, found) && { path: use.at }) };
}

function hasMember({ document }: Holder, path: readonly string[], name: string): boolean {
  const found = valueAt(document, path);
  return isObject(found) && Object.hasOwn(found, name);
}

/** True for a value beside a `forEach` with several entries. */
function isShared(use: Use, outer: Holder, { path }: ValueOrigin): boolean {
  if (use.at === use.path || path.join(" ") !== [...use.path, "with"].join(" ")) return false;
  return entryCount(use, outer) > 1;
}

/** The number of instances that a use has. */
function entryCount({ path }: Use, { document }: Holder): number {
  const entries = valueAt(document, [...path, "forEach"]);
  return isObject(entries) ? Object.keys(entries).length : 1;
}
