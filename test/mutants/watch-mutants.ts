import { type Mutant, mutantsOf } from "./mutant.ts";

const heals = (test: string): Mutant["by"] => ["watch/choose-heals.test.ts", test];
const fights = (test: string): Mutant["by"] => ["watch/fights.test.ts", test];
const states = (test: string): Mutant["by"] => ["watch/project-state.test.ts", test];
const steps = (test: string): Mutant["by"] => ["watch/decide.test.ts", test];
const next = (test: string): Mutant["by"] => ["watch/next-check.test.ts", test];
const hours = (test: string): Mutant["by"] => ["watch/suspensions.test.ts", test];
const told = (test: string): Mutant["by"] => ["watch/make-notifications.test.ts", test];
const months: Mutant["by"] = ["properties/watching.test.ts", "converges when it may"];
const commit = "is healed again once a commit changes it";

/** The guards of a watcher that heals by itself. */
export const watchMutants: readonly Mutant[] = [
  ...mutantsOf("chooseHeals", [
    ["deletes without prune", "finding.ends && !project.prune", "false", heals("both: all")],
    ["any origin", 'heal === "all" || origin === heal', "true", heals("what git changed: git")],
    ["under a run", 'finding.busy === undefined ? "heal" : "postponed"', '"heal"', heals("whose run is under way")],
    ["past a guard", "found.blocked.length > 0 ? []", "!found ? []", heals("while a guard or a limit holds")],
    ["again what failed", "if (vain.has(finding.address))", "if (!vain)", heals("is not repeated for the same commit")],
    ["what is fought over", "if (isLeftAlone(memory.fights[finding.address]))", "if (!vain)", fights("told once")],
  ]),
  ...mutantsOf("failedTryOf", [
    ["any version", "each.version === version &&", "", heals("is repeated for another commit")],
    ["any difference", "&& each.difference === difference", "", heals("is repeated for another difference")],
  ]),
  ...mutantsOf("failedTriesAfter", [
    ["forgets deaths", "!(isLost || isFailedHeal(heal))", "!isFailedHeal(heal)", heals("repeated once")],
    ["forgets others", "...new Set([...(before?.addresses ?? []),", "...new Set([", heals("when that one fails too")],
    ["never again after a death", "isLost ? tried.addresses", "!tried ? tried.addresses", heals("repeated once")],
    ["again and again after deaths", "!known.has(address)", "known", heals("repeated once")],
    ["knows of no retry", "if (checking?.retry) return [];", "", heals("while it fails")],
  ]),
  ...mutantsOf("isFailedHeal", [["half a try", '|| heal?.status === "partial"', "", heals("in part is not repeated")]]),
  ...mutantsOf("watch/versionOf", [
    [
      "a folder by its commit",
      'source.is === "git" ? (commit ?? documents) : documents',
      "commit ?? documents",
      ["watch/watched-project.test.ts", "of a folder"],
    ],
    [
      "a repository by its documents",
      'source.is === "git" ? (commit ?? documents) :',
      "commit === '' ? commit :",
      heals("whatever the documents"),
    ],
  ]),
  ...mutantsOf("observeFights", [
    ["no commit ends it", 'if (origin === "git") return [];', "", fights(commit)],
    ["no hour ends it", "fight.lastDriftAt <= now - hourMs", "false", fights("once an hour has passed without drift")],
    ["any look ends it", "fight.lastDriftAt <= now - hourMs", "true", fights("has not passed since it drifted")],
    [
      "healings are never forgotten",
      "fight.healedAt.filter((at) => at > now - hourMs)",
      "fight.healedAt",
      fights("forgotten an hour later"),
    ],
  ]),
  ...mutantsOf("countHeals", [
    ["a fight without an end", "healedAt.length >= healsOfFight", "healedAt.length >= 1e9", fights("told once")],
  ]),
  ...mutantsOf("watch/answer", [
    [
      "heals while suspended",
      "&& suspensionAt(known, now) === undefined",
      "",
      heals("suspended while its check was under way"),
    ],
    [
      "a check that nobody knows",
      "checking !== undefined && suspensionAt",
      "suspensionAt",
      steps("nobody knows of heals nothing"),
    ],
  ]),
  ...mutantsOf("checkNow", [
    [
      "checks while suspended",
      "if (suspension !== undefined) return",
      "if (!known) return",
      hours("is not checked until it is resumed"),
    ],
  ]),
  ...mutantsOf("decide", [
    [
      "two checks at a time",
      "known.memory.checking === undefined ? checkNow(known, at) : unchanged(known)",
      "checkNow(known, at)",
      steps("while one is under way"),
    ],
  ]),
  ...mutantsOf("watch/ask", [
    ["forgets to check again", "isAskedAgain: true", "isAskedAgain: false", steps("when somebody asks meanwhile")],
    ["every question is a retry", "retry ? {", "retry || known ? {", heals("for a check alone")],
  ]),
  ...mutantsOf("stateOfResult", [
    [
      "no reason for what is not pruned",
      "if (choice.unpruned.length > 0)",
      "if (choice.unpruned.length > 99)",
      states("out-of-sync for that reason"),
    ],
    [
      "drifted first",
      '.some(({ origin }) => origin === "git")',
      '.every(({ origin }) => origin === "git")',
      states("before drifted"),
    ],
    [
      "a lock that nobody tried is free",
      'memory.state === "locked" &&',
      "memory === undefined &&",
      states("in the way of another try"),
    ],
    [
      "a try in vain is no failure",
      "if (choice.triedInVain.length > 0)",
      "if (choice.triedInVain.length > 99)",
      heals("remains failed"),
    ],
  ]),
  ...mutantsOf("nextCheckAfter", [
    [
      "any back-off",
      "Math.min(longestBackOffMs, interval * 2 ** Math.min(end.failures, 20))",
      "interval * 2 ** Math.min(end.failures, 20)",
      next("at most 15 minutes"),
    ],
    ["no back-off", "end.failures > 0", "end.failures > 9", next("is later and later")],
    ["a run's end is missed", "end.isUnfinished ?", "end === undefined ?", next("something was postponed")],
  ]),
  ...mutantsOf("endOrChange", [
    [
      "clocks that never change",
      "return same?.to ?? at + 1000;",
      "return same ? at + left * 1000 : at;",
      hours("hour shorter"),
    ],
  ]),
  ...mutantsOf("notificationsOf", [
    ["every check", "state !== was ?", "state ?", told("a state that remains")],
    [
      "no recovery across a suspension",
      "isRecovery(before.trouble,",
      "isRecovery(before.state,",
      told("across a suspension"),
    ],
  ]),
  ...mutantsOf("isRecovery", [
    [
      "a recovery from one trouble to another",
      "!hindered.has(state)",
      "state !== trouble",
      told("one hindrance to another"),
    ],
    ["a recovery by the watcher", "&& !hasHealed", "", told("a healing of what was told before")],
  ]),
  ...mutantsOf("withPastCheck", [
    ["a history without an end", "memory.history.slice(0, mostChecks - 1)", "memory.history", steps("last 100 checks")],
  ]),
  // The simulated months notice the same by themselves.
  ...mutantsOf("chooseHeals", [
    ["months of deletes without prune", "finding.ends && !project.prune", "false", months],
    ["months of healings under a run", 'finding.busy === undefined ? "heal" : "postponed"', '"heal"', months],
    ["months of tries in vain", "if (vain.has(finding.address))", "if (!vain)", months],
    ["months of fights", "if (isLeftAlone(memory.fights[finding.address]))", "if (!vain)", months],
  ]),
  ...mutantsOf("observeFights", [
    ["months without an end of a fight", "fight.lastDriftAt <= now - hourMs", "false", months],
  ]),
  ...mutantsOf("watch/answer", [
    ["months of healings while suspended", "&& suspensionAt(known, now) === undefined", "", months],
  ]),
  ...mutantsOf("notificationsOf", [["months of noise", "state !== was ?", "state ?", months]]),
];
