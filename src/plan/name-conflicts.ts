import { parentAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { TreeNode } from "../model/tree.ts";
import { nodeName } from "../model/tree.ts";
import type { Draft } from "./draft.ts";
import { liveBeside } from "./live-beside.ts";
import type { PlanContext } from "./plan-context.ts";
import { problemAt } from "./plan-context.ts";

/** Names that are taken, where names are unique: by another wish, or by an object that stays as it is. */
export function findNameConflicts(context: PlanContext, drafts: readonly Draft[]): readonly Diagnostic[] {
  const leaving = new Set(drafts.filter(leavesItsName).map(({ live }) => live?.handle));
  const taking = drafts.filter((draft) => draft.kind.naturalKey === "parent" && takesAName(draft));
  const wished = new Map<string, string>();
  return taking.flatMap((draft) => {
    const name = String(draft.declared["name"]);
    const place = `${draft.kind.name} ${parentAddress(draft.address) ?? ""} ${name}`;
    const twin = wished.get(place);
    wished.set(place, draft.address);
    if (twin !== undefined) return [twins(context, draft, twin)];
    const [holder] = liveBeside(context, draft, name);
    return holder === undefined ||
      leaving.has(holder.handle) ||
      holder === draft.live ||
      isCollision(context, draft, holder)
      ? []
      : [heldBy(context, draft, holder)];
  });
}

/** A new object beside one that nobody declared: find-live.ts has said so, with the way out. */
function isCollision({ bindings }: PlanContext, { change }: Draft, holder: TreeNode): boolean {
  return change.action === "create" && !bindings.addressOf.has(holder.handle);
}

function takesAName({ change, send }: Draft): boolean {
  return (
    change.action === "create" ||
    change.action === "replace" ||
    (change.action === "update" && typeof send["name"] === "string")
  );
}

function leavesItsName({ change, send }: Draft): boolean {
  return (
    change.action === "delete" ||
    change.action === "replace" ||
    (change.action === "update" && typeof send["name"] === "string")
  );
}

function twins(context: PlanContext, { address, kind, declared }: Draft, twin: string): Diagnostic {
  const detail = `found it at ${twin} too; expected names of a ${kind.name} to be unique here. Give one of them another name`;
  return problemAt(context, address, {
    code: "LF1005",
    summary: `two objects are called "${String(declared["name"])}"`,
    detail,
    path: ["name"],
  });
}

function heldBy(context: PlanContext, { address, kind }: Draft, holder: TreeNode): Diagnostic {
  const owner = context.bindings.addressOf.get(holder.handle);
  const detail = `found ${owner ?? `${holder.handle}, which is not bound to this project`}; expected nothing of this name to stay. Choose another name`;
  const summary = `${kind.name} "${nodeName(holder)}" exists already`;
  return problemAt(context, address, { code: "LF3001", summary, detail, path: ["name"] });
}
