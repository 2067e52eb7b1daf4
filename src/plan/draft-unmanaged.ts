import { topAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { placeWords } from "./command-place.ts";
import { describeEnd } from "./describe-change.ts";
import type { Draft } from "./draft.ts";
import type { Undeclared } from "./find-undeclared.ts";
import { findUndeclared } from "./find-undeclared.ts";
import { findHolders } from "./hold-undeclared.ts";
import type { PlanContext } from "./plan-context.ts";
import { openName, problemAt } from "./plan-context.ts";

/** What nobody declared and is to go, and what is to be said about the rest. */
export interface UnmanagedDrafts {
  readonly drafts: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Deletes of what nobody declared below a test case that says `unmanaged: delete`. What something that
 * stays refers to stays too, with all below it.
 */
export function draftUnmanaged(
  context: PlanContext,
  of: { readonly drafts: readonly Draft[]; readonly liveOf: ReadonlyMap<string, string> },
): UnmanagedDrafts {
  const { undeclared, owners } = findUndeclared(context, of);
  const held = findHolders(context, of.drafts, undeclared);
  return {
    drafts: undeclared.filter(({ live }) => !held.has(live.handle)).map((each) => draftDeletion(context, each)),
    diagnostics: [
      ...undeclared.flatMap((each) => staysNotice(context, each, held.get(each.live.handle))),
      ...of.drafts.filter((draft) => isForgottenBelow(draft, owners)).map((draft) => contradiction(context, draft)),
    ],
  };
}

function draftDeletion(context: PlanContext, { address, kind, live }: Undeclared): Draft {
  const liveFields = context.resolver.live(kind, live.fields);
  const name = openName(context, live);
  // Nothing of it is managed: its name says which one it is, or, without a name, all that it has.
  const before = live.fields["name"] === undefined ? liveFields : { name };
  return {
    address,
    kind,
    live,
    liveFields,
    change: describeEnd({ address, kind, action: "delete", name, live, before, reason: "unmanaged" }),
    send: {},
    own: {},
    declared: {},
    diagnostics: [],
  };
}

function staysNotice(
  context: PlanContext,
  { address, owner, kind }: Undeclared,
  holder: string | undefined,
): readonly Diagnostic[] {
  if (holder === undefined) return [];
  const detail = `found it declared by nobody below ${owner}, which says unmanaged: delete, but ${holder} needs it; expected nothing to. It is not deleted. Declare the ${kind.name} with its name and take it over with: loadform apply${placeWords(context.input)} --adopt name; or let ${holder} do without it`;
  const notice = problemAt(context, owner, {
    code: "LF3014",
    summary: `${address} stays`,
    detail,
    path: ["unmanaged"],
  });
  return [{ ...notice, address, severity: "warning" }];
}

function isForgottenBelow({ address, change, live }: Draft, owners: readonly string[]): boolean {
  return change.action === "forget" && live !== undefined && owners.some((owner) => address.startsWith(`${owner}/`));
}

/** Once forgotten it would be one more object that nobody declared. */
function contradiction(context: PlanContext, { address }: Draft): Diagnostic {
  const owner = topAddress(address);
  const detail = `found removed: { address: ${address}, destroy: false } below ${owner}, which says unmanaged: delete; expected one of them. The next run would delete it as an object that nobody declared: say unmanaged: keep, or take the removed: entry out`;
  return problemAt(context, owner, { code: "LF1306", summary: `${address} is to stay and to go`, detail });
}
