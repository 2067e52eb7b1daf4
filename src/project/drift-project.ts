import type { Code } from "../model/codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import type { Drift } from "../plan/find-drift.ts";
import { findDrift } from "../plan/find-drift.ts";
import type { GuardHit } from "../plan/plan.ts";
import type { Accepted } from "./accept-drift.ts";
import { acceptDrift } from "./accept-drift.ts";
import type { PlanOutcome } from "./plan-project.ts";
import { planProject } from "./plan-project.ts";
import { orExplained } from "./problem.ts";
import type { ProjectFlags, World } from "./world.ts";

/** What was asked of a look for drift. */
export interface DriftFlags extends ProjectFlags {
  readonly showUnmanaged: boolean;
  /** Globs of what is to be written into the project's files. */
  readonly accept: readonly string[];
  /** Called before the first file is written: what follows is short, and no signal may cut it. */
  readonly takeOver?: () => void;
}

/** What a look for drift found. */
export interface DriftOutcome {
  /** Absent when the project or the service stood in the way. */
  readonly drift?: Drift;
  readonly diagnostics: readonly Diagnostic[];
  /** The state belongs to another target or environment: whatever differs is no drift. */
  readonly blocked: readonly Diagnostic[];
  readonly planned: PlanOutcome;
  /** What was written into the project's files; `drift` is what remains after it. */
  readonly accepted?: Accepted;
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

/** What is at another service says nothing of what was applied. */
const uncomparable: ReadonlySet<GuardHit["guard"]> = new Set(["target"]);

/** What stops an apply, and is said beside the drift that it looks like. */
const doubtful: ReadonlySet<GuardHit["guard"]> = new Set(["gone"]);

/** Compares live with last applied and declared; takes no lock, and writes nothing but what it is told to accept. */
export async function driftProject(flags: DriftFlags, world: World): Promise<DriftOutcome> {
  const found = driftOf(await planProject(flags, world), flags);
  const { drift, blocked, diagnostics, planned } = found;
  const isComparable = blocked.length === 0 && !hasErrors(diagnostics);
  if (flags.accept.length === 0 || !isComparable || drift === undefined || planned.made === undefined) return found;
  const refused = (problems: readonly Diagnostic[]): DriftOutcome => ({
    ...found,
    diagnostics: [...diagnostics, ...problems],
  });
  const work = { drift, made: planned.made, patterns: flags.accept, flags, world };
  return orExplained(async () => {
    const ended = await acceptDrift(work);
    return "problems" in ended ? refused(ended.problems) : { ...found, drift: ended.drift, accepted: ended.accepted };
  }, refused);
}

/** The drift in a plan that was made. */
function driftOf(planned: PlanOutcome, { accept }: DriftFlags): DriftOutcome {
  const { plan } = planned;
  const diagnostics = planned.diagnostics.filter(({ code }) => !ofApply.has(code));
  if (plan === undefined) return { diagnostics, blocked: [], planned };
  const blocked = plan.guards.flatMap(({ guard, diagnostic }) => (uncomparable.has(guard) ? [diagnostic] : []));
  // Who accepts that objects are gone needs no telling.
  const warnings = plan.guards.flatMap(({ guard, diagnostic }) =>
    accept.length === 0 && doubtful.has(guard) ? [{ ...diagnostic, severity: "warning" as const }] : [],
  );
  return { drift: findDrift(plan), diagnostics: [...diagnostics, ...warnings], blocked, planned };
}
