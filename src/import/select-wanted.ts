import type { Diagnostic, Locate } from "../model/diagnostic.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import { referredHandles } from "../model/references.ts";
import { liveHandle, nodeName, type Tree, type TreeNode } from "../model/tree.ts";
import { unmatchedProblems } from "./import-problems.ts";
import { isOne, isOutOfReach, type OneObject, selectNodes, type Wanted } from "./select-nodes.ts";

interface Choice {
  readonly live: Tree;
  readonly kinds: readonly AnyKind[];
  /** Addresses of bound objects by live handle. */
  readonly bound: ReadonlyMap<string, string>;
  readonly declared: Tree;
  readonly locate: Locate;
  /** Words of a command on this project. */
  readonly commandWords: string;
}

/** The handles of the wanted objects, or the reason why nothing can be imported. */
type Selected = { readonly handles: ReadonlySet<string> } | { readonly problems: readonly Diagnostic[] };

/** Finds the wanted objects in the live tree. One object by itself needs its parent and the objects it refers to in the project. */
export function selectWanted(wanted: Wanted, choice: Choice): Selected {
  const { live, kinds } = choice;
  if (isOne(wanted)) return selectOne(wanted, choice);
  const { handles, unmatched } = selectNodes(live, kinds, wanted);
  return unmatched.length > 0 ? { problems: unmatchedProblems(unmatched) } : { handles };
}

function selectOne(wanted: OneObject, choice: Choice): Selected {
  const { live, kinds, bound } = choice;
  const kind = kindsByName(kinds).get(wanted.kind);
  const node = live.nodes.get(liveHandle(wanted.kind, wanted.id));
  if (kind === undefined || node === undefined) return { problems: [notThere(wanted)] };
  if (bound.has(node.handle)) return { handles: new Set([node.handle]) };
  if (isOutOfReach(kind, node)) return { problems: [outOfReach(node)] };
  const needed = [...(node.parent === undefined ? [] : [node.parent]), ...referredHandles(kind, node.fields)];
  const missing = [...new Set(needed)].flatMap((handle) => live.nodes.get(handle) ?? []).filter(isUndeclared(choice));
  if (missing.length > 0) return { problems: missing.map((each) => importFirst(node, each, choice)) };
  const inModule = belowModule(node, choice);
  return inModule ? { problems: [inModule] } : { handles: new Set([node.handle]) };
}

/** The refusal of an object whose parent a module declares: a module's file has no place for what one instance has. */
function belowModule(node: TreeNode, { bound, locate, commandWords }: Choice): Diagnostic | undefined {
  const parent = node.parent === undefined ? undefined : bound.get(node.parent);
  const at = parent === undefined ? undefined : locate(parent);
  const [use] = at?.used ?? [];
  if (at === undefined || use === undefined) return undefined;
  const detail = `It is below ${parent}, which a module declares at ${at.file}:${at.line}, used at ${use.file}:${use.line}. Objects are not imported below a module. Declare it in the module, or under patch in that use, and bind it with: loadform apply${commandWords} --adopt name`;
  return { severity: "error", code: "LF3012", summary: `${node.kind}/${node.key} is not imported`, detail, ...at };
}

/** A public object is referred to by its id, which is the same everywhere. */
function isUndeclared({ bound, declared }: Choice): (node: TreeNode) => boolean {
  return ({ handle, facts }) => {
    const address = bound.get(handle);
    return facts?.["public"] !== true && (address === undefined || !declared.nodes.has(address));
  };
}

function notThere({ kind, id }: OneObject): Diagnostic {
  const detail = `This organization has no ${kind} with id ${id}. To list the objects: loadform plan --show-unmanaged`;
  return { severity: "error", code: "LF3007", summary: `--object ${kind}/${id} matches nothing`, detail };
}

function outOfReach({ kind, key, facts }: TreeNode): Diagnostic {
  const why =
    facts?.["public"] === true
      ? "public, so nobody's project manages it; refer to it by its id or name"
      : "deactivated, which counts as deleted; declare it to activate it again";
  const detail = `${kind}/${key} is ${why}`;
  return { severity: "error", code: "LF3012", summary: `${kind}/${key} is not imported`, detail };
}

function importFirst(node: TreeNode, missing: TreeNode, { bound, kinds, commandWords }: Choice): Diagnostic {
  const relation = missing.handle === node.parent ? "is below" : "refers to";
  const what = `${missing.kind}/${missing.key} "${nodeName(missing)}"`;
  const address = bound.get(missing.handle);
  const isImportable = importRefusal(kindsByName(kinds).get(missing.kind)) === undefined;
  const wayOut =
    address !== undefined
      ? `It is bound to ${address}, which the project no longer declares: declare it again`
      : isImportable
        ? `Import that first: loadform import${commandWords} --object ${missing.kind}/${missing.key}`
        : `Import all of it: loadform import${commandWords} --all`;
  const detail = `It ${relation} ${what}, which this project does not declare. ${wayOut}`;
  return { severity: "error", code: "LF3012", summary: `${node.kind}/${node.key} is not imported`, detail };
}

/** Why objects of a kind are not imported one by one; undefined where they are. */
function importRefusal(kind: AnyKind | undefined): string | undefined {
  if (kind?.inline)
    return `a ${kind.name} is a part of its ${kind.parent} and is written with it, with all others of it: import it with the test case`;
  if (kind?.createdByUse)
    return `the service creates a ${kind.name} with the first object that uses it: declare it under ${kind.plural}, or use its name`;
  return undefined;
}

/** Reads `KIND/ID`; a kind whose objects cannot be imported one by one is refused before the first request. */
export function readObjectName(text: string, kinds: readonly AnyKind[]): OneObject | { readonly problem: Diagnostic } {
  const [, name = "", digits] = /^([^/#]*)[/#](\d{1,15})$/.exec(text) ?? [];
  const kind = kinds.find((each) => each.name === name || each.plural === name);
  const possible = kinds.filter((each) => importRefusal(each) === undefined).map((each) => each.name);
  const refused = (summary: string, detail: string) => ({
    problem: { severity: "error", code: "LF9001", summary, detail } as const,
  });
  if (kind === undefined || digits === undefined)
    return refused(
      "--object is not KIND/ID",
      `It takes a kind (${possible.join(", ")}), a slash and the object's id at the service, not ${JSON.stringify(text)}, as in: --object configuration/15`,
    );
  const why = importRefusal(kind);
  if (why !== undefined)
    return refused(`a ${kind.name} is not imported by itself`, `--object ${text} cannot be imported: ${why}`);
  return { kind: kind.name, id: Number(digits) };
}
