import { configuration, schedule } from "../../kinds/index.ts";
import { same } from "../../model/fingerprint.ts";
import type { JsonObject } from "../../model/json.ts";
import type { AnyKind, RemoteScope, Wire } from "../../model/kind.ts";
import { isMadeOf, readFields } from "../../model/normal-form.ts";
import { liveHandle } from "../../model/tree.ts";
import { readObject } from "../../remote/confirm-gone.ts";
import { isUnresolved } from "../../remote/find-lost-create.ts";
import { type InlineChild, type InlineList, writtenChildren } from "../../remote/inline-children.ts";
import { updateObject } from "../../remote/write-object.ts";
import type { ProviderDiagnostic, ResourceState } from "../provider-session.ts";
import { liveAnswer } from "../values/live-object.ts";
import { mergeState } from "../values/merge-state.ts";
import { idIn, parentIdOf } from "../values/resource-type.ts";
import { type DesiredObject, splitSeparate } from "./desired-object.ts";
import { explainWrite, ProviderProblem, refuse, warningAt } from "./provider-problem.ts";
import { idNow, type ResourceContext, scopeOf } from "./resource-context.ts";
import { settleState } from "./settle-state.ts";
import type { WriteRequest } from "./write-request.ts";

/** A configuration with the schedules in it, as they are now. */
interface Place {
  readonly scope: RemoteScope;
  readonly configuration: Wire;
  readonly schedules: readonly Wire[];
}

/**
 * Adds a schedule to its configuration; the others are repeated as they are read, one write at a time. An equal one that no
 * resource has is most likely that of a run whose answer was lost: two would start everything twice.
 */
export function createSchedule(
  context: ResourceContext,
  request: WriteRequest,
  desired: DesiredObject,
): Promise<ResourceState> {
  return atConfiguration(context, request, async (place) => {
    const { own, separate } = splitSeparate(request.resource, desired.fields);
    const twin = unclaimedTwin(context, place, own);
    if (twin !== undefined && !context.access.settings.adoptsRecent) return exists(request, twin);
    const { child, warnings } = twin
      ? { child: twin, warnings: [] }
      : await putSurely(context, place, { request, own });
    context.known.add(liveHandle(schedule.name, child.id));
    if (twin !== undefined) context.adopted.add(liveHandle(schedule.name, child.id));
    const settled = await settle(place, { request, child, separate });
    return { ...settled, diagnostics: [...warnings, ...settled.diagnostics] };
  });
}

/** Changes a schedule under its id; pausing and resuming is a request of its own. */
export function updateSchedule(
  context: ResourceContext,
  request: WriteRequest,
  desired: DesiredObject,
): Promise<ResourceState> {
  return atConfiguration(context, request, async (place) => {
    const id = listedId(context, request, place);
    const former = place.schedules.find((each) => each.id === id);
    if (former === undefined)
      return refuse(
        undefined,
        `${request.resource.type} ${String(id)} is not there any more`,
        "Its configuration no longer has this schedule. Plan again",
      );
    const { own, separate } = splitSeparate(request.resource, desired.fields);
    const isSame =
      same(own, splitSeparate(request.resource, readFields(schedule, former)).own) || isFinished(former, own);
    const child = isSame ? former : await put(context, place, { replaced: { id: former.id, fields: own } });
    context.known.add(liveHandle(schedule.name, child.id));
    return settle(place, { request, child, separate });
  });
}

/** Removes a schedule from its configuration; the last one by a word of its own. */
export function deleteSchedule(context: ResourceContext, request: WriteRequest): Promise<void> {
  return atConfiguration(context, request, async (place) => {
    const id = listedId(context, request, place);
    if (id === undefined || !place.schedules.some((each) => each.id === id)) return;
    if (context.adopted.has(liveHandle(schedule.name, id))) return;
    await put(context, place, { removed: id });
    context.known.delete(liveHandle(schedule.name, id));
    context.deleted.add(liveHandle(schedule.name, id));
  });
}

/**
 * Sends one request about an object. One about a configuration comes between those about its schedules, and repeats them for a service
 * that would drop them (docs/engine.md, Assumptions A3): those `before` a request for the same change that may have done so, by default
 * those that there are.
 */
export function withSchedules(
  context: ResourceContext,
  { kind, scope, id }: { readonly kind: AnyKind; readonly scope: RemoteScope; readonly id: number },
  send: (inline?: InlineList) => Promise<Wire>,
  before?: InlineList,
): Promise<Wire> {
  if (kind.name !== configuration.name) return send();
  return whileNobodyElse(context, id, async () => {
    const inline = before ?? keptSchedules(await readConfiguration(context, scope, id));
    const wire = await send(inline);
    if (inline) noteAnswer(context, inline, wire);
    return wire;
  });
}

