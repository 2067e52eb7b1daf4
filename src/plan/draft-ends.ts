import { isWithin, lastStep } from "../model/address.ts";
import type { AnyKind } from "../model/kind.ts";
import { nodeName } from "../model/tree.ts";
import type { Binding } from "./bind-nodes.ts";
import { appliedFields } from "./binding-of.ts";
import { describeEnd } from "./describe-change.ts";
import type { Draft } from "./draft.ts";
import { isDormant, savedAnew } from "./find-live.ts";
import { maskSecrets } from "./mask-secrets.ts";
import type { PlanContext } from "./plan-context.ts";

/** What is bound and no longer wished for: deleted, forgotten, or found gone already. */
export function draftEnds(context: PlanContext): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const binding of context.bindings.byAddress.values()) {
    const kind = context.kinds.get(binding.resource.kind);
    if (kind === undefined || context.desired.nodes.has(binding.address) || !context.isSelected(binding.address))
      continue;
    drafts.push(draftEnd(context, ofSavedAnew(context, binding, kind), kind));
  }
  return drafts;
}

/** The binding with the object that somebody saved anew in the place of its own; one object takes the place of one only. */
function ofSavedAnew(context: PlanContext, binding: Binding, kind: AnyKind): Binding {
  const live = savedAnew(context, binding, kind);
  if (live === undefined) return binding;
  context.adopted.set(live.handle, binding.address);
  return { ...binding, live };
}

function draftEnd(context: PlanContext, binding: Binding, kind: AnyKind): Draft {
  const { address, live } = binding;
  const isGone = live === undefined || isDormant(kind, live);
  const isTaken = live !== undefined && kind.carried === true && context.adopted.has(live.handle);
  const isKept = isTaken || isForgotten(context, address) || isStillCarried(context, binding, kind);
  const action = isGone || isKept ? "forget" : "delete";
  const liveFields = maskedLive(context, binding, kind);
  const change = describeEnd({
    address,
    kind,
    action,
    name: live?.fields.name === undefined ? lastStep(address).key : nodeName(live),
    ...(live && { live }),
    before: live ? liveFields : binding.resource.applied,
    ...(isGone && { reason: binding.foreign ? "another object has its id now" : "deleted outside" }),
  });
  return {
    address,
    kind,
    change,
    ...(live && { live }),
    liveFields,
    send: {},
    own: {},
    declared: {},
    ...(action === "forget" && { settle: null }),
    ...(isGone && { drift: { ...change, action: "delete" } }),
    diagnostics: [],
  };
}

/** Live values of what was applied, with secrets as marks. */
function maskedLive(context: PlanContext, { resource, live }: Binding, kind: AnyKind) {
  const applied = appliedFields(resource);
  const shown = live === undefined ? {} : context.resolver.live(kind, live.fields);
  const secrets = resource.secrets ?? {};
  const { fingerprint } = context.input;
  const masked = maskSecrets({ kind, desired: {}, applied, live: shown, sensitive: [], secrets, fingerprint }).live;
  const managed = new Set(["name", ...Object.keys(applied), ...Object.keys(secrets).map((path) => path.split(".")[0])]);
  return Object.fromEntries(Object.entries(masked).filter(([name]) => managed.has(name)));
}

/** What comes with its carriers stays as long as the project has one: a tag that a scenario still names. */
function isStillCarried({ desired, kinds }: PlanContext, { live }: Binding, kind: AnyKind): boolean {
  if (!kind.carried || live === undefined) return false;
  const name = nodeName(live);
  return [...desired.nodes.values()].some((node) =>
    Object.entries(kinds.get(node.kind)?.fields ?? {}).some(([field, { of }]) => {
      const names = of?.reference?.kind === kind.name ? node.fields[field] : undefined;
      return Array.isArray(names) && names.includes(name);
    }),
  );
}

function isForgotten(context: PlanContext, address: string): boolean {
  const block = context.input.removed.find((removed) => isWithin(address, removed.address));
  return block !== undefined && !block.destroy;
}
