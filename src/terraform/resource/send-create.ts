import type { JsonObject } from "../../model/json.ts";
import type { AnyKind, RemoteScope, Wire } from "../../model/kind.ts";
import { ServiceError, UnresolvedAnswer } from "../../model/service-error.ts";
import type { TreeNode } from "../../model/tree.ts";
import { liveHandle } from "../../model/tree.ts";
import type { Match } from "../../remote/find-lost-create.ts";
import { findLostCreate, isUnresolved, traceableFields } from "../../remote/find-lost-create.ts";
import { createObject } from "../../remote/write-object.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { ProviderDiagnostic } from "../provider-session.ts";
import { explainWrite, ProviderProblem, quoted, refuse, warningAt } from "./provider-problem.ts";
import type { ResourceContext } from "./resource-context.ts";
import { scopeOf } from "./resource-context.ts";

/** A create to send. */
export interface CreateRequest {
  readonly resource: ResourceSchema;
  /** In normal form, as {@link traceableFields} takes them. */
  readonly fields: JsonObject;
  readonly body: JsonObject;
  readonly parentId: number | undefined;
}

/** A create that succeeded. */
export interface SentCreate {
  readonly wire: Wire;
  /** What was unclear on the way. */
  readonly warnings: readonly ProviderDiagnostic[];
}

/** How often a create is sent at most, unless the provider block says so. */
const usualTries = 3;
/** How long a lost create may still take effect: the request's timeout and 15 s (docs/engine.md, Assumptions A7). */
const lateEffectMs = 45_000;
/** Two looks this far apart before a create is sent again. */
const lookAgainMs = 2_000;

/**
 * Creates an object once. When no good answer comes, or one about an object that this create cannot have made, the object
 * is looked for, and only when it surely does not exist is the create sent again (docs/engine.md, Retries).
 */
export async function sendCreate(context: ResourceContext, request: CreateRequest): Promise<SentCreate> {
  const { body, parentId, resource } = request;
  const { kind } = resource;
  const scope = await scopeOf(context, resource);
  const known = await idsBefore(context, request);
  const unclear: string[] = [];
  for (;;) {
    const sentAt = context.access.now();
    try {
      const wire = await createObject(scope, kind, { body, parentId });
      const isTaken = await isAnothers(context, kind, { wire, scope });
      refuseFormer(context, request, { wire, known, sentAt, isTaken });
      context.known.add(liveHandle(kind.name, wire.id));
      return { wire, warnings: unclearWarning(request, unclear, "made by a later one") };
    } catch (problem) {
      if (!isUnresolved(problem)) throw problem;
      unclear.push(answerIn(problem));
      context.access.tell(lookWords(request, unclear));
      const found = await findLost(context, request, { sentAt, known });
      if (found !== undefined) {
        const wire = await readBack(context, request, { node: found, scope });
        return { wire, warnings: unclearWarning(request, unclear, `found as id ${wire.id}`) };
      }
      if (unclear.length >= mostTries(context, kind)) throw lastFailure(problem, resource, unclear.length);
    } finally {
      context.trees.drop();
    }
  }
}

/** The client itself sends an upsert again, which does no harm, as often as it may. */
function mostTries({ access: { settings } }: ResourceContext, kind: AnyKind): number {
  if (settings.tries === undefined) return usualTries;
  return kind.remote.upserts ? 1 : settings.tries;
}

/** What a create without a good answer made. After an interrupt nobody knows: a look that finds nothing then came too early, or failed. */
async function findLost(context: ResourceContext, request: CreateRequest, lost: Lost): Promise<TreeNode | undefined> {
  const { stopped } = context.access;
  try {
    const found = await awaitLost(context, request, lost);
    if (found !== undefined || !stopped.aborted) return found;
  } catch (problem) {
    if (!stopped.aborted) throw problem;
  }
  const { type } = request.resource;
  const detail = `The interrupt came before the create was answered. Apply again: where it was made after all, adopt_existing = "created_recently" in the provider block binds it, else an error shows its import block`;
  return refuse(undefined, `it is not known whether ${type} was created`, detail);
}

async function idsBefore(
  { trees }: ResourceContext,
  { resource, parentId }: CreateRequest,
): Promise<ReadonlyMap<number, string>> {
  const { kind } = resource;
  const parent = kind.parent === undefined ? undefined : liveHandle(kind.parent, parentId ?? -1);
  const ids = new Map<number, string>();
  for (const node of (await trees.recent(kind.name)).nodes.values())
    if (node.kind === kind.name && node.parent === parent && node.identity)
      ids.set(node.identity.id, node.identity.createdAt);
  return ids;
}

/** An answer about an object that was there before is not about the one that was created; an upsert may find an inactive one. */
function refuseFormer(
  { access }: ResourceContext,
  { resource }: CreateRequest,
  { wire, known, sentAt, isTaken }: Lost & { readonly wire: Wire; readonly isTaken: boolean },
): void {
  const { kind } = resource;
  const isFormer = known.get(wire.id) === wire["createdAt"];
  if ((isFormer && kind.remote.deactivated === undefined) || isTaken)
    throw new UnresolvedAnswer(`the create was answered with id ${wire.id}, which was there before`);
  if (kind.remote.upserts && !known.has(wire.id) && ageOf(wire) > access.now() - sentAt + stampSlackMs)
    tookOver(resource, wire);
}

/** Whether an answer's id is that of another object of this configuration; or the answer to that one's create was wrong. */
async function isAnothers(
  { known: ours }: ResourceContext,
  kind: AnyKind,
  { wire, scope }: { readonly wire: Wire; readonly scope: RemoteScope },
): Promise<boolean> {
  if (!ours.has(liveHandle(kind.name, wire.id))) return false;
  const live = await kind.remote.read?.({ ...scope, id: wire.id });
  return live?.["name"] !== wire["name"] || live?.["createdAt"] !== wire["createdAt"];
}

