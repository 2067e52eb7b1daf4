import { warningOf } from "../model/diagnostic.ts";
import type { Field } from "../model/field.ts";
import { isObject, type Json, type JsonObject, valueAt } from "../model/json.ts";
import { normalObject } from "../model/normal-form.ts";
import type { NodeInMaking, TreeNode } from "../model/tree.ts";
import { pathOf } from "./declared-object.ts";
import { isUnset } from "./expand.ts";
import type { ExpandedObject } from "./expand-object.ts";
import { type ReferenceContext, resolveReferences } from "./object-references.ts";
import { presentPaths, secretSources, sensitivePaths } from "./secret-values.ts";
import type { Variables } from "./variables.ts";

export interface NodeContext extends Pick<ReferenceContext, "index" | "report" | "nodes" | "inModule"> {
  /** Fields of the kind that hold references. */
  readonly referring: ReadonlySet<Field>;
  readonly variables: Variables;
}

/** The node of an object: references resolved, fields in normal form, secrets pointed out. */
export function makeNode(expanded: ExpandedObject, context: NodeContext): TreeNode {
  const { object, lifecycle } = expanded;
  const { kind, key, address, parent } = object;
  const dependsOn: string[] = [];
  const depend = (address: string) => void (dependsOn.includes(address) || dependsOn.push(address));
  const names: (readonly [field: string, name: string])[] = [];
  const secret = (field: string, name: string) => void names.push([field, name]);
  const fields = fieldsOf(expanded, context, { depend, secret });
  const node: NodeInMaking = { handle: address, kind: kind.name, key, fields };
  if (parent !== undefined) node.parent = parent.address;
  if (lifecycle) node.lifecycle = lifecycle;
  if (dependsOn.length > 0) node.dependsOn = dependsOn;
  const sensitive = sensitiveIn(withNames(expanded, names), fields, context.nodes);
  if (sensitive.length > 0) {
    node.sensitive = sensitive;
    node.sources = secretSources(object.input, sensitive, context.variables);
    reportWrittenOut(expanded, node, context);
  }
  if (kind.missing) reportMissing(expanded, node, context);
  return node;
}

/** The object with the sensitive names of others, which replace its references to them by key, among its secrets. */
function withNames(expanded: ExpandedObject, names: readonly (readonly [field: string, name: string])[]) {
  if (names.length === 0) return expanded;
  const secrets = new Map(expanded.secrets);
  for (const [field, name] of names) secrets.set(field, [...(secrets.get(field) ?? []), name]);
  return { ...expanded, secrets };
}

function fieldsOf(
  { object, input }: ExpandedObject,
  context: NodeContext,
  found: Pick<ReferenceContext, "depend" | "secret">,
): JsonObject {
  const { referring, index, report, nodes, inModule } = context;
  if (referring.size === 0) return normalObject(object.kind, input, { name: object.key });
  const from = { index, report, nodes, inModule, object, ...found };
  const resolve = (field: Field, value: Json, name: string): Json =>
    referring.has(field) ? resolveReferences(field, value, { path: [name], within: undefined }, from) : value;
  return normalObject(object.kind, input, { name: object.key, resolve });
}

const none: readonly string[] = [];

function sensitiveIn({ object, secrets }: ExpandedObject, fields: JsonObject, nodes: ReadonlyMap<string, TreeNode>) {
  const { kind } = object;
  const paths = kind.secretPaths?.(fields, (name) => referred(fields[name], nodes)) ?? none;
  if (secrets.size === 0 && paths.length === 0) return none;
  const writeOnly = presentPaths(fields, paths);
  if (secrets.size === 0 && writeOnly.length === 0) return writeOnly;
  const given = [...secrets].flatMap(([name, values]) => sensitivePaths(name, fields[name], values));
  const all = [...new Set([...given, ...writeOnly])];
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}.`)));
}

/** Warns of values of encrypted parameters that are written out in the project; as sensitive as others, but open to its readers. */
function reportWrittenOut({ object }: ExpandedObject, node: TreeNode, { report, nodes }: NodeContext): void {
  const { fields, sources = {} } = node;
  const paths = object.kind.secretPaths?.(fields, (name) => referred(fields[name], nodes)) ?? none;
  const written = presentPaths(fields, paths).filter((path) => {
    const [field = ""] = path.split(".", 1);
    return path !== field && standsIn(sources[field], valueAt(fields, path.split(".")));
  });
  for (const path of written) {
    const [field = "", name = ""] = path.split(".");
    const detail = `The value (not shown) of this encrypted parameter is written out in ${field}. Write \${env:NAME} instead, so that it is not stored with the project`;
    const place = { path: [...pathOf(object), field], at: "key" } as const;
    report({ ...warningOf("LF1203", `${name} is a secret`, detail), address: object.address, place });
  }
}

function reportMissing({ object, lifecycle }: ExpandedObject, node: TreeNode, { report, nodes }: NodeContext): void {
  const { fields } = node;
  const found = object.kind.missing?.(fields, (name) => referred(fields[name], nodes)) ?? [];
  for (const { path, summary, detail } of found) {
    const field = String(path[0]);
    if (isUnset(fields[field]) || lifecycle?.ignore?.includes(field)) continue;
    const place = { path: [...pathOf(object), ...path], at: "key" } as const;
    report({ severity: "warning", code: "LF1205", summary, detail, address: object.address, place });
  }
}

/** True where the user wrote the value itself, also within parameters that are one text. */
function standsIn(source: Json | undefined, value: Json | undefined): boolean {
  if (Array.isArray(source)) return source.some((item: Json) => standsIn(item, value));
  if (isObject(source)) return Object.values(source).some((member) => standsIn(member, value));
  return String(source).trim() === String(value).trim();
}

function referred(reference: Json | undefined, nodes: ReadonlyMap<string, TreeNode>): JsonObject | undefined {
  return isObject(reference) && typeof reference.ref === "string" ? nodes.get(reference.ref)?.fields : undefined;
}
