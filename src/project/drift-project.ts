import type { Code } from "../model/codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Drift } from "../plan/find-drift.ts";
import { findDrift } from "../plan/find-drift.ts";
import type { PlanOutcome } from "./plan-project.ts";
import { planProject } from "./plan-project.ts";
import type { ProjectFlags, World } from "./world.ts";

/** What was asked of a look for drift. */
export interface DriftFlags extends ProjectFlags {
  readonly showUnmanaged: boolean;
}

/** What a look for drift found. */
export interface DriftOutcome {
  /** Absent when the project or the service stood in the way. */
  readonly drift?: Drift;
  readonly diagnostics: readonly Diagnostic[];
  /** The state belongs to another target or environment: whatever differs is no drift. */
  readonly blocked: readonly Diagnostic[];
  readonly planned: PlanOutcome;
}

/** What stands in the way of an apply, but not of comparing. */
const ofApply: ReadonlySet<Code> = new Set([
  "LF3001",
  "LF3002",
  "LF3004",
  "LF3005",
  "LF3006",
  "LF3008",
  "LF3010",
  "LF3014",
]);

/** Compares live with last applied and declared; takes no lock and writes nothing. */
export async function driftProject(flags: DriftFlags, world: World): Promise<DriftOutcome> {
  return driftOf(await planProject(flags, world));
}

/** The drift in a plan that was made. */
export function driftOf(planned: PlanOutcome): DriftOutcome {
  const { plan } = planned;
  const diagnostics = planned.diagnostics.filter(({ code }) => !ofApply.has(code));
  if (plan === undefined) return { diagnostics, blocked: [], planned };
  const blocked = plan.guards.flatMap(({ guard, diagnostic }) => (guard === "target" ? [diagnostic] : []));
  return { drift: findDrift(plan), diagnostics, blocked, planned };
}