/** Runs what reads the list of a configuration and writes it again while nobody else does. */
function whileNobodyElse<T>({ shared, access }: ResourceContext, id: number, run: () => Promise<T>): Promise<T> {
  const key = liveHandle(configuration.name, id);
  return shared.oneAtATime(key, () => access.oneOnMachine(key, run));
}

function keptSchedules(wire: Wire | undefined): InlineList | undefined {
  const schedules = wire && schedule.remote.within?.(wire, undefined);
  return schedules && { kind: schedule, items: schedules.map(asItRead), unchanged: true };
}

/** The id under which a schedule is in the list now. */
function listedId(context: ResourceContext, { prior }: WriteRequest, { schedules }: Place): number | undefined {
  const id = idIn(prior["id"]);
  return id === undefined || schedules.some((each) => each.id === id) ? id : idNow(context, schedule, id);
}

/** Takes note of what a service made anew, and of its answer, which a later read may show late. */
function noteAnswer({ shared, known }: ResourceContext, { items }: Pick<InlineList, "items">, wire: Wire): void {
  shared.answered.set(wire.id, wire);
  for (const { item, child, isAnew } of writtenChildren({ kind: schedule, items }, wire)) {
    if (!isAnew) continue;
    const former = liveHandle(schedule.name, item.id ?? -1);
    shared.renumbered.delete(liveHandle(schedule.name, child.id));
    shared.renumbered.set(former, child.id);
    if (known.has(former)) known.add(liveHandle(schedule.name, child.id));
  }
}

/** A configuration as the service shows it, or as it answered the last write of it where that is later (docs/engine.md, Assumptions A10). */
async function readConfiguration(
  { shared }: ResourceContext,
  scope: RemoteScope,
  id: number,
): Promise<Wire | undefined> {
  const wire = await readObject(scope, configuration, id);
  const answered = shared.answered.get(id);
  return wire && answered && isLater(answered, wire) ? answered : wire;
}

/** Of two moments that are the same, the one that shows more is later. */
function isLater(answered: Wire, read: Wire): boolean {
  const [ours, theirs] = [answered, read].map((wire) => schedule.remote.within?.(wire, undefined) ?? []);
  const ids = new Set(ours?.map(({ id }) => id));
  const isMore = ids.size > (theirs?.length ?? 0) && theirs?.every(({ id }) => ids.has(id)) === true;
  const [own, other] = [String(answered["updatedAt"]), String(read["updatedAt"])];
  return own > other || (own === other && isMore);
}

async function atConfiguration<T>(
  context: ResourceContext,
  { resource, planned, prior }: WriteRequest,
  run: (place: Place) => Promise<T>,
): Promise<T> {
  const id = parentIdOf(resource, planned) ?? parentIdOf(resource, prior);
  if (id === undefined)
    return refuse(
      ["configuration_id"],
      "the schedule has no configuration",
      "Set it to the id of a loadform_configuration",
    );
  const scope = await scopeOf(context, resource);
  return whileNobodyElse(context, id, async () => {
    const wire = await readConfiguration(context, scope, id);
    const schedules = wire === undefined ? [] : schedule.remote.within?.(wire, undefined);
    if (wire !== undefined && schedules === undefined)
      return refuse(undefined, "the service's answer is incomplete", `Configuration ${id} came without its schedules`);
    if (wire === undefined && prior["id"] === undefined)
      return refuse(["configuration_id"], `configuration ${id} is not there`, "It no longer exists. Plan again");
    try {
      return await run({ scope, configuration: wire ?? { id }, schedules: schedules ?? [] });
    } finally {
      context.trees.drop();
    }
  });
}

interface ScheduleChange {
  readonly added?: InlineChild;
  readonly replaced?: InlineChild;
  readonly removed?: number;
}

/** Sends all schedules with one change, and answers the schedule that it is about as the service has it then. */
async function put(
  context: ResourceContext,
  place: Place,
  { added, replaced, removed }: ScheduleChange,
): Promise<Wire> {
  const { scope, configuration: above, schedules } = place;
  const others = schedules.filter(({ id }) => id !== removed && id !== replaced?.id).map(asItRead);
  const changed = added ?? replaced;
  const items: readonly InlineChild[] = [...others, ...(changed ? [changed] : [])];
  const { access } = context;
  const wire = await updateObject({ ...scope, habits: access.habits }, configuration, {
    id: above.id,
    currentName: String(above["name"] ?? ""),
    fields: {},
    declared: {},
    kept: readFields(configuration, above),
    inline: { kind: schedule, items },
    sources: { idOf: () => undefined, secret: () => undefined, content: () => undefined },
  });
  noteAnswer(context, { items }, wire);
  const own = writtenChildren({ kind: schedule, items }, wire).find(({ item }) => item === changed)?.child;
  if (own !== undefined || changed === undefined) return own ?? wire;
  return refuse(
    undefined,
    "the service's answer is incomplete",
    "The answer to the write of this schedule does not have it. Look at the configuration, then plan again",
  );
}

