import type { Diagnostic } from "../model/diagnostic.ts";
import type { Hash } from "../model/fingerprint.ts";
import { isContentMark } from "../model/fingerprint.ts";
import { groupBy } from "../model/group-by.ts";
import type { Json } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import { same } from "../plan/diff-fields.ts";
import type { CreateIntent, Intent, JournalEntry } from "../state/journal.ts";
import { isPause } from "../state/journal.ts";
import type { StateResource } from "../state/state.ts";
import type { StateSession, StoredState } from "../state/store.ts";
import type { Clock } from "./apply-context.ts";
import { failureDiagnostic } from "./operation-failed.ts";
import type { CreateInDoubt, Recovery } from "./recover-create.ts";
import { lookFor, recoverCreates, withinIdOf } from "./recover-create.ts";
import { ambiguousCreate } from "./run-create.ts";

/** What recovery needs. */
export interface RecoverIntentsInput {
  readonly session: StateSession;
  readonly kinds: readonly AnyKind[];
  readonly reread: () => Promise<Tree>;
  readonly clock: Clock;
  readonly hash: Hash;
  /** The service ended with the killed run, so that nothing is on its way any more. */
  readonly isOver: boolean;
  readonly signal?: AbortSignal;
  readonly waiting?: (creates: number, ms: number) => void;
}

/** The state with the creates of a killed run settled (docs/engine.md, Journal and recovery). */
export interface Recovered {
  readonly stored: StoredState;
  readonly diagnostics: readonly Diagnostic[];
}

/** Settles the creates that an earlier run sent and never heard of: bound when they happened, dropped when they surely did not. */
export async function recoverIntents(stored: StoredState, input: RecoverIntentsInput): Promise<Recovered> {
  const creates = stored.intents.filter((intent): intent is CreateIntent => !isPause(intent));
  const open = await openCreates(creates, stored.state.resources, input);
  await closeConfirmed(creates, open, { ...input, resources: stored.state.resources });
  let settled: Settled = { resources: { ...stored.state.resources }, doubtful: [], diagnostics: [] };
  for (const generation of generations(open)) settled = await settleGeneration(input, generation, settled);
  const { resources, doubtful, diagnostics } = settled;
  const intents: readonly Intent[] = [...doubtful, ...stored.intents.filter(isPause)];
  return { stored: { state: { ...stored.state, resources }, intents }, diagnostics };
}

/** Creates whose bindings lead to what they made are open no longer, whatever becomes of this run. */
async function closeConfirmed(
  creates: readonly CreateIntent[],
  open: readonly CreateIntent[],
  { session, resources }: Pick<RecoverIntentsInput, "session"> & Pick<StoredState["state"], "resources">,
): Promise<void> {
  const isOpen = new Set(open);
  const entries = creates.flatMap((intent): readonly JournalEntry[] => {
    const resource = resources[intent.address];
    return isOpen.has(intent) || resource === undefined ? [] : [{ phase: "done", address: intent.address, resource }];
  });
  if (entries.length > 0) await session.record(entries);
}

/** Creates that may have happened unknown: of what is not bound, and of what was made anew for an object that is gone. */
async function openCreates(
  creates: readonly CreateIntent[],
  resources: StoredState["state"]["resources"],
  { reread, kinds }: RecoverIntentsInput,
): Promise<readonly CreateIntent[]> {
  const unbound = creates.filter(({ address }) => !(address in resources));
  if (unbound.length === creates.length) return unbound;
  return unresolvedCreates(creates, { resources, live: await reread(), kinds });
}

/**
 * Creates of which it is not known what they made: unbound ones, and those whose binding leads to no object, or to one of
 * another name while the one that they made is there (they were answered with a wrong id).
 */
export function unresolvedCreates(
  creates: readonly CreateIntent[],
  at: {
    readonly resources: StoredState["state"]["resources"];
    readonly live: Tree;
    readonly kinds: readonly AnyKind[];
  },
): readonly CreateIntent[] {
  const bound = new Set(Object.values(at.resources).map(({ kind, id }) => liveHandle(kind, id)));
  const isBound = (handle: string) => bound.has(handle);
  return creates.filter((intent) => {
    const resource = at.resources[intent.address];
    const node = resource && at.live.nodes.get(liveHandle(resource.kind, resource.id));
    if (node === undefined || node.identity?.createdAt !== resource?.createdAt) return true;
    if (intent.name === undefined || node.fields["name"] === intent.name) return false;
    const inDoubt = createInDoubt(at, intent, { resources: at.resources, isBound });
    return [...lookFor(inDoubt, at.live).values()].some(({ outcome }) => outcome === "found");
  });
}

