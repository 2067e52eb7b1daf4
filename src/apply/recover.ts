import type { Diagnostic } from "../model/diagnostic.ts";
import { isContentMark, same } from "../model/fingerprint.ts";
import { groupBy } from "../model/group-by.ts";
import type { Json } from "../model/json.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import { liveHandle, type Tree, type TreeNode } from "../model/tree.ts";
import { awaitLostCreates } from "../remote/create-surely.ts";
import { absent, findLostCreate, type Match } from "../remote/find-lost-create.ts";
import type { JournalEntry } from "../state/journal.ts";
import { type CreateIntent, type Intent, isPause, type StateResource } from "../state/state.ts";
import type { StateSession, StoredState } from "../state/store.ts";
import type { Clock, Reread } from "./apply-context.ts";
import { type PendingCreate, pendingCreate } from "./confirm-writes.ts";
import { ambiguousCreate, explainOperation } from "./operation-failed.ts";

export interface RecoverIntentsInput {
  readonly session: StateSession;
  readonly kinds: readonly AnyKind[];
  readonly reread: Reread;
  readonly clock: Clock;
  /** The service ended with the killed run, so that nothing is on its way any more. */
  readonly isOver: boolean;
  readonly signal?: AbortSignal;
  readonly waiting?: (creates: number, ms: number) => void;
}

type Resources = StoredState["state"]["resources"];

/**
 * The state with the creates resolved that an earlier run sent and never heard of: bound when they happened, dropped when they
 * surely did not (docs/engine.md, Journal and recovery).
 */
export async function recoverIntents(
  stored: StoredState,
  input: RecoverIntentsInput,
): Promise<{ readonly stored: StoredState; readonly diagnostics: readonly Diagnostic[] }> {
  const creates = stored.intents.filter((intent): intent is CreateIntent => !isPause(intent));
  const pending = await pendingOf(creates, stored.state.resources, input);
  await closeConfirmed(creates, pending, { ...input, resources: stored.state.resources });
  let progress: Progress = { resources: { ...stored.state.resources }, unresolved: [], diagnostics: [] };
  for (const generation of generations(pending)) progress = await recoverGeneration(input, generation, progress);
  const { resources, unresolved, diagnostics } = progress;
  const intents: readonly Intent[] = [...unresolved, ...stored.intents.filter(isPause)];
  return { stored: { state: { ...stored.state, resources }, intents }, diagnostics };
}

/** Creates whose bindings lead to what they created are pending no longer, whatever becomes of this run. */
async function closeConfirmed(
  creates: readonly CreateIntent[],
  pending: readonly CreateIntent[],
  { session, resources }: Pick<RecoverIntentsInput, "session"> & { readonly resources: Resources },
): Promise<void> {
  const isPending = new Set(pending);
  const entries = creates.flatMap((intent): readonly JournalEntry[] => {
    const resource = resources[intent.address];
    return isPending.has(intent) || resource === undefined
      ? []
      : [{ phase: "done", address: intent.address, resource }];
  });
  if (entries.length > 0) await session.record(entries);
}

/** Creates that may have happened although no answer is recorded: their address is not bound, or is bound to an object that no longer exists. */
async function pendingOf(
  creates: readonly CreateIntent[],
  resources: Resources,
  { reread, kinds }: RecoverIntentsInput,
): Promise<readonly CreateIntent[]> {
  const unbound = creates.filter(({ address }) => !(address in resources));
  if (unbound.length === creates.length) return unbound;
  return unresolvedCreates(creates, { resources, live: await reread(creates), kinds });
}

/**
 * Creates of which it is not known what they created: unbound ones, and those whose binding leads to no object, or to one
 * of another name while the one that they created is there (they were answered with a wrong id).
 */
export function unresolvedCreates(
  creates: readonly CreateIntent[],
  at: { readonly resources: Resources; readonly live: Tree; readonly kinds: readonly AnyKind[] },
): readonly CreateIntent[] {
  const boundTo = groupBy(Object.keys(at.resources), (address) => {
    const resource = at.resources[address];
    return resource && liveHandle(resource.kind, resource.id);
  });
  const names = new Map(creates.map(({ address, name }) => [address, name]));
  return creates.filter((intent) => {
    const resource = at.resources[intent.address];
    const node = resource && at.live.nodes.get(liveHandle(resource.kind, resource.id));
    if (node === undefined || node.identity?.createdAt !== resource?.createdAt) return true;
    if (intent.name === undefined || node.fields["name"] === intent.name) return false;
    // A create of another name that was answered with an object was answered wrongly.
    const isBound = (handle: string) =>
      boundTo.get(handle)?.some((address) => (names.get(address) ?? intent.name) === intent.name) ?? false;
    const pending = possibleCreate(at.kinds, intent, { resources: at.resources, isBound });
    return pending.some((create) => findLostCreate(create, at.live).outcome === "found");
  });
}

