import { type Accepted, acceptDrift, driftByHand } from "../drift/accept-drift.ts";
import { type ByHand, countUnmanaged, type Drift, driftProblems, findDrift } from "../drift/find-drift.ts";
import { kinds } from "../kinds/index.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { inlineValue } from "../report/readable-value.ts";
import { secretFingerprint } from "../state/secret-fingerprint.ts";
import { orExplained } from "./explain-failure.ts";
import { loadFrom } from "./open-project.ts";
import { boundElsewhere } from "./other-states.ts";
import type { PlanOutcome } from "./plan-opened.ts";
import { type PlanFlags, planProject } from "./plan-project.ts";
import { commandWords, type ProjectFlags, type System } from "./system.ts";

export interface DriftFlags extends ProjectFlags {
  readonly showUnmanaged: boolean;
  /** Undeclared objects, in the whole organization, are drift as well. */
  readonly failOnUnmanaged?: boolean;
  /** Live objects that other projects of the command bind, with their owners in words: they are not undeclared. */
  readonly boundByOthers?: ReadonlyMap<string, string>;
  /** Globs of the drift to write into the project's files. */
  readonly accept: readonly string[];
  /** Called before the first file is written: the rest is short, and no signal may cut it. */
  readonly takeOver?: () => void;
}

export interface DriftOutcome {
  /** Absent when the project or the service did not allow a plan. */
  readonly drift?: Drift;
  readonly diagnostics: readonly Diagnostic[];
  /** The state belongs to another target or environment: whatever differs is no drift. */
  readonly blocked: readonly Diagnostic[];
  readonly planned: PlanOutcome;
  /** Changes that were written into the project's files; `drift` is what remains after it. */
  readonly accepted?: Accepted;
}

/** Compares live with last applied and declared; takes no lock, and writes nothing but the drift to accept. */
export async function driftProject(flags: DriftFlags, system: System): Promise<DriftOutcome> {
  return driftOf(await planProject(driftPlanFlags(flags), system), flags, system);
}

/** The plan that drift is found in. */
export function driftPlanFlags<F extends Omit<DriftFlags, "dir">>(flags: F): F & Omit<PlanFlags, "dir"> {
  return { ...flags, ...(flags.failOnUnmanaged && { showUnmanaged: true, everything: true }), unlimited: true };
}

export async function driftOf(planned: PlanOutcome, flags: DriftFlags, system: System): Promise<DriftOutcome> {
  const { failOnUnmanaged = false } = flags;
  const { plan, made } = planned;
  const others =
    failOnUnmanaged && made
      ? await boundElsewhere(made.project, { system, target: made.plan.target, live: made.live })
      : undefined;
  const owners = new Map([...(others?.owners ?? []), ...(flags.boundByOthers ?? [])]);
  const told = [...planned.diagnostics, ...(others?.diagnostics ?? [])];
  const found = { ...driftProblems(plan, told, flags.accept.length > 0), planned };
  if (plan === undefined) return found;
  const counted = (drift: Drift): Drift =>
    made && others
      ? {
          ...drift,
          unmanaged: countUnmanaged(drift.unmanaged, { live: made.live, kinds, owners }),
          failsOnUnmanaged: true,
        }
      : drift;
  const withCounts = counted(findDrift(plan));
  const isComparable = found.blocked.length === 0 && !hasErrors(found.diagnostics);
  if (!isComparable || made === undefined) return { ...found, drift: withCounts };
  const drift = await withByHand(withCounts, made);
  if (flags.accept.length === 0) return { ...found, drift };
  const refused = (problems: readonly Diagnostic[]): DriftOutcome => ({
    ...found,
    drift,
    diagnostics: [...found.diagnostics, ...problems],
  });
  return orExplained(async () => {
    const ended = await acceptFrom({ drift, made }, flags, system);
    if ("problems" in ended) return refused(ended.problems);
    return { ...found, ...ended, drift: await withByHand(counted(ended.drift), made) };
  }, refused);
}

/** Drift with what cannot be accepted; where that is not known, accepting will say it. */
async function withByHand(drift: Drift, made: NonNullable<PlanOutcome["made"]>): Promise<Drift> {
  const byHand = await driftByHand(drift, { kinds, made, inlineValue }).catch((): readonly ByHand[] => []);
  return byHand.length === 0 ? drift : { ...drift, byHand };
}

/** Accepts drift that a plan shows. */
export function acceptFrom(
  shown: { readonly drift: Drift; readonly made: NonNullable<PlanOutcome["made"]> },
  flags: Pick<DriftFlags, "accept" | "takeOver" | "environment" | "vars">,
  system: System,
): ReturnType<typeof acceptDrift> {
  const { project, state } = shown.made;
  return acceptDrift({
    ...shown,
    kinds,
    patterns: flags.accept,
    load: (workspace) => loadFrom(workspace, flags, { system, unsetEnv: "error" }),
    fingerprint: secretFingerprint(state, system.deriveKey),
    takeOver: flags.takeOver,
    commandWords: commandWords(project, system),
    inlineValue,
  });
}
