import { resolve } from "node:path";
import { orExplained } from "../apply/explain-failure.ts";
import { loadDispatcher } from "../client/open-dispatcher.ts";
import type { ProjectSettings } from "../config/load-project.ts";
import { isLive } from "../config/settings/settings.ts";
import { hasErrors } from "../model/diagnostic.ts";
import type { PlanOptions } from "../plan/plan-input.ts";
import { plainOptions } from "../plan/plan-input.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { FetchedState } from "../state/store.ts";
import type { OpenedAhead, OpenProject } from "./connect.ts";
import { isOpenedAhead, openAhead, withProject } from "./connect.ts";
import { loadFolder } from "./open-project.ts";
import { freshState } from "./open-state.ts";
import { planOfAll, readPart, wholeProject } from "./plan-changed-part.ts";
import type { PlanOutcome, PlanWork } from "./plan-opened.ts";
import { failedPlan, placeOf, planOpened } from "./plan-opened.ts";
import type { LiveLists } from "./read-live.ts";
import { readingOnce, readLiveLists } from "./read-live.ts";
import type { ProjectFlags, System } from "./system.ts";
import type { AskedAhead, PlanKey, UnchangedPlan } from "./unchanged-plan.ts";
import {
  askAhead,
  forgetUnchanged,
  isForeseen,
  isUnchanged,
  mayBeRemembered,
  planKey,
  readUnchanged,
  sameKey,
  unchangedPlan,
  writeUnchanged,
} from "./unchanged-plan.ts";

/** What was asked of a plan. */
export interface PlanFlags extends ProjectFlags, Partial<PlanOptions> {
  /** Requests in flight; by default it adapts, up to 16. */
  readonly parallelism?: number;
  /** Every kind of object is read, whether the project is about it or not. */
  readonly everything?: boolean;
  /** The plan is neither saved nor carried out: one that is known to be unchanged need not be compared. */
  readonly answerOnly?: boolean;
}

/**
 * Says what apply would do. It takes no lock and writes neither to the service nor to the state; it may write the user's cache, and
 * complete a `drift --accept` that was cut short. It needs the service (`memory:` will do) and the state. Without a `plan` in the
 * outcome, `diagnostics` say why; nothing is thrown for what can be wrong about a project.
 */
export async function planProject(flags: PlanFlags, system: System): Promise<PlanOutcome> {
  return orExplained(async () => {
    if (flags.answerOnly) return planAnswerOnly(flags, system);
    const project = await loadFolder(flags, system, "error");
    if (hasErrors(project.diagnostics)) return failedPlan(project.diagnostics);
    const { parallelism, everything = false } = flags;
    return withProject(project, { system, parallelism }, async (open) => {
      // Read now: the command that had the bundled service before us has written the state meanwhile.
      const stored = (await open.store.read()) ?? freshState(project);
      return planOpened({ ...open, stored, options: optionsOf(flags) }, { everything });
    });
  }, failedPlan);
}

/** The options in a command's flags. */
export function optionsOf(flags: Partial<PlanOptions>): PlanOptions {
  const { targets, replace, adopt, destroy, allowDestroy, forceThreshold, showUnmanaged } = {
    ...plainOptions,
    ...flags,
  };
  return { targets, replace, destroy, allowDestroy, forceThreshold, showUnmanaged, ...(adopt && { adopt }) };
}

/** A plan that is only an answer: what the last unchanged one was made from is asked for while the project is read. */
async function planAnswerOnly(flags: PlanFlags, system: System): Promise<PlanOutcome> {
  const { parallelism } = flags;
  const root = resolve(system.cwd, flags.dir);
  const last = await readUnchanged(root, flags.environment, system);
  // Once files are read it would have to wait for each of them.
  if (last && isLive(last.url)) await loadDispatcher();
  let ahead: OpenedAhead | undefined;
  let asked: AskedAhead | undefined;
  const onSettings = async (settings: ProjectSettings) => {
    if (last === undefined || !isForeseen(settings, last)) return;
    ahead = openAhead(settings, root, { system, parallelism });
    asked = await askAhead(ahead, last).catch(() => undefined);
  };
  const loading = loadFolder(flags, system, "error", { last: { inputs: last?.inputs }, onSettings });
  const usable = await loading.then(
    (project) => (hasErrors(project.diagnostics) ? undefined : project),
    () => undefined,
  );
  const isTaken = usable !== undefined && ahead !== undefined && isOpenedAhead(usable, ahead);
  const dropped = isTaken ? 0 : ((await ahead?.drop()) ?? 0);
  if (usable === undefined) return failedPlan((await loading).diagnostics);
  const opening = { system, parallelism, ahead: isTaken ? ahead : undefined };
  const outcome = await withProject(usable, opening, async (open) => {
    const { organization } = open.connection.target;
    const isElsewhere = ahead !== undefined && (!isTaken || (asked ?? { organization }).organization !== organization);
    if (isElsewhere) await forgetUnchanged(usable, system);
    const work = { ...open, options: optionsOf(flags) };
    return planUnlessUnchanged(work, last, isElsewhere ? undefined : asked);
  });
  return { ...outcome, requests: outcome.requests + dropped };
}

