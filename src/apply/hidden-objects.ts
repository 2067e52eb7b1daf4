import type { Api } from "../api/routes.ts";
import { addressesAbove, isWithin, parentAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import { isThere } from "../remote/confirm-gone.ts";
import type { State, StateResource } from "../state/state.ts";
import type { ApplyContext } from "./apply-context.ts";
import { OperationFailed } from "./operation-failed.ts";

/**
 * Objects that the service's lists no longer show are asked for once more by their ids before they are forgotten, for the
 * lists may have been late or cut short (docs/engine.md, Assumptions A10 and A15). Returns the plan with each object that
 * still exists left bound, and a diagnostic for it.
 */
export async function keepHidden(
  plan: Plan,
  { api, kinds, state }: { readonly api: Api; readonly kinds: readonly AnyKind[]; readonly state: State },
): Promise<{ readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] }> {
  const gone = plan.changes.filter(({ reason }) => reason === "deleted outside");
  const places = new Set(gone.map(({ address }) => address));
  const roots = gone.filter(
    ({ action, address }) => action === "forget" && !addressesAbove(address).some((above) => places.has(above)),
  );
  const byName = kindsByName(kinds);
  const { organization } = plan.target;
  const asked = await Promise.all(
    roots.map(async ({ address }) => {
      const known = state.resources[address];
      const kind = byName.get(known?.kind ?? "");
      if (known === undefined || kind === undefined) return [];
      return (await isThere({ api, organization, address }, kind, known)) ? [address] : [];
    }),
  );
  const hidden = asked.flat();
  if (hidden.length === 0) return { plan, diagnostics: [] };
  const isKept = (address: string) => hidden.some((root) => isWithin(address, root));
  const stateChanges = Object.entries(plan.stateChanges).filter(([address]) => !isKept(address));
  return {
    plan: { ...plan, stateChanges: Object.fromEntries(stateChanges) },
    diagnostics: hidden.flatMap((address) => existsAfterAll(address, "The object", "It remains bound").diagnostics),
  };
}

/** The refusal to believe a list that does not show an object which exists; `kept` says what was done about it. */
function existsAfterAll(address: string, what: string, kept: string): OperationFailed {
  return new OperationFailed(address, {
    code: "LF6002",
    summary: `${address} exists after all`,
    detail: `${what} still exists, though the service's list did not show it. ${kept}. Plan again; if this happens again, the service's lists are incomplete`,
  });
}

/**
 * An object that the service's list no longer showed is asked for once more by its id before it is created again: the list
 * may have been late or cut short (docs/engine.md, Assumptions A10 and A15).
 */
export async function refuseHidden(context: ApplyContext, { address, kind: name }: Operation): Promise<void> {
  const { resources, vanished } = context;
  const known = resources.get(address);
  const parent = parentAddress(address);
  if (!vanished.has(address) || known === undefined) return;
  // The delete of its parent has deleted it too.
  if (parent !== undefined && vanished.has(parent)) return;
  if (await isThere(context.scopeOf(address), context.kindOf(name), known))
    refuseToCreate(context, { address, kind: name }, known.id);
}

/** Fails an upsert whose answer is the very object that the list had hidden. A deactivated one may be activated again. */
export function refuseShown(context: ApplyContext, { address, kind }: Operation, was: StateResource | undefined): void {
  const { vanished, resources, kindOf } = context;
  const now = resources.get(address);
  const isSame = was?.id === now?.id && was?.createdAt === now?.createdAt;
  const isHidden = isSame && vanished.has(address) && kindOf(kind).remote.deactivated === undefined;
  if (isHidden && now !== undefined) refuseToCreate(context, { address, kind }, now.id);
}

/** It exists after all: what was bound below it, and was counted as deleted with it, remains bound. */
function refuseToCreate(
  { state, resources }: ApplyContext,
  { address, kind }: Pick<Operation, "address" | "kind">,
  id: number,
): never {
  for (const [each, resource] of Object.entries(state.resources))
    if (isWithin(each, address) && !resources.has(each)) resources.set(each, resource);
  throw existsAfterAll(address, `${kind} ${id}`, "It was not created a second time");
}
