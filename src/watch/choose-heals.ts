import { groupBy } from "../model/group-by.ts";
import type { Finding, Found } from "./check-result.ts";
import { isLeftAlone } from "./fights.ts";
import type { FailedTry } from "./project-memory.ts";
import type { Known } from "./watch-events.ts";

/** Findings of a check that the watcher is to heal by `heal`, by what is done about them; all in the order of the tree. */
export interface HealChoice {
  /** Addresses that are healed now; none while a guard or a limit holds. */
  readonly heal: readonly string[];
  /** Deletes and replacements without `prune`. */
  readonly unpruned: readonly string[];
  /** Fought over. */
  readonly leftAlone: readonly string[];
  /** Tried in vain for the same commit, or documents, and difference. */
  readonly triedInVain: readonly string[];
  /** A run is under way or about to start: the next check. */
  readonly postponed: readonly string[];
}

/** The first list of a finding's reasons is its only one. */
export function chooseHeals({ project, memory }: Known, found: Found, version: string): HealChoice {
  const { heal } = project;
  const wanted = heal === undefined ? [] : found.findings.filter(({ origin }) => heal === "all" || origin === heal);
  const vain = new Set(repeats(memory.failedTry, { version, difference: found.difference }));
  const listOf = (finding: Finding): keyof HealChoice => {
    if (finding.ends && !project.prune) return "unpruned";
    if (isLeftAlone(memory.fights[finding.address])) return "leftAlone";
    if (vain.has(finding.address)) return "triedInVain";
    return finding.busy === undefined ? "heal" : "postponed";
  };
  const lists = groupBy(wanted, listOf);
  const addresses = (list: keyof HealChoice) => (lists.get(list) ?? []).map(({ address }) => address);
  return {
    heal: found.blocked.length > 0 ? [] : addresses("heal"),
    unpruned: addresses("unpruned"),
    leftAlone: addresses("leftAlone"),
    triedInVain: addresses("triedInVain"),
    postponed: addresses("postponed"),
  };
}

/** Addresses that were tried in vain for this version and difference; none when the try may be repeated. */
function repeats(failed: FailedTry | undefined, now: Pick<FailedTry, "version" | "difference">): readonly string[] {
  return failed !== undefined && failed.isOpen === undefined && isSameTry(failed, now) ? failed.addresses : [];
}

/** True for two tries of one version and difference. */
export function isSameTry(
  left: Pick<FailedTry, "version" | "difference"> | undefined,
  right: Pick<FailedTry, "version" | "difference">,
): boolean {
  return left?.version === right.version && left.difference === right.difference;
}
