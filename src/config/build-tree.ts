import type { JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { declaredObjects } from "./declared-object.ts";
import type { ExpandContext } from "./expand-object.ts";
import { expandObject } from "./expand-object.ts";
import { makeNode } from "./make-node.ts";
import { indexObjects } from "./object-index.ts";
import { referringFields } from "./resolve-references.ts";
import { reportTakenNames, runRules } from "./run-rules.ts";
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
