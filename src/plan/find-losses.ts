import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { childIndex, liveHandle } from "../model/tree.ts";
import type { Draft } from "./draft.ts";
import { isDormant } from "./find-live.ts";
import type { Change } from "./plan.ts";
import { isEnding } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";

/** What would go with one object. */
export interface Losses {
  /** History by what it is: "executions" to how many. */
  readonly history: ReadonlyMap<string, number>;
  readonly running: number;
  /** Objects below that go with it although nothing here deletes them: nobody's here, or told to be forgotten. */
  readonly unmanaged: number;
  /** Addresses of those that are bound. */
  readonly bound: readonly string[];
  /** All of it in words, rows of data included. */
  readonly words: readonly string[];
}

/** What one delete or replacement destroys, counted once at the topmost object that goes. */
export function findLosses(context: PlanContext, draft: Draft, ending: readonly Draft[]): Losses {
  const { live } = draft;
  const none: Losses = { history: new Map(), running: 0, unmanaged: 0, bound: [], words: [] };
  if (live === undefined) return none;
  const going = new Set(ending.map((each) => each.live?.handle));
  const own = [live, ...ownBelow(context, live, going)];
  const history = new Map<string, number>();
  let running = 0;
  for (const node of own) {
    const found = context.input.history.get(node.handle);
    if (found === undefined) continue;
    if (found.count > 0) history.set(found.what, (history.get(found.what) ?? 0) + found.count);
    running += found.running;
  }
  const bound = own.flatMap((node) => (node === live ? [] : (context.bindings.addressOf.get(node.handle) ?? [])));
  const losses = { history, running, unmanaged: own.length - 1, bound };
  return { ...losses, words: [...totalLoss(losses), ...rowsIn(own)] };
}

/** Live objects below one that do not go by a delete of their own. */
function ownBelow(context: PlanContext, root: TreeNode, going: ReadonlySet<string | undefined>): readonly TreeNode[] {
  const children = [...(context.liveChildren.get(root.handle) ?? []), ...standingIn(context, root)].filter(
    (child) => !going.has(child.handle) && !isOff(context, child),
  );
  return children.flatMap((child) => [child, ...ownBelow(context, child, going)]);
}

/** Objects that are named within another one without being its children: the regions of a grid go with it. */
function standingIn({ input, kinds }: PlanContext, root: TreeNode): readonly TreeNode[] {
  const within = [...kinds.values()].flatMap(({ name, naturalKey, fields }) => {
    const field = typeof naturalKey === "object" ? naturalKey.within : undefined;
    return field !== undefined && fields[field]?.reference?.kind === root.kind ? [{ kind: name, field }] : [];
  });
  if (within.length === 0) return [];
  const isWithin = (node: TreeNode) =>
    within.some(({ kind, field }) => {
      const value = node.kind === kind ? node.fields[field] : undefined;
      return isObject(value) && value["id"] === root.identity?.id;
    });
  return [...input.live.nodes.values()].filter(isWithin);
}

/** Whether an object counts as absent: a deactivated region. */
function isOff({ kinds }: PlanContext, node: TreeNode): boolean {
  const kind = kinds.get(node.kind);
  return kind !== undefined && isDormant(kind, node);
}

/** What blocks without `--allow-destroy`. */
export function totalLoss({ history, unmanaged }: Pick<Losses, "history" | "unmanaged">): readonly string[] {
  const counted = [...history].map(([what, count]) => `${count} ${count === 1 ? what.replace(/s$/, "") : what}`);
  return unmanaged > 0 ? [...counted, `${unmanaged} unmanaged ${unmanaged === 1 ? "object" : "objects"}`] : counted;
}

function rowsIn(nodes: readonly TreeNode[]): readonly string[] {
  const rows = nodes.reduce(
    (sum, { facts }) => sum + (typeof facts?.["numRows"] === "number" ? facts["numRows"] : 0),
    0,
  );
  return rows > 0 ? [`${rows} data ${rows === 1 ? "row" : "rows"}`] : [];
}

/** Live objects whose history has to be counted before these changes can be judged (docs/engine.md, Guards). */
export function historyToCount(changes: readonly Change[], live: Tree, kinds: readonly AnyKind[]): readonly TreeNode[] {
  const children = childIndex(live);
  const byName = kindsByName(kinds);
  const found = new Set<TreeNode>();
  const collect = (node: TreeNode): void => {
    if (byName.get(node.kind)?.history) found.add(node);
    for (const child of children.get(node.handle) ?? []) collect(child);
  };
  for (const change of changes) {
    const { id, kind } = change;
    const node = id === undefined ? undefined : live.nodes.get(liveHandle(kind, id));
    if (node && isEnding(change)) collect(node);
  }
  return [...found];
}
