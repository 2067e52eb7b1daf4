import { groupBy } from "../model/group-by.ts";
import type { Finding, Found } from "./check-result.ts";
import { failedTryOf } from "./failed-tries.ts";
import { isLeftAlone } from "./fights.ts";
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
  /** The error of that try. */
  readonly vainReason?: string;
  /** A run is under way or about to start: the next check. */
  readonly postponed: readonly string[];
}

type HealList = Exclude<keyof HealChoice, "vainReason">;

/** Sorts findings; the first list that fits is a finding's only one. */
export function chooseHeals({ project, memory }: Known, found: Found, version: string): HealChoice {
  const { heal } = project;
  const wanted = heal === undefined ? [] : found.findings.filter(({ origin }) => heal === "all" || origin === heal);
  const failed = failedTryOf(memory.failedTries, { version, difference: found.difference });
  const vain = new Set(failed?.addresses);
  const listOf = (finding: Finding): HealList => {
    if (finding.ends && !project.prune) return "unpruned";
    if (isLeftAlone(memory.fights[finding.address])) return "leftAlone";
    if (vain.has(finding.address)) return "triedInVain";
    return finding.busy === undefined ? "heal" : "postponed";
  };
  const lists = groupBy(wanted, listOf);
  const unrecorded = heal === undefined ? [] : found.unrecorded;
  const addresses = (list: HealList) => (lists.get(list) ?? []).map(({ address }) => address);
  return {
    heal: found.blocked.length > 0 ? [] : [...addresses("heal"), ...unrecorded.filter((each) => !vain.has(each))],
    unpruned: addresses("unpruned"),
    leftAlone: addresses("leftAlone"),
    triedInVain: [...addresses("triedInVain"), ...unrecorded.filter((each) => vain.has(each))],
    ...(failed !== undefined && { vainReason: failed.reason }),
    postponed: addresses("postponed"),
  };
}
