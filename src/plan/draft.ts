import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { TreeNode } from "../model/tree.ts";
import type { StateResource } from "../state/state.ts";
import type { BindingParts, Change } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";

/** What planning found out about one address, before it becomes operations. */
export interface Draft {
  readonly address: string;
  readonly kind: AnyKind;
  readonly change: Change;
  /** The wish; absent for what goes. */
  readonly node?: TreeNode;
  /** The object at the service; absent for what is new. */
  readonly live?: TreeNode;
  /** Live fields in the plan's spelling: references as addresses, secrets as marks. */
  readonly liveFields: JsonObject;
  /** Fields to send with the object's own request. */
  readonly send: JsonObject;
  /** Fields that have a request of their own. */
  readonly own: JsonObject;
  readonly declared: JsonObject;
  readonly binding?: BindingParts;
  /** The binding when nothing has to be sent. */
  readonly settle?: StateResource | null;
  /** What happened outside. */
  readonly drift?: Change;
  readonly diagnostics: readonly Diagnostic[];
}

/** Fields as they stand, with references as addresses, and nothing masked: references may stand within what is. */
export function liveReferences({ resolver }: PlanContext, { kind, live }: Pick<Draft, "kind" | "live">): JsonObject {
  return live === undefined ? {} : resolver.live(kind, live.fields);
}

/** Whether it comes with what carries it, and is not there yet (docs/engine.md, Write routes). */
export function isPending({ kind, node, live }: Draft): boolean {
  return kind.carried === true && live === undefined && node !== undefined;
}
