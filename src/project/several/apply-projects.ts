import {
  type ApplyFlags,
  type ApplyOutcome,
  type ApplyUi,
  applyPlanned,
  endsEarly,
  isEmptyPlan,
} from "../apply-project.ts";
import type { PlanOutcome } from "../plan-opened.ts";
import type { System } from "../system.ts";
import { type PlannedProject, type PlannedProjects, planTogether } from "./plan-projects.ts";
import { type SharedServices, sharedServices } from "./shared-services.ts";

/** The options of an apply of several projects. */
export interface ApplyAllFlags extends Omit<ApplyFlags, "dir"> {
  /** Nothing more is begun once a project has failed; nothing at all where one does not plan or is blocked. */
  readonly failFast: boolean;
}

/** The conversation of an apply of several projects with its command. */
export interface ApplyAllUi {
  /** Shows all plans and asks once. Called even where there is nothing to ask about: then the answer is true. */
  readonly review: (projects: readonly PlannedProject[]) => Promise<boolean>;
  /** Begins the output about a project that is applied now. */
  readonly begin: (project: PlannedProject) => Pick<ApplyUi, "show" | "emit">;
  /** Ends it. */
  readonly end: (project: PlannedProject, outcome: ApplyOutcome) => void;
  readonly signal: AbortSignal;
}

/** One of several projects, with what became of it; `left-out` does not plan or is blocked, of the others nothing was begun. */
export type AppliedProject = PlannedProject &
  (
    | { readonly became: "left-out" | "ended"; readonly ended: ApplyOutcome }
    | { readonly became: "declined" | "not-attempted" | "interrupted" }
  );

type Refused = Extract<PlannedProjects, { readonly is: "refused" }>;

/** Plans several projects, asks once, and applies one after the other, each under its own lock with a reading of its own. */
export async function applyProjects(
  dirs: readonly string[],
  flags: ApplyAllFlags,
  { system, ui }: { readonly system: System; readonly ui: ApplyAllUi },
): Promise<Refused | { readonly is: "applied"; readonly projects: readonly AppliedProject[] }> {
  const services = sharedServices();
  try {
    const planned = await planTogether(dirs, { flags, system, services });
    if (planned.is === "refused") return planned;
    const { projects } = planned;
    const isApproved = !ui.signal.aborted && (await ui.review(projects));
    const work = { flags, system, ui, services, isApproved };
    return { is: "applied", projects: await applyInTurn(projects, work) };
  } finally {
    await services.close();
  }
}

interface ApplyingAll {
  readonly flags: ApplyAllFlags;
  readonly system: System;
  readonly ui: ApplyAllUi;
  readonly services: SharedServices;
  readonly isApproved: boolean;
}

async function applyInTurn(projects: readonly PlannedProject[], work: ApplyingAll): Promise<readonly AppliedProject[]> {
  const { flags, ui, isApproved, system } = work;
  let isStopped = flags.failFast && projects.some(({ outcome }) => endsEarly(outcome) !== undefined);
  const applied: AppliedProject[] = [];
  for (const project of projects) {
    const early = endsEarly(project.outcome);
    if (early && !isGivenUp(early, system)) applied.push({ ...project, became: "left-out", ended: early });
    else if (ui.signal.aborted) applied.push({ ...project, became: "interrupted" });
    else if (!isApproved) applied.push({ ...project, became: "declined" });
    else if (isStopped) applied.push({ ...project, became: "not-attempted" });
    else {
      const ended = await applyOne(project, work);
      isStopped = flags.failFast && ended.status !== "applied" && ended.status !== "nothing";
      applied.push({ ...project, became: "ended", ended });
    }
  }
  return applied;
}

async function applyOne(planned: PlannedProject, { flags, system, ui, services }: ApplyingAll): Promise<ApplyOutcome> {
  const { dir, project, outcome } = planned;
  if (project === undefined || isNothingToDo(outcome))
    return { status: "nothing", plan: outcome, diagnostics: outcome.diagnostics };
  const one = ui.begin(planned);
  const asked: ApplyUi = { ...one, signal: ui.signal, confirm: async () => true };
  const earlier = flags.autoApprove ? { rehearsed: outcome } : { approved: outcome };
  const connect = services.connectToApply;
  const ended = await applyPlanned(project, { flags: { ...flags, dir }, system, ui: asked, connect, ...earlier });
  ui.end(planned, ended);
  return isGivenUp(ended, system) ? { ...ended, status: "interrupted" } : ended;
}

/** A request that was given up after a signal is no failure of its project. */
function isGivenUp({ status }: ApplyOutcome, { givenUp }: System): boolean {
  return status === "failed" && givenUp?.aborted === true;
}

/** A plan with nothing to send, to record or to end: it takes no lock. */
function isNothingToDo(outcome: PlanOutcome): boolean {
  const { plan, made } = outcome;
  const isOpen = made?.isInterrupted === true || (made?.state.serial ?? 1) === 0;
  return !isOpen && isEmptyPlan(outcome) && Object.keys(plan?.stateChanges ?? {}).length === 0;
}
