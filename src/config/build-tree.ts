import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { normalFields } from "../model/normal-form.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { withoutForeign } from "../model/variant.ts";
import type { DeclaredObject } from "./declared-object.ts";
import { declaredObjects } from "./declared-object.ts";
import type { ExpandContext, ExpandedObject } from "./expand-object.ts";
import { expandObject, secretSources } from "./expand-object.ts";
import type { ObjectIndex } from "./object-index.ts";
import { indexObjects } from "./object-index.ts";
import type { Report } from "./place.ts";
import { referringFields, resolveReferences } from "./resolve-references.ts";
import { runRules } from "./run-rules.ts";
import { presentPaths, sensitivePaths } from "./sensitive-paths.ts";

/** What a tree is built with. */
export interface BuildContext extends Omit<ExpandContext, "keep"> {
  readonly kinds: readonly AnyKind[];
}

/** The desired tree of a document: everything replaced, references resolved, fields in normal form. */
export function buildTree(document: JsonObject, context: BuildContext): Tree {
  const contents = new Map<string, string | Uint8Array>();
  const keep = (hash: string, content: string | Uint8Array) => void contents.set(hash, content);
  const objects = declaredObjects(document, context.kinds);
  const expanded = objects.map((object) => expandObject(object, { ...context, keep }));
  const nodes = new Map<string, TreeNode>();
  const resolve = nodeMaker(expanded, context, nodes);
  for (const object of expanded) nodes.set(object.object.address, resolve(object));
  runRules(expanded, nodes, context);
  return { nodes, contents };
}

function nodeMaker(expanded: readonly ExpandedObject[], context: BuildContext, nodes: ReadonlyMap<string, TreeNode>) {
  const inputs = new Map(expanded.map(({ object, input }) => [object, input]));
  const nameOf = (object: DeclaredObject) => inputs.get(object)?.name;
  const objects = expanded.map(({ object }) => object);
  const index = indexObjects(objects, context.kinds, nameOf);
  const names = new Map(context.kinds.map((kind) => [kind, referringFields(kind)]));
  return (object: ExpandedObject): TreeNode =>
    makeNode(object, { index, names: names.get(object.object.kind) ?? [], report: context.report, nodes });
}

interface Making {
  readonly index: ObjectIndex;
  readonly names: readonly string[];
  readonly report: Report;
  /** The nodes made before this one: what it refers to comes first. */
  readonly nodes: ReadonlyMap<string, TreeNode>;
}

function makeNode(expanded: ExpandedObject, making: Making): TreeNode {
  const { object, input, lifecycle } = expanded;
  const { kind, key, address, parent } = object;
  const resolved = making.names.length > 0 ? resolveReferences(object, input, making) : { fields: input, dependsOn: [] };
  const fields = withoutForeign(kind, normalFields(kind.fields, resolved.fields));
  const sensitive = sensitiveIn(expanded, fields, making.nodes);
  const sources = secretSources(
    expanded,
    sensitive.map((path) => path.split(".", 1)[0] ?? path),
  );
  return {
    handle: address,
    kind: kind.name,
    key,
    ...(parent === undefined ? {} : { parent }),
    fields,
    ...(sensitive.length > 0 ? { sensitive } : {}),
    ...(sources ? { sources } : {}),
    ...(lifecycle ? { lifecycle } : {}),
    ...(resolved.dependsOn.length > 0 ? { dependsOn: resolved.dependsOn } : {}),
  };
}

function sensitiveIn(
  { object, secrets }: ExpandedObject,
  fields: JsonObject,
  nodes: ReadonlyMap<string, TreeNode>,
): readonly string[] {
  const { kind } = object;
  if (secrets.size === 0 && kind.secretPaths === undefined) return [];
  const given = [...secrets].flatMap(([name, values]) => sensitivePaths(name, fields[name], values));
  const writeOnly = presentPaths(fields, kind.secretPaths?.(fields, (name) => referred(fields[name], nodes)) ?? []);
  return [...new Set([...given, ...writeOnly])].filter((path, _, all) => !all.some((other) => path.startsWith(`${other}.`)));
}

function referred(reference: Json | undefined, nodes: ReadonlyMap<string, TreeNode>): JsonObject | undefined {
  return isObject(reference) && typeof reference.ref === "string" ? nodes.get(reference.ref)?.fields : undefined;
}