interface Progress {
  readonly resources: Readonly<Record<string, StateResource>>;
  readonly unresolved: readonly CreateIntent[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Parents before children, and grids before their regions; within a generation all are looked for at the same time, so that all wait only once. */
export function generations(intents: readonly CreateIntent[]): readonly (readonly CreateIntent[])[] {
  const depthOf = ({ address, within }: CreateIntent) => 2 * address.split("/").length + (within === undefined ? 0 : 1);
  const byDepth = groupBy(intents, depthOf);
  return [...byDepth].sort(([left], [right]) => left - right).map(([, generation]) => generation);
}

async function recoverGeneration(
  input: RecoverIntentsInput,
  generation: readonly CreateIntent[],
  progress: Progress,
): Promise<Progress> {
  const bound = handlesBeside(progress.resources, generation);
  const isBound = (handle: string) => bound.has(handle);
  const possible = generation.flatMap((intent) => possibleCreate(input.kinds, intent, { ...progress, isBound }));
  const look = (creates: readonly PendingCreate[]) => input.reread(creates.map(({ intent }) => intent));
  const found = await awaitLostCreates(possible, { ...input, look });
  const matches = new Map(possible.map(({ intent }, index) => [intent, found[index] ?? absent]));
  const entries: JournalEntry[] = [];
  let next = progress;
  for (const intent of generation) {
    // Without its parent a child cannot have been created.
    const match = matches.get(intent) ?? absent;
    const outcome = resolveCreate(intent, match, { progress: next, isBound });
    next = outcome.progress;
    if (match.outcome === "found") bound.add(match.node.handle);
    if (outcome.entry) entries.push(outcome.entry);
  }
  if (entries.length > 0) await input.session.record(entries);
  return next;
}

/** Handles that are bound apart from what these creates were answered with: that is what is in question. */
export function handlesBeside(resources: Resources, creates: readonly CreateIntent[]): Set<string> {
  const pending = new Set(creates.map(({ address }) => address));
  return new Set(
    Object.entries(resources).flatMap(([address, { kind, id }]) =>
      pending.has(address) ? [] : [liveHandle(kind, id)],
    ),
  );
}

/** Two creates that lead to the same object are as unclear as one that leads to two. */
function resolveCreate(
  intent: CreateIntent,
  match: Match,
  { progress, isBound }: { readonly progress: Progress } & Pick<PendingCreate, "isBound">,
): { readonly progress: Progress; readonly entry?: JournalEntry } {
  const { resources } = progress;
  if (match.outcome === "absent") return { progress, entry: { phase: "fail", address: intent.address } };
  const found = match.outcome === "found" ? match.node : undefined;
  if (found === undefined || isBound(found.handle)) {
    const nodes = match.outcome === "ambiguous" ? match.nodes : [match.node];
    const diagnostic = explainOperation(ambiguousCreate(intent.address, nodes), intent.address);
    const unresolved = [...progress.unresolved, intent];
    return { progress: { ...progress, unresolved, diagnostics: [...progress.diagnostics, diagnostic] } };
  }
  const resource = bindingFor(intent, found, resources[intent.parent ?? ""]);
  const entry: JournalEntry = { phase: "done", address: intent.address, resource };
  return { progress: { ...progress, resources: { ...resources, [intent.address]: resource } }, entry };
}

/** A pending create with what is bound by now; none when its parent is unknown: without that it cannot have been created. */
export function possibleCreate(
  kinds: readonly AnyKind[],
  intent: CreateIntent,
  { resources, isBound }: { readonly resources: Resources } & Pick<PendingCreate, "isBound">,
): readonly PendingCreate[] {
  const kind = kindsByName(kinds).get(intent.kind);
  if (kind === undefined || (intent.parent !== undefined && resources[intent.parent] === undefined)) return [];
  return [pendingCreate(kind, intent, { boundId: (address) => resources[address]?.id, isBound })];
}

/**
 * The binding of the object that a lost create made. Last applied are the sent values that the object has, without texts: the
 * normal diff sends missing values, and clears those that are no longer declared.
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
