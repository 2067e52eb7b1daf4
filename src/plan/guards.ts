import { anyMatcher } from "../model/address.ts";
import type { Code } from "../model/codes.ts";
import { placeWords } from "../model/command-place.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { findLosses, findUsers, type Losses, totalLoss } from "./losses.ts";
import type { ObjectPlan } from "./object-plan.ts";
import { type GuardHit, isEnding } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";

/** From this many bound objects on, shares count; more deletes than this are too many at any size. */
const thresholds = { objects: 10, share: 0.3, deletes: 20 };

/**
 * Every guard of docs/engine.md, Guards: a hit blocks the whole run before the first write. `risks` are what would be lost with each
 * object that is deleted.
 */
export function guardPlan(context: PlanContext, objects: readonly ObjectPlan[]) {
  const ending = objects.filter(({ change }) => isEnding(change));
  const losses = new Map(ending.map((object) => [object.address, findLosses(context, object, ending)]));
  const users = findUsers(context, objects, ending);
  const hits: readonly GuardHit[] = [
    ...guardProject(context, objects),
    ...guardEmpty(context),
    ...(isEverythingGone(context) ? [everythingGone(context)] : []),
    ...ending.flatMap((object) => guardProtect(context, object, losses.get(object.address))),
    ...ending.flatMap((object) => guardHistory(context, object, losses.get(object.address))),
    ...ending.flatMap((object) => guardAdopted(context, object)),
    ...ending.flatMap((object) => guardUse(context, object, users.get(object.address) ?? [])),
    ...guardThreshold(context, objects, losses),
  ];
  const risks = new Map(
    [...losses].flatMap(([address, { words }]) => {
      const all = [...words, ...(users.get(address) ?? []).map((user) => `used by ${user}`)];
      return all.length > 0 ? [[address, all] as const] : [];
    }),
  );
  return { hits: hits.map((each) => atPlace(context, each)), risks };
}

function atPlace({ input }: PlanContext, { guard, diagnostic }: GuardHit): GuardHit {
  const { address } = diagnostic;
  if (address === undefined || !input.desired.nodes.has(address)) return { guard, diagnostic };
  return { guard, diagnostic: { ...diagnostic, ...input.locate(address) } };
}

function hit(by: GuardHit["guard"], code: Code, text: { summary: string; detail: string; address?: string }): GuardHit {
  return { guard: by, diagnostic: { severity: "error", code, ...text } };
}

function guardEmpty({ input }: PlanContext): readonly GuardHit[] {
  const isEmpty = input.desired.nodes.size === 0 && !input.options.destroy;
  const isForgotten = input.removed.length > 0 || input.options.targets.length > 0;
  if (!isEmpty || isForgotten) return [];
  const bound = Object.keys(input.state.resources).length;
  if (bound === 0) return [];
  const detail = `No object is declared, and ${bound} ${bound === 1 ? "is" : "are"} bound. To delete ${bound === 1 ? "it" : "them all"}, run: loadform destroy${placeWords(input)}`;
  return [hit("empty", "LF4005", { summary: "the project declares nothing", detail })];
}

/**
 * True where the service shows nothing of many bound objects: most likely it is another one, or was reset. An object of
 * the same id that was created at another time is not the bound one. A destroy only forgets bindings then.
 */
export function isEverythingGone({ input, bindings }: PlanContext): boolean {
  const { destroy, forceThreshold } = input.options;
  if (destroy || forceThreshold || bindings.byAddress.size < thresholds.objects) return false;
  return [...bindings.byAddress.values()].every(({ live }) => live === undefined);
}

function everythingGone({ input, bindings }: PlanContext): GuardHit {
  const { url, organization } = input.target;
  const found = `None of the ${bindings.byAddress.size} bound objects is at ${url}, organization ${organization}`;
  const detail = `${found}. If the service or the organization is the wrong one, set the right one; if it moved on purpose, run: loadform state retarget${placeWords(input)}. If they really are all gone, --force-threshold creates them again`;
  return hit("gone", "LF4008", { summary: "everything is gone", detail });
}

/** A project that was renamed still declares something that is bound; one with another project's state would delete everything. */
function guardProject({ input, bindings }: PlanContext, objects: readonly ObjectPlan[]): readonly GuardHit[] {
  const { state, project } = input;
  if (state.project === project) return [];
  const deleted = new Set(objects.flatMap(({ address, change }) => (change.action === "delete" ? [address] : [])));
  const live = [...bindings.byAddress].flatMap(([address, binding]) => (binding.live ? [address] : []));
  if (live.length === 0 || !live.every((address) => deleted.has(address))) return [];
  const detail = `The state belongs to project ${state.project}, not ${project}, and everything that it binds (${live.length}) would be deleted. Give each project a place of its own under state:. If it was only renamed, run: loadform state retarget${placeWords(input)}`;
  return [hit("target", "LF4006", { summary: "the state belongs to another project", detail })];
}

/** A state of a project with another name that is not refused: it was renamed, or a copy of the folder took the state along. */
export function renamedProject({ input }: PlanContext, hits: readonly GuardHit[]): readonly Diagnostic[] {
  const { state, project } = input;
  if (state.project === project || hits.some(({ guard }) => guard === "target")) return [];
  const detail = `The state belongs to project ${state.project}, and this project is called ${project}: what is bound remains bound. The next apply that changes something writes the new name into the state; to write it now, run: loadform state retarget${placeWords(input)}. If this is another project, give it a place of its own under state:`;
  return [{ severity: "warning", code: "LF4006", summary: "the project was renamed", detail }];
}