/** The state as it is stored, not looked into where that can wait. */
async function fetchState({ store, project }: OpenProject): Promise<FetchedState> {
  const fetched = await store.fetch?.();
  if (fetched) return fetched;
  const stored = (await store.read()) ?? freshState(project);
  return { digest: sha256(JSON.stringify(stored)), read: async () => stored };
}

/**
 * The plan, without comparing a single object when it is made from what the last unchanged one was made from, and with those
 * of the changed files alone when nothing else differs.
 */
async function planUnlessUnchanged(
  given: OpenProject & Pick<PlanWork, "options">,
  last: UnchangedPlan | undefined,
  asked: AskedAhead | undefined,
): Promise<PlanOutcome> {
  const fetched = asked?.fetched ?? (await fetchState(given));
  const connection = readingOnce(given.connection);
  const { system, project: opened } = given;
  const key = planKey({ ...given, state: fetched.digest });
  const same = sameKey(last, key);
  const begun = { requests: connection.openingRequests, readAt: asked?.since ?? system.now() };
  const isUseful = same !== undefined && (same.sameFiles || opened.part !== undefined);
  const lists = await (asked?.lists ?? (isUseful ? readLiveLists(connection, same.last.answers) : undefined));
  if (same?.sameFiles && lists?.isUnchanged) return unchangedOutcome(given, same.last.noop);
  const stored = await fetched.read();
  if (same && lists?.isUnchanged && opened.part && mayBeRemembered(stored)) {
    const part = await readPart(opened.part, stored, { lists, known: new Set(same.last.kinds) });
    const outcome = await planOpened({ ...given, connection, stored: part.stored }, { ...begun, live: part.live });
    const plan = planOfAll(outcome, same.last.noop);
    if (plan) return { ...outcome, plan, ...(outcome.made && { made: { ...outcome.made, plan } }) };
  }
  const whole = { ...given, connection, project: wholeProject(opened), stored };
  return compareAll(whole, { ...begun, key, lists });
}

/** What a whole project is compared with, and how the answer was begun. */
interface Comparing {
  readonly requests: number;
  readonly readAt: number;
  readonly key: PlanKey | undefined;
  readonly lists: LiveLists | undefined;
}

/** The plan of everything, which is remembered if it finds nothing to do. */
async function compareAll(work: PlanWork, { key, lists, ...begun }: Comparing): Promise<PlanOutcome> {
  const { project, system, stored } = work;
  if (hasErrors(project.diagnostics)) return failedPlan(project.diagnostics);
  const live = await lists?.read({ desired: project.tree, stored });
  const outcome = await planOpened(work, { ...(live && { live }), ...begun, hashed: true });
  const { plan, made, diagnostics } = outcome;
  const isSame = plan !== undefined && diagnostics.length === 0 && isUnchanged(plan) && mayBeRemembered(stored);
  if (key && isSame && made?.answers !== undefined)
    await writeUnchanged(project, system, {
      ...key,
      kinds: [...made.known],
      answers: made.answers,
      noop: plan.summary.noop,
    });
  return outcome;
}

function unchangedOutcome(work: Omit<PlanWork, "stored">, noop: number): PlanOutcome {
  const { connection, project } = work;
  return {
    plan: unchangedPlan(placeOf(work), noop),
    diagnostics: project.diagnostics,
    blocked: [],
    requests: connection.client.stats().requests,
    contents: () => undefined,
    service: { ...connection.target, embedded: connection.embedded },
  };
}
