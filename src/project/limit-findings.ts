import { resolve } from "node:path";
import type { Project } from "../config/load-project.ts";
import { readOutsideLimits } from "../config/settings/limit-settings.ts";
import { type Diagnostic, hasErrors, Problem, problem, thrownWords } from "../model/diagnostic.ts";
import type { Limits } from "../model/limits.ts";
import { type DeclaredLoad, declaredLoads, withheldLoad } from "../policy/declared-loads.ts";
import type { LimitSource } from "../policy/limit-finding.ts";
import { readTextFile } from "../workspace/disk-workspace.ts";
import type { System } from "./system.ts";

/** All of a project that limits are checked on, as plain data. */
export interface DeclaredLimits {
  readonly limits?: Limits;
  /** Addresses of the configurations that gates run. */
  readonly gates: readonly string[];
  readonly loads: readonly DeclaredLoad[];
}

/** The verdict of the limits on a project. */
export interface LimitFindings {
  /** Limits that hold: nothing may be written or started. */
  readonly blocked: readonly Diagnostic[];
  /** The project's own with `enforce: warn`. */
  readonly warnings: readonly Diagnostic[];
}

/** Nothing is above its limits. */
export const noLimits: LimitFindings = { blocked: [], warnings: [] };

/** A project as limits see it; of a saved plan only a part of its tree is known. */
type Limited = Pick<Project, "limits" | "tree" | "gates" | "locate"> & {
  readonly declaredLimits?: DeclaredLimits;
};

/**
 * Checks everything that a project declares against its own limits and those of $LOADFORM_LIMITS. Throws where these cannot be
 * read. Before a configuration is run it counts as a gate does, and unless the run is simulated its planned time from now may
 * not be in denied hours.
 */
export async function limitFindings(
  project: Limited,
  system: System,
  run?: { readonly address: string; readonly isSimulated: boolean },
): Promise<LimitFindings> {
  const outside = await outsideLimits(system);
  const { limits } = project.declaredLimits ?? project;
  const sources = [...(outside ? [outside] : []), ...(limits ? [ownLimits(limits)] : [])];
  if (sources.length === 0) return noLimits;
  const { gates, loads } = project.declaredLimits ?? limitedPart(project);
  // Most projects have no limits, and need not wait for what checks them.
  const { checkLimits, checkRunLimits } = await import("../policy/check-limits.ts");
  const input = { gates, loads, sources, now: system.now(), locate: project.locate };
  const found = run === undefined ? checkLimits(input) : checkRunLimits(input, run);
  const isBlocking = ({ severity }: Diagnostic) => severity === "error";
  return { blocked: found.filter(isBlocking), warnings: found.filter((each) => !isBlocking(each)) };
}

/** The limits of a plan; none apply to one that deletes everything. */
export async function planLimits(
  project: Limited,
  system: System,
  { destroy, unlimited = false }: { readonly destroy: boolean; readonly unlimited?: boolean | undefined },
): Promise<LimitFindings> {
  return destroy || unlimited ? noLimits : limitFindings(project, system);
}

function ownLimits(limits: Limits): LimitSource {
  return { limits, nameOf: (key) => `limits.${key}`, severity: limits.enforce === "warn" ? "warning" : "error" };
}

function limitedPart({ tree, gates }: Limited): DeclaredLimits {
  return { gates: gates.map(({ address }) => address), loads: declaredLoads(tree) };
}

/** The part of a saved plan with what limits are checked on, so that it can be checked where it is applied. */
export function savedLimits(project: Limited): DeclaredLimits {
  const { limits } = project;
  const { gates, loads } = limitedPart(project);
  return { ...(limits && { limits }), gates, loads: loads.map(withheldLoad) };
}

/** The limits of the file that $LOADFORM_LIMITS names; undefined where it names none. */
async function outsideLimits({ env, cwd }: System): Promise<LimitSource | undefined> {
  const named = env["LOADFORM_LIMITS"] ?? "";
  if (named === "") return undefined;
  const path = resolve(cwd, named);
  const text = await readTextFile(path).catch((cause: unknown) => {
    throw problem("LF1002", "the limits cannot be read", `$LOADFORM_LIMITS names ${named}: ${thrownWords(cause)}`);
  });
  const { limits, diagnostics } = readOutsideLimits(text, path);
  if (hasErrors(diagnostics)) throw new Problem(diagnostics);
  return { limits, nameOf: (key) => `${key} of $LOADFORM_LIMITS (${named})`, severity: "error" };
}