function guardProtect(context: PlanContext, object: ObjectPlan, losses: Losses | undefined): readonly GuardHit[] {
  const { address, change } = object;
  // A declaration protects before it was applied, from a destroy too.
  const isProtected = (each: string) => {
    const binding = context.bindings.byAddress.get(each);
    const declared = context.input.desired.nodes.get(binding?.successor ?? each);
    return binding?.resource.protect === true || declared?.lifecycle?.protect === true;
  };
  return [address, ...(losses?.bound ?? [])].filter(isProtected).map((each) => {
    const what = each === address ? "it" : `${address}, and this with it`;
    const detail = `The plan would ${change.action} ${what}. Set protect: false and apply that first, or leave it out with --target`;
    return hit("protect", "LF4001", { summary: `${each} is protected`, detail, address: each });
  });
}

function guardHistory(context: PlanContext, object: ObjectPlan, losses: Losses | undefined): readonly GuardHit[] {
  if (losses === undefined) return [];
  const { address } = object;
  const hits: GuardHit[] = [];
  if (losses.running > 0) {
    const detail = `${losses.running === 1 ? "1 run is" : `${losses.running} runs are`} in progress at or below it. Stop ${losses.running === 1 ? "it" : "them"} first`;
    hits.push(hit("running", "LF4003", { summary: `${address} is running`, detail, address }));
  }
  const lost = totalLoss(losses);
  if (lost.length > 0 && !anyMatcher(context.input.options.allowDestroy)(address)) {
    const detail = `${lost.join(", ")} would be lost with it. To delete them, too: --allow-destroy '${address}'`;
    hits.push(hit("history", "LF4002", { summary: `${address} has data that cannot be restored`, detail, address }));
  }
  return hits;
}

/** An adopted object is not meant to be deleted: a difference that cannot change in place is reported first. */
function guardAdopted({ input, bindings }: PlanContext, { address, change, live }: ObjectPlan): readonly GuardHit[] {
  const isAdopted = change.action === "replace" && live !== undefined && !bindings.addressOf.has(live.handle);
  if (!isAdopted || anyMatcher(input.options.allowDestroy)(address)) return [];
  const detail = `It would be deleted and created again: ${change.reason ?? "it is replaced"}. Declare it as it is, or give the new one another name. To delete it anyway: --allow-destroy '${address}'`;
  return [hit("history", "LF4002", { summary: `${address} would destroy what it takes over`, detail, address })];
}

/** The service refuses to delete an object in use: reported now, not half way through. */
function guardUse(context: PlanContext, { address, live }: ObjectPlan, users: readonly string[]): readonly GuardHit[] {
  if (users.length === 0 || anyMatcher(context.input.options.allowDestroy)(address)) return [];
  const below = context.liveChildren().get(live?.handle ?? "") ?? [];
  const isFirst = below.some(({ handle }) => context.bindings.addressOf.has(handle));
  const lost = isFirst
    ? " To try that deletes what the project has below it first, and this remains if it is refused."
    : "";
  const detail = `${users.join(", ")} ${users.length === 1 ? "uses" : "use"} it or something below it, and the service refuses to delete what is in use. Change or delete ${users.length === 1 ? "that" : "those"} first.${lost} To try it anyway: --allow-destroy '${address}'`;
  return [hit("inUse", "LF4007", { summary: `${address} is still in use`, detail, address })];
}

function guardThreshold(
  { input, bindings }: PlanContext,
  objects: readonly ObjectPlan[],
  losses: ReadonlyMap<string, Losses>,
): readonly GuardHit[] {
  // A destroy deletes everything by definition.
  if (input.options.forceThreshold || input.options.destroy) return [];
  const bound = [...bindings.byAddress.values()].filter(({ live }) => live !== undefined).length;
  const count = (actions: readonly string[]) =>
    objects.filter(({ change }) => actions.includes(change.action) && change.importing !== true).length;
  // A forgotten binding still loses its object when the parent is deleted.
  const along = new Set([...losses.values()].flatMap((loss) => loss.bound));
  const deleted = count(["delete", "replace"]) + along.size;
  const updated = count(["update"]);
  const shareText = `${Math.round(thresholds.share * 100)} %`;
  const tooMany: string[] = [];
  if (deleted > thresholds.deletes) tooMany.push(`${deleted} deletes, more than ${thresholds.deletes}`);
  else if (isShareTooLarge(deleted, bound))
    tooMany.push(`${deleted} of ${bound} objects deleted, more than ${shareText}`);
  if (isShareTooLarge(updated, bound)) tooMany.push(`${updated} of ${bound} objects updated, more than ${shareText}`);
  const detail = `It has ${tooMany.join("; ")}. If that is what you want: --force-threshold`;
  return tooMany.length === 0
    ? []
    : [hit("threshold", "LF4004", { summary: "the plan changes a large share of the bound objects", detail })];
}

function isShareTooLarge(part: number, bound: number): boolean {
  return bound >= thresholds.objects && part > thresholds.share * bound;
}
