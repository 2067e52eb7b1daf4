import { kinds } from "../../kinds/index.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import type { AnyKind, RemoteScope, Wire } from "../../model/kind.ts";
import { ServiceError, UnresolvedAnswer } from "../../model/service-error.ts";
import { liveHandle } from "../../model/tree.ts";
import { hasTakenOver, readAnswered, refuseFormer } from "../../remote/answered-otherwise.ts";
import { type AwaitedCreate, CreateInDoubt, createSurely, longestSearchMs } from "../../remote/create-surely.ts";
import { isUnresolved, traceableFields } from "../../remote/find-lost-create.ts";
import { createObject } from "../../remote/write-object.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { ProviderDiagnostic } from "../provider-session.ts";
import { errorAt, explainWrite, ProviderProblem, quoted, refuse, warningAt } from "./provider-problem.ts";
import { type ResourceContext, scopeOf } from "./resource-context.ts";

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
  /** One for each answer that was unclear. */
  readonly warnings: readonly ProviderDiagnostic[];
}

/** Creates an object by the protocol of `remote`, and says what was unclear on the way. */
export async function sendCreate(context: ResourceContext, request: CreateRequest): Promise<SentCreate> {
  const { access, known, trees } = context;
  const { kind } = request.resource;
  const scope = await scopeOf(context, request.resource);
  const before = await createdBefore(context, request);
  const firstSentAt = access.now();
  const unclear: string[] = [];
  let outcome = "made by a later one";
  try {
    const wire = await createSurely({
      ...{ kind, scope, clock: access, signal: access.stopped },
      ...(access.settings.tries !== undefined && { tries: access.settings.tries }),
      send: () => sendOnce(context, request, { scope, before }),
      lost(problem) {
        unclear.push(answerIn(problem));
        access.tell(lookWords(request, unclear));
        return lostCreate(context, request, { before, sentAt: firstSentAt });
      },
      look() {
        trees.drop();
        return trees.read(kind.name);
      },
      found(handle, id) {
        known.add(handle);
        outcome = `found as id ${id}`;
      },
    });
    return { wire, warnings: unclearWarning(request, unclear, outcome) };
  } catch (problem) {
    if (problem instanceof CreateInDoubt) throw inDoubt(context, request, problem);
    throw isUnresolved(problem) ? lastFailure(problem, request.resource, unclear.length) : problem;
  } finally {
    trees.drop();
  }
}

type CreationTimes = ReadonlyMap<number, string>;

/** When the objects of that kind and parent were created that are there before, by id. */
async function createdBefore(
  { trees }: ResourceContext,
  { resource: { kind }, parentId }: CreateRequest,
): Promise<CreationTimes> {
  const parent = kind.parent === undefined ? undefined : liveHandle(kind.parent, parentId ?? -1);
  const times = new Map<number, string>();
  for (const node of (await trees.recent(kind.name)).nodes.values())
    if (node.kind === kind.name && node.parent === parent && node.identity)
      times.set(node.identity.id, node.identity.createdAt);
  return times;
}

/** Sends a create once, and refuses an answer about an object that it cannot have created, or that somebody else made. */
async function sendOnce(
  context: ResourceContext,
  { resource, body, parentId }: CreateRequest,
  { scope, before }: { readonly scope: RemoteScope; readonly before: CreationTimes },
): Promise<Wire> {
  const { access, known, trees } = context;
  const { kind } = resource;
  const sentAt = access.now();
  const wire = await createObject(scope, kind, { body, parentId }).finally(trees.drop);
  await refuseClaimed(context, { kind, wire, scope });
  const former = before.get(wire.id);
  const mayWake = kind.remote.deactivated !== undefined;
  await refuseFormer(scope, kind, { wire, before: former === undefined || mayWake ? [] : [former] });
  const elapsedMs = access.now() - sentAt;
  const isOurs = (handle: string) => known.has(handle);
  const isNew = former === undefined && kind.remote.upserts === true;
  if (isNew && hasTakenOver(kind, { wire, elapsedMs, kinds, isOurs })) tookOver(resource, wire);
  known.add(liveHandle(kind.name, wire.id));
  return wire;
}

/** Refuses an answer with the id of another object of this configuration, unless the answer to that one's create was wrong. */
async function refuseClaimed(
  { known }: ResourceContext,
  { kind, wire, scope }: { readonly kind: AnyKind; readonly wire: Wire; readonly scope: RemoteScope },
): Promise<void> {
  const handle = liveHandle(kind.name, wire.id);
  if (!known.has(handle)) return;
  const live = await readAnswered(scope, kind, wire);
  if (live?.["name"] === wire["name"] && live?.["createdAt"] === wire["createdAt"]) return;
  throw new UnresolvedAnswer(`the create was answered with ${handle}, which another resource has`);
}

/** An upsert updated an object that somebody made since the last look. */
function tookOver({ type }: ResourceSchema, { id, name }: Wire): never {
  const detail = `Somebody created id ${id} under this name since the last look. The write updated it: check whether it lost anything. It is not in the state; an import block takes it over`;
  refuse(["name"], `${type} ${JSON.stringify(name ?? "")} exists already`, detail);
}

function lostCreate(
  { known: ours, access }: ResourceContext,
  { resource: { kind }, fields, parentId }: CreateRequest,
  { before, sentAt }: { readonly before: CreationTimes; readonly sentAt: number },
): AwaitedCreate {
  const within = typeof kind.naturalKey === "object" ? fields[kind.naturalKey.within] : undefined;
  return {
    kind,
    parentId,
    withinId: isObject(within) && "id" in within ? Number(within["id"]) : undefined,
    name: typeof fields["name"] === "string" ? fields["name"] : undefined,
    sent: traceableFields(kind, fields),
    sentAt,
    lastSentAt: access.now(),
    known: kind.remote.deactivated === undefined ? [...before.keys()] : [],
    isBound: (handle) => ours.has(handle),
    isOwn: true,
  };
}

/** The failure of a create of which it could not be found out whether it happened. */
function inDoubt({ access }: ResourceContext, { resource }: CreateRequest, doubt: CreateInDoubt): unknown {
  const { type } = resource;
  if (doubt.nodes.length > 0) {
    const ids = doubt.nodes.map(({ identity }) => identity?.id).join(", ");
    const detail = `Any of the ids ${ids} may be the one that was sent. Delete what is too many at the service, or take one over with an import block of ${type}`;
    return new ProviderProblem([errorAt(undefined, "it is not clear which object was made", detail)]);
  }
  if (!access.stopped.aborted) return doubt.cause;
  const detail = `The interrupt came before the create was answered. Apply again: where it was made after all, adopt_existing = "created_recently" in the provider block binds it, else an error shows its import block`;
  return new ProviderProblem([errorAt(undefined, `it is not known whether ${type} was created`, detail)]);
}

/** The answer to a create that does not tell whether it happened, in words. */
function answerIn(problem: unknown): string {
  if (!(problem instanceof ServiceError)) return "about another object";
  return problem.status === undefined ? "none" : `status ${problem.status}`;
}

/** A line for a user who waits while the object is looked for. */
function lookWords(
  { resource, fields }: Pick<CreateRequest, "resource" | "fields">,
  unclear: readonly string[],
): string {
  const time = resource.kind.remote.upserts ? "" : `, which takes up to ${longestSearchMs / 1000} s`;
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
