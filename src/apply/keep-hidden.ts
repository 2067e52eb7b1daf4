import type { Api } from "../api/routes.ts";
import { addressesAbove, isWithin } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import type { Plan } from "../plan/plan.ts";
import type { State } from "../state/state.ts";
import { standsById } from "./stands-by-id.ts";

/** What a plan is looked through with. */
interface Looking {
  readonly api: Api;
  readonly kinds: readonly AnyKind[];
  readonly state: State;
}

/**
 * Objects that the service's lists no longer show are asked for once more by their ids before they are forgotten, for the
 * lists may have been late or cut short (docs/engine.md, Assumptions A10 and A15). Answers the plan without the ends of those that are
 * there, and what to say of them.
 */
export async function keepHidden(
  plan: Plan,
  looking: Looking,
): Promise<{ readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] }> {
  const gone = plan.changes.filter(({ reason }) => reason === "deleted outside");
  const places = new Set(gone.map(({ address }) => address));
  const roots = gone.filter(
    ({ action, address }) => action === "forget" && !addressesAbove(address).some((above) => places.has(above)),
  );
  const asked = await Promise.all(
    roots.map(async ({ address }) => ((await isThere(plan, { ...looking, address })) ? [address] : [])),
  );
  const hidden = asked.flat();
  if (hidden.length === 0) return { plan, diagnostics: [] };
  const isKept = (address: string) => hidden.some((root) => isWithin(address, root));
  const settles = Object.entries(plan.settles).filter(([address]) => !isKept(address));
  return { plan: { ...plan, settles: Object.fromEntries(settles) }, diagnostics: hidden.map(thereAfterAll) };
}

async function isThere(
  { target }: Plan,
  { api, kinds, state, address }: Looking & { readonly address: string },
): Promise<boolean> {
  const known = state.resources[address];
  if (known === undefined) return false;
  const kind = kindsByName(kinds).get(known.kind);
  return kind !== undefined && standsById(kind, known, { api, organization: target.organization, address });
}

function thereAfterAll(address: string): Diagnostic {
  const detail =
    "found it by its id, though the service's list did not show it; expected it to be gone. It stays bound. Plan again; if this stays so, the service's lists are incomplete";
  return { severity: "error", code: "LF6002", summary: `${address} is there after all`, detail, address };
}
