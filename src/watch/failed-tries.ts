import { type CheckResult, errorLine, type HealEnd } from "./check-result.ts";
import type { FailedTry, ProjectMemory } from "./project-memory.ts";

type Tried = Pick<FailedTry, "version" | "difference">;

const mostTries = 20;

/** The try of one version and difference that failed. */
export function failedTryOf(failedTries: readonly FailedTry[], { version, difference }: Tried): FailedTry | undefined {
  return failedTries.find((each) => each.version === version && each.difference === difference);
}

/**
 * The failed tries after a check: none once somebody has asked to try again. A check that ended before its try had says nothing
 * about it, so what it was to heal is tried once more.
 */
export function failedTriesAfter({ failedTries, checking }: ProjectMemory, result: CheckResult): readonly FailedTry[] {
  if (checking?.retry) return [];
  const tried = checking?.tried;
  const heal = result.is === "refused" ? undefined : result.heal;
  const isLost = result.is === "failed" && heal === undefined;
  if (tried === undefined || !(isLost || isFailedHeal(heal))) return failedTries;
  const before = failedTryOf(failedTries, tried);
  const { reason = "the healing failed" } = errorLine(isLost ? result.diagnostics : (heal?.diagnostics ?? []));
  const known = new Set([...(before?.addresses ?? []), ...(before?.unknown ?? [])]);
  const now = new Set(tried.addresses);
  const once = new Set(isLost ? tried.addresses.filter((address) => !known.has(address)) : []);
  const inVain = tried.addresses.filter((address) => !once.has(address));
  const failed: FailedTry = {
    ...{ version: tried.version, difference: tried.difference, reason },
    addresses: [...new Set([...(before?.addresses ?? []), ...inVain])],
    unknown: [...(before?.unknown ?? []).filter((address) => !now.has(address)), ...once],
  };
  return [failed, ...failedTries.filter((each) => each !== before)].slice(0, mostTries);
}

/** True for a healing that failed, in part or as a whole. */
export function isFailedHeal(heal: HealEnd | undefined): boolean {
  return heal?.status === "failed" || heal?.status === "partial";
}
