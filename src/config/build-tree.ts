import type { JsonObject } from "../model/json.ts";
import { canonicalJson } from "../model/json.ts";
import type { AnyKind, Rule } from "../model/kind.ts";
import { sensitiveText } from "../model/redact.ts";
import { withoutQuoted } from "../model/secret-texts.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { nodeName } from "../model/tree.ts";
import type { Report } from "./collect-problems.ts";
import type { DeclaredObject } from "./declared-object.ts";
import { declaredObjects, pathOf } from "./declared-object.ts";
import type { ExpandContext, ExpandedObject } from "./expand-object.ts";
import { expandObject } from "./expand-object.ts";
import { makeNode } from "./make-node.ts";
import { indexObjects, referringFields } from "./object-references.ts";
import type { Variables } from "./variables.ts";

/** What a tree is built with. */
export interface BuildContext extends Omit<ExpandContext, "keep"> {
  readonly kinds: readonly AnyKind[];
  readonly variables: Variables;
}

/**
 * The desired tree of a document: everything replaced, references resolved, fields in normal form. One pass in the
 * order of the kinds, so that what is referred to by name is made before who refers to it.
 */
export function buildTree(document: JsonObject, context: BuildContext): Tree {
  const { kinds, report, check, variables } = context;
  const contents = new Map<string, string | Uint8Array>();
  const nodes = new Map<string, TreeNode>();
  const expanding = {
    ...context,
    keep: (hash: string, content: string | Uint8Array) => void contents.set(hash, content),
  };
  const objects = declaredObjects(document, kinds);
  const index = indexObjects(objects, kinds, (address) => nodes.get(address)?.fields.name);
  const makings = new Map(
    kinds.map((kind) => [kind, { index, referring: referringFields(kind), report, nodes, variables }]),
  );
  for (const object of objects) {
    const expanded = expandObject(object, expanding);
    runRules(expanded, report, check.live);
    const making = makings.get(object.kind);
    if (making) nodes.set(object.address, makeNode(expanded, making));
  }
  reportTakenNames(objects, nodes, report);
  return { nodes, contents };
}

/** The rules of a kind over what its user wrote, so that findings point at the lines. */
function runRules(expanded: ExpandedObject, report: Report, live: boolean): void {
  const { rules } = expanded.object.kind;
  if (rules) for (const rule of rules) runRule(rule, expanded, report, live);
}

function runRule(rule: Rule, { object, input, secrets }: ExpandedObject, report: Report, live: boolean): void {
  const shown = (words: string) => (secrets.size === 0 ? words : withoutQuoted(words, [...secrets.values()].flat()));
  for (const { path, summary, detail } of rule.check(input))
    report({
      severity: rule.origin === "decision" && live ? "warning" : "error",
      code: rule.origin === "decision" ? "LF1202" : "LF1201",
      summary: shown(summary),
      detail: `${shown(detail)} (${sourceOf(rule)})`,
      address: object.address,
      place: { path: [...pathOf(object), ...path], at: path.length === 0 ? "key" : "value" },
    });
}

function sourceOf({ origin, section }: Rule): string {
  return origin === "documented" ? `the service's documents, part ${section}` : `our reading, ${section}`;
}

/** Names are the identity of some kinds at the service: a second object of the name would overwrite the first. */
function reportTakenNames(
  objects: readonly DeclaredObject[],
  nodes: ReadonlyMap<string, TreeNode>,
  report: Report,
): void {
  const taken = new Map<string, string>();
  for (const object of objects) {
    const node = nodes.get(object.address);
    if (node === undefined || object.kind.naturalKey === undefined) continue;
    const identity = `${scopeOf(object.kind, node)} ${nodeName(node)}`;
    const first = taken.get(identity);
    if (first === undefined) taken.set(identity, object.address);
    else report(takenName(object, node.sensitive?.includes("name") ? sensitiveText : nodeName(node), first));
  }
}

function scopeOf(kind: AnyKind, node: TreeNode): string {
  const within = kind.naturalKey === "parent" ? node.parent : reachOf(kind, node.fields);
  return `${kind.name} ${within ?? ""}`;
}

function reachOf(kind: AnyKind, fields: JsonObject): string {
  const key = typeof kind.naturalKey === "object" ? fields[kind.naturalKey.within] : undefined;
  return key === undefined ? "" : canonicalJson(key);
}

function takenName(object: DeclaredObject, name: string, first: string) {
  const { kind, address } = object;
  const detail = `found "${name}" at ${first} too; expected one ${kind.name} of a name: the service would take both for one`;
  return {
    severity: "error",
    code: "LF1201",
    summary: `the name ${name} is taken`,
    detail,
    address,
    place: { path: [...pathOf(object), "name"], at: "value" },
  } as const;
}