/** A schedule as a request repeats it; whether it is paused is restored where the service makes it anew. */
function asItRead(wire: Wire): InlineChild {
  const { active, ...fields } = readFields(schedule, wire);
  return { id: wire.id, fields, ...(active !== undefined && { separate: { active } }) };
}

/** A schedule with the same fields that no resource of this run has. */
function unclaimedTwin({ isKnown }: ResourceContext, { schedules }: Place, own: JsonObject): Wire | undefined {
  return schedules.find(
    (each) => !isKnown(liveHandle(schedule.name, each.id)) && isMadeOf(schedule, own, readFields(schedule, each)),
  );
}

function exists({ resource: { type } }: WriteRequest, { id }: Wire): never {
  const block = `import {\n  to = ${type}.<name>\n  id = "${id}"\n}`;
  const detail = `Its configuration has an equal one with id ${id}: two would start the same twice. If another resource of this configuration has that one, remove this one. Otherwise, to manage it here, add this block and apply again; <name> is that of your resource:\n\n${block}`;
  return refuse(undefined, `such a ${type} exists already`, detail);
}

/** Adds a schedule; after a write without an answer it is looked for. */
async function putSurely(
  context: ResourceContext,
  place: Place,
  { request, own }: { readonly request: WriteRequest; readonly own: JsonObject },
): Promise<{ readonly child: Wire; readonly warnings: readonly ProviderDiagnostic[] }> {
  try {
    return { child: await put(context, place, { added: { fields: own } }), warnings: [] };
  } catch (problem) {
    if (!isUnresolved(problem)) throw problem;
    const now = await readObject(place.scope, configuration, place.configuration.id).catch(() => undefined);
    const before = new Set(place.schedules.map(({ id }) => id));
    const found = (now && schedule.remote.within?.(now, undefined)) ?? [];
    const child = found.find((each) => !before.has(each.id) && isMadeOf(schedule, own, readFields(schedule, each)));
    const { type } = request.resource;
    if (child !== undefined) {
      const summary = `${type} ${child.id} was created, though there was no answer`;
      return { child, warnings: [warningAt(undefined, summary, "It was looked for, and is in the state")] };
    }
    const hint = `Whether the ${type} was created is not known. The next apply looks for an equal one`;
    const told = explainWrite(problem, request.resource);
    throw new ProviderProblem(told.map((each) => ({ ...each, detail: `${each.detail}. ${hint}` })));
  }
}

/** A Single that has run has no moment any more, and equals a Single that was declared. */
function isFinished(former: Wire, own: JsonObject): boolean {
  const facts = { active: former["active"] ?? null };
  const isOver = [readFields(schedule, former), own].every((fields) => schedule.finished?.(fields, facts));
  return isOver && !(Date.parse(String(own["nextScheduled"])) > Date.parse(String(former["updatedAt"])));
}

/** Pauses or resumes where that is not as planned, and answers the state; one that could not be paused is there all the same. */
async function settle(
  { scope, configuration: above }: Place,
  { request, child, separate }: { readonly request: WriteRequest; readonly child: Wire; readonly separate: JsonObject },
): Promise<ResourceState> {
  const { resource, planned } = request;
  const changes = Object.entries(separate).filter(([name, value]) => value !== null && child[name] !== value);
  if (changes.length === 0) return settleState(resource, planned, liveAnswer(schedule, child));
  try {
    await schedule.remote.set?.({ ...scope, id: child.id, body: Object.fromEntries(changes) });
  } catch (problem) {
    const live = liveAnswer(schedule, child);
    return {
      ...settleState(resource, planned, live),
      state: mergeState(resource, planned, live),
      diagnostics: explainWrite(problem, resource),
    };
  }
  const after = await readObject(scope, configuration, above.id);
  const now = (after && schedule.remote.within?.(after, undefined))?.find(({ id }) => id === child.id);
  return settleState(resource, planned, liveAnswer(schedule, now ?? { ...child, ...Object.fromEntries(changes) }));
}