interface Settled {
  readonly resources: Readonly<Record<string, StateResource>>;
  readonly doubtful: readonly CreateIntent[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Parents before children, and grids before their regions; within a generation all are looked for at the same time, so that all wait only once. */
export function generations(intents: readonly CreateIntent[]): readonly (readonly CreateIntent[])[] {
  const depthOf = ({ address, within }: CreateIntent) => 2 * address.split("/").length + (within === undefined ? 0 : 1);
  const byDepth = groupBy(intents, depthOf);
  return [...byDepth].sort(([left], [right]) => left - right).map(([, generation]) => generation);
}

async function settleGeneration(
  input: RecoverIntentsInput,
  generation: readonly CreateIntent[],
  settled: Settled,
): Promise<Settled> {
  const bound = handlesBeside(settled.resources, generation);
  const isBound = (handle: string) => bound.has(handle);
  const possible = generation.flatMap((intent) => createInDoubt(input, intent, { ...settled, isBound }));
  const found = await recoverCreates(possible, input);
  const recoveries = new Map(possible.map(({ intent }, index) => [intent, found[index] ?? gone]));
  const entries: JournalEntry[] = [];
  let next = settled;
  for (const intent of generation) {
    const recovery = recoveries.get(intent) ?? gone;
    const outcome = settleOne({ intent, recovery, settled: next, isBound });
    next = outcome.settled;
    if (recovery.outcome === "found") bound.add(recovery.node.handle);
    if (outcome.entry) entries.push(outcome.entry);
  }
  if (entries.length > 0) await input.session.record(entries);
  return next;
}

/** Handles that are bound apart from what these creates were answered with: that is what is in question. */
export function handlesBeside(
  resources: StoredState["state"]["resources"],
  creates: readonly CreateIntent[],
): Set<string> {
  const open = new Set(creates.map(({ address }) => address));
  return new Set(
    Object.entries(resources).flatMap(([address, { kind, id }]) => (open.has(address) ? [] : [liveHandle(kind, id)])),
  );
}

interface OneSettled {
  readonly settled: Settled;
  readonly entry?: JournalEntry;
}

/** Two creates that lead to the same object are as unclear as one that leads to two. */
function settleOne({
  intent,
  recovery,
  settled,
  isBound,
}: { readonly intent: CreateIntent; readonly recovery: Recovery; readonly settled: Settled } & Pick<
  CreateInDoubt,
  "isBound"
>): OneSettled {
  const { resources } = settled;
  if (recovery.outcome === "absent") return { settled, entry: { phase: "fail", address: intent.address } };
  const found = recovery.outcome === "found" ? recovery.node : undefined;
  const isTaken = found !== undefined && isBound(found.handle);
  if (found === undefined || isTaken) {
    const nodes = recovery.outcome === "ambiguous" ? recovery.nodes : [recovery.node];
    const diagnostic = failureDiagnostic(intent.address, ambiguousCreate(intent.address, nodes));
    return {
      settled: {
        ...settled,
        doubtful: [...settled.doubtful, intent],
        diagnostics: [...settled.diagnostics, diagnostic],
      },
    };
  }
  const resource = bindingFor(intent, found, resources[intent.parent ?? ""]);
  const entry: JournalEntry = { phase: "done", address: intent.address, resource };
  return { settled: { ...settled, resources: { ...resources, [intent.address]: resource } }, entry };
}

/** Without its parent a child cannot have been made. */
const gone = { outcome: "absent" } as const;

/** A create in doubt with what is bound by now; none when its parent is unknown: without that it cannot have been made. */
export function createInDoubt(
  { kinds }: Pick<RecoverIntentsInput, "kinds">,
  intent: CreateIntent,
  { resources, isBound }: Pick<StoredState["state"], "resources"> & Pick<CreateInDoubt, "isBound">,
): readonly CreateInDoubt[] {
  const kind = kindsByName(kinds).get(intent.kind);
  const parent = intent.parent === undefined ? undefined : resources[intent.parent];
  if (kind === undefined || (intent.parent !== undefined && parent === undefined)) return [];
  const withinId = withinIdOf(intent, (address) => resources[address]?.id);
  return [{ kind, intent, parentId: parent?.id, withinId, isBound }];
}

/**
 * The binding of what a lost create made. Last applied is what was sent and is there, apart from texts: the normal diff
 * sends what is missing, and takes back what is declared no more.
 */
export function bindingFor(
  intent: Pick<CreateIntent, "kind" | "sent">,
  node: TreeNode,
  parent: StateResource | undefined,
): StateResource {
  const { kind, sent = {} } = intent;
  const isApplied = ([name, value]: readonly [string, Json]) => !isContentMark(value) && same(value, node.fields[name]);
  return {
    kind,
    id: node.identity?.id ?? 0,
    createdAt: node.identity?.createdAt ?? "",
    ...(parent === undefined ? {} : { parent: parent.id }),
    applied: Object.fromEntries(Object.entries(sent).filter(isApplied)),
  };
}