/** How far two readings of one clock of the service may be apart within one write. */
const stampSlackMs = 20;

/** The time between the creation and the last change of an object: by one clock, so that ours need not agree. */
function ageOf(wire: Wire): number {
  const createdAt = Date.parse(String(wire["createdAt"]));
  return Date.parse(String(wire["updatedAt"] ?? wire["createdAt"])) - createdAt;
}

/** An upsert updated an object that somebody made since the last look. */
function tookOver({ type }: ResourceSchema, { id, name }: Wire): never {
  const detail = `Somebody created id ${id} under this name since the last look. The write updated it: check whether it lost anything. It is not in the state; an import block takes it over`;
  refuse(["name"], `${type} ${JSON.stringify(name ?? "")} exists already`, detail);
}

interface Lost {
  readonly sentAt: number;
  readonly known: ReadonlyMap<number, string>;
}

/** The object of a create without a good answer; undefined once it surely does not exist. */
async function awaitLost(context: ResourceContext, request: CreateRequest, lost: Lost): Promise<TreeNode | undefined> {
  const { access } = context;
  const pauses = request.resource.kind.remote.upserts
    ? [0]
    : [0, lost.sentAt + lateEffectMs - access.now(), lookAgainMs];
  for (const pauseMs of pauses) {
    if (pauseMs > 0) await access.sleep(pauseMs);
    const match = await look(context, request, lost);
    if (match.outcome === "found") return match.node;
    if (match.outcome === "ambiguous") throw ambiguous(request, match.nodes);
    if (access.stopped.aborted) return undefined;
  }
  return undefined;
}

async function look(
  { trees, known: ours }: ResourceContext,
  { resource, fields, parentId }: CreateRequest,
  { sentAt, known }: Lost,
): Promise<Match> {
  const { kind } = resource;
  trees.drop();
  const within = typeof kind.naturalKey === "object" ? fields[kind.naturalKey.within] : undefined;
  const withinId = within !== null && typeof within === "object" && "id" in within ? Number(within["id"]) : undefined;
  return findLostCreate(
    {
      kind,
      parentId,
      withinId,
      name: typeof fields["name"] === "string" ? fields["name"] : undefined,
      sent: traceableFields(kind, fields),
      sentAt,
      known: kind.remote.deactivated === undefined ? [...known.keys()] : [],
      isBound: (handle) => ours.has(handle),
      isOwn: true,
    },
    await trees.read(kind.name),
  );
}

function ambiguous({ resource }: CreateRequest, nodes: readonly TreeNode[]): never {
  const ids = nodes.map(({ identity }) => identity?.id).join(", ");
  const detail = `Any of the ids ${ids} may be the one that was sent. Delete what is too many at the service, or take one over with an import block of ${resource.type}`;
  refuse(undefined, "it is not clear which object was made", detail);
}

/** A found object as its own GET shows it, or as the tree did where a kind has none. */
async function readBack(
  context: ResourceContext,
  { resource: { kind } }: CreateRequest,
  { node, scope }: { readonly node: TreeNode; readonly scope: RemoteScope },
): Promise<Wire> {
  const id = node.identity?.id ?? 0;
  context.known.add(node.handle);
  const { createdAt = "", updatedAt = "" } = node.identity ?? {};
  return (await kind.remote.read?.({ ...scope, id })) ?? { id, createdAt, updatedAt, ...node.facts };
}

/** The answer to a create that does not tell whether it happened, in words. */
function answerIn(problem: unknown): string {
  if (!(problem instanceof ServiceError)) return "about another object";
  return problem.status === undefined ? "none" : `status ${problem.status}`;
}

/** What is done about it, for a user who waits meanwhile. */
function lookWords(
  { resource, fields }: Pick<CreateRequest, "resource" | "fields">,
  unclear: readonly string[],
): string {
  const time = resource.kind.remote.upserts ? "" : ", which takes up to 47 s";
  return `${nameOf({ resource, fields })}: the answer to its create was unclear (${unclear.at(-1)}); it is looked for${time}`;
}

/** The warning beside an object that was created all the same; none where all was clear. */
function unclearWarning(
  created: Pick<CreateRequest, "resource" | "fields">,
  unclear: readonly string[],
  outcome: string,
): readonly ProviderDiagnostic[] {
  if (unclear.length === 0) return [];
  const summary = `the answer to the create of ${nameOf(created)} was unclear`;
  const detail = `The service's answers to ${timesWords(unclear.length)} were unclear (${unclear.join(", ")}). The object was looked for each time, and was ${outcome}. Nothing is to be done`;
  return [warningAt(undefined, summary, detail)];
}

/** The last failure of a create that is not sent again. */
function lastFailure(problem: unknown, resource: ResourceSchema, sends: number): ProviderProblem {
  const more = `It was sent ${sends === 1 ? "once" : `${sends} times`}, looked for each time, and is not there; max_retries of the provider block says how often it is sent again`;
  return new ProviderProblem(
    explainWrite(problem, resource).map((each) => ({ ...each, detail: `${each.detail}. ${more}` })),
  );
}

function timesWords(sends: number): string {
  return sends === 1 ? "one request" : `${sends} requests`;
}

function nameOf({ resource, fields }: Pick<CreateRequest, "resource" | "fields">): string {
  const { name } = fields;
  return typeof name === "string" ? `${resource.type} ${quoted(name)}` : resource.type;
}
