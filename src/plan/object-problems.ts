import type { Diagnostic } from "../model/diagnostic.ts";
import { deactivatedWords, didYouMean, foundInstead, notOffered, notOfferedWords } from "../model/did-you-mean.ts";
import { groupBy } from "../model/group-by.ts";
import { isObject, type Json, pathTo, sameJson, valueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { withoutQuoted } from "../model/secret-texts.ts";
import { liveHandle, nodeName, type TreeNode } from "../model/tree.ts";
import type { FieldsDiff } from "./diff-fields.ts";
import { groundHandle, type ObjectPlan } from "./object-plan.ts";
import { isEnding } from "./plan.ts";
import { openName, type PlanContext, problemAt } from "./plan-context.ts";

interface ObjectUpdate {
  readonly node: TreeNode;
  readonly kind: AnyKind;
  readonly live: TreeNode;
  readonly diff: FieldsDiff;
  /** Addresses of objects that get a new id. */
  readonly renewed: ReadonlySet<string>;
}

type PlannedObject = Pick<ObjectUpdate, "node" | "kind" | "renewed">;

/** References of a desired object that match nothing, or several objects. */
export function lostReferences(
  context: PlanContext,
  { kind, node }: Omit<PlannedObject, "renewed">,
): readonly Diagnostic[] {
  return context.resolver.lost(kind, node.fields).map(({ kind: lost, sought }) => {
    const there = context.liveOfKind().get(lost) ?? [];
    const names = there.map((each) => openName(context, each));
    const instead = foundInstead(there.map((each, at) => ({ name: names[at] ?? "", id: each.key })));
    const count = there.filter(({ identity }, at) => names[at] === sought || identity?.id === sought).length;
    const declared = (context.desiredOfKind().get(lost) ?? []).find((each) => nodeName(each) === sought);
    const place = declared === undefined ? "in the project or at the service" : "at the service";
    const hint =
      declared !== undefined
        ? ` The project declares it as ${declared.handle}: refer to it by its key.`
        : typeof sought === "string" && count === 0
          ? didYouMean(sought, names)
          : "";
    return problemAt(context, node.handle, {
      code: "LF3009",
      summary: `${node.handle} refers to nothing`,
      detail: `${lackOf(lost, sought, count, place)}. ${instead}${hint}`,
      path: writtenPlace(context, node, sought),
    });
  });
}

/** The problem of a region whose grid the project does not name, where the service has it in one that this plan deletes or replaces. */
export function groundProblems(
  context: PlanContext,
  { kind, node, live, renewed }: Omit<ObjectUpdate, "diff" | "live"> & { readonly live: TreeNode | undefined },
): readonly Diagnostic[] {
  const { within = "" } = typeof kind.naturalKey === "object" ? kind.naturalKey : {};
  const ground = live?.fields[within] ?? null;
  if (ground === null || (node.fields[within] ?? null) !== null) return [];
  const isRenewed = renewed.has(context.bindings.addressOf.get(groundHandle(kind, live) ?? "") ?? "");
  if (!isRenewed && context.resolver.lost(kind, { [within]: ground }).length === 0) return [];
  const detail = `This plan deletes or replaces the ${within} that it is in at the service: name its ${within}, or remove it, too`;
  return [problemAt(context, node.handle, { code: "LF3009", summary: `${node.handle} would be deleted`, detail })];
}

/** Why a reference leads nowhere: to none, to several of one name, or to one that does not remain. */
function lackOf(kind: string, sought: Json, count: number, place: string): string {
  const word = typeof sought === "number" ? `with id ${sought}` : JSON.stringify(sought);
  if (count > 1) return `The service has ${count} ${kind}s called ${word}: refer to one by its id`;
  if (count === 1)
    return `This plan deletes the ${kind} ${word} or gives it another name: refer to its key, or to another`;
  return `There is no ${kind} ${word} ${place}`;
}

/** Names that the referred object does not offer: regions that a grid does not have, or that are deactivated there. */
function missingNames(
  context: PlanContext,
  { kind, node, renewed }: PlannedObject,
  deactivatedOf = ({ deactivatedOffers = [] }: TreeNode) => deactivatedOffers,
): readonly (readonly [string, Diagnostic])[] {
  const taken = kind.takes?.(context.resolver.spell(kind, node.fields)) ?? [];
  return taken.flatMap(({ field, kind: named, names, from }) => {
    const giver = offering(context, from, renewed);
    const offers = giver?.offers;
    if (giver === undefined || offers === undefined) return [];
    const unknown = notOffered(names, offers);
    const deactivated = names.filter((name) => deactivatedOf(giver).includes(name));
    if (unknown.length + deactivated.length === 0) return [];
    const declared = declaredWithin(context, named, from);
    const place = { kind: named, giver: openName(context, giver), offered: [...offers, ...declared] };
    const problemOf = (name: string, summary: string, detail: string): readonly [string, Diagnostic] => {
      const path = writtenPlace(context, node, name);
      const at = { code: "LF3009", summary: `${node.handle}: ${summary}`, detail } as const;
      return [field, problemAt(context, node.handle, { ...at, path: path.length > 0 ? path : [field] })];
    };
    const isOpen = (name: string) => !declared.includes(name);
    return [
      ...unknown
        .filter(isOpen)
        .map((name) => problemOf(name, `there is no ${named} ${name}`, notOfferedWords(name, place))),
      ...deactivated.filter(isOpen).map((name): readonly [string, Diagnostic] => {
        const [of, problem] = problemOf(name, `${named} ${name} is deactivated`, deactivatedWords(named, place.giver));
        return [of, { ...problem, severity: "warning" }];
      }),
    ];
  });
}

/** Warnings of objects that remain as they are, although a name in them is deactivated, or will be by this plan. */
export function deactivatedUses(
  context: PlanContext,
  objects: readonly ObjectPlan[],
  { renewed }: Pick<PlannedObject, "renewed">,
): readonly Diagnostic[] {
  const deactivating = objects.filter(({ kind, change }) => kind.remote.deactivated && isEnding(change));
  const ended = groupBy(deactivating, ({ kind, live }) => groundHandle(kind, live));
  const deactivatedOf = ({ handle, deactivatedOffers = [] }: TreeNode): readonly string[] => [
    ...deactivatedOffers,
    ...(ended.get(handle) ?? []).flatMap(({ live }) => (live ? nodeName(live) : [])),
  ];
  const isNone = [...context.input.live.nodes.values()].every(
    ({ deactivatedOffers }) => deactivatedOffers === undefined,
  );
  if (isNone && ended.size === 0) return [];
  const isKnown = new Set(objects.flatMap(({ diagnostics }) => diagnostics.map(({ code, address }) => code + address)));
  return [...context.kinds.values()].flatMap((kind) => {
    const remaining = kind.takes ? (context.desiredOfKind().get(kind.name) ?? []) : [];
    return remaining
      .filter(({ handle }) => !isKnown.has(`LF3009${handle}`))
      .flatMap((node) => missingNames(context, { kind, node, renewed }, deactivatedOf))
      .flatMap(([, problem]) => (problem.severity === "warning" ? problem : []));
  });
}

/** Names of the objects that the project declares below the end of a reference, created or not. */
function declaredWithin({ desiredOfKind, kinds, resolver }: PlanContext, named: string, from: Json): readonly string[] {
  const kind = kinds.get(named);
  return (desiredOfKind().get(named) ?? [])
    .filter((each) => kind && Object.values(resolver.spell(kind, each.fields)).some((value) => sameJson(value, from)))
    .map(nodeName);
}

/** The live object that a resolved reference leads to; undefined when this plan creates or replaces it. */
function offering({ input, bindings, kinds }: PlanContext, from: Json, renewed: ReadonlySet<string>) {
  if (!isObject(from)) return undefined;
  const { ref, id } = from;
  if (typeof ref === "string") return renewed.has(ref) ? undefined : bindings.byAddress.get(ref)?.live;
  const offerers = [...kinds.values()].filter(({ offers }) => offers !== undefined);
  return offerers.flatMap(({ name }) => input.live.nodes.get(liveHandle(name, Number(id))) ?? [])[0];
}

/** Place of a name or id in the project's text of an object; empty where it comes from elsewhere. */
function writtenPlace({ input }: PlanContext, { handle }: TreeNode, sought: Json): readonly (string | number)[] {
  return pathTo(input.written?.(handle), sought) ?? [];
}

/** Problems of a change in place. */
export function updateProblems(context: PlanContext, update: ObjectUpdate): readonly Diagnostic[] {
  const changed = update.diff.changes.map(({ field }) => field);
  return [
    ...problemsNow(context, { ...update, changed }),
    ...readOnlyProblem(context, update),
    ...renameProblem(context, update),
    ...releaseNotices(context, update),
  ];
}

/** Problems of an object that cannot be created now, or cannot be changed to its declaration. */
export function problemsNow(
  context: PlanContext,
  { node, kind, renewed, changed }: PlannedObject & { readonly changed?: readonly string[] },
): readonly Diagnostic[] {
  const findings = kind.beforeCreate?.(node.fields, context.input.now) ?? [];
  const pressing = findings.filter(({ path }) => changed?.includes(String(path[0])) ?? true);
  const secrets = (node.sensitive ?? []).map((path) => valueAt(node.fields, path.split(".")));
  const missing = missingNames(context, { node, kind, renewed }).filter(([field]) => changed?.includes(field) ?? true);
  return [
    ...pressing.map(({ path, summary, detail }) =>
      problemAt(context, node.handle, { code: "LF3008", path, summary, detail: withoutQuoted(detail, secrets) }),
    ),
    ...missing.map(([, problem]) => problem),
  ];
}

function readOnlyProblem(context: PlanContext, { node, live, diff }: ObjectUpdate): readonly Diagnostic[] {
  if (live.facts?.["readonly"] !== true || diff.changes.length === 0) return [];
  const fields = diff.changes.map(({ field }) => field).join(", ");
  const detail = `The service marks ${live.handle} as read-only, so ${fields} cannot be changed`;
  return [problemAt(context, node.handle, { code: "LF3005", summary: `${node.handle} is read-only`, detail })];
}

function renameProblem(context: PlanContext, { node, kind, diff }: ObjectUpdate): readonly Diagnostic[] {
  const renamed = kind.createdByUse && diff.changes.some(({ field }) => field === "name");
  if (!renamed) return [];
  const detail = `It cannot become "${nodeName(node)}". Declare a new ${kind.name} under another key, and remove this one when nothing uses it`;
  const summary = `${kind.name} cannot be renamed`;
  return [problemAt(context, node.handle, { code: "LF3004", summary, detail, path: ["name"] })];
}

/**
 * Refuses a replacement for the sake of a field that the service answered with nothing, or with a word that the documents do not have: it
 * is not known that the value is another one, and a replacement deletes.
 */
export function unreadReplacement(
  context: PlanContext,
  { node, kind, live, diff }: Omit<ObjectUpdate, "renewed">,
): readonly Diagnostic[] {
  const unread = diff.changes.find(({ field }) => {
    const { change, values } = kind.fields[field] ?? {};
    const found = live.fields[field];
    return change === "replace" && (found === undefined || (values !== undefined && !values.includes(String(found))));
  });
  if (unread === undefined) return [];
  const detail = `The answer for ${live.handle} has no ${unread.field} that can be read, so it is not known whether ${node.handle} has to be replaced, and nothing is written. loadform conformance lists what this service answers otherwise than documented`;
  const summary = `${node.handle}: its ${unread.field} cannot be read`;
  return [problemAt(context, node.handle, { code: "LF2005", summary, detail })];
}

function releaseNotices(context: PlanContext, { node, kind, diff }: ObjectUpdate): readonly Diagnostic[] {
  return diff.released.map((field) => {
    const detail = `${field} is no longer declared, and it has no documented default (or someone else set the value since), so the live value remains. ${kind.fields[field]?.change === "replace" ? "It cannot be cleared in place" : `Write ${field}: null to clear it`}`;
    const summary = `${node.handle}: ${field} is no longer managed`;
    return problemAt(context, node.handle, { severity: "warning", code: "LF3010", summary, detail });
  });
}
