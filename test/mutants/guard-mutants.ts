import { type Mutant, mutantsOf } from "./mutant.ts";

const guards = (test: string): Mutant["by"] => ["plan/guards.test.ts", test];
const gone = (test: string): Mutant["by"] => ["plan/everything-gone.test.ts", test];
const uses = (test: string): Mutant["by"] => ["plan/losses.test.ts", test];

/** The guards that stop a whole run before its first write (docs/engine.md, Guards). */
export const guardMutants: readonly Mutant[] = [
  ...mutantsOf("otherTarget", [
    [
      "any service",
      "!isSameService(state.target.url, target.url)",
      "false",
      guards("target: a state of another service"),
    ],
    [
      "any organization",
      "state.target.organization !== target.organization",
      "false",
      guards("target: a state of another organization"),
    ],
    [
      "any environment",
      "state.serial > 0 && state.environment !== environment",
      "false",
      guards("target: a state of another environment"),
    ],
  ]),
  ...mutantsOf("guardPlan", [
    [
      "no project check",
      "    ...guardProject(context, objects),\n",
      "",
      guards("target: a project that declares nothing"),
    ],
    [
      "what is gone as a whole",
      "    ...(isEverythingGone(context) ? [everythingGone(context)] : []),\n",
      "",
      gone("the service shows none of 10 bound objects"),
    ],
    ["no empty guard", "    ...guardEmpty(context),\n", "", guards("empty:")],
    [
      "no protect",
      "    ...ending.flatMap((object) => guardProtect(context, object, losses.get(object.address))),\n",
      "",
      guards("protect: what the state says"),
    ],
    [
      "no history",
      "    ...ending.flatMap((object) => guardHistory(context, object, losses.get(object.address))),\n",
      "",
      guards("history: executions block"),
    ],
    [
      "no use",
      "    ...ending.flatMap((object) => guardUse(context, object, users.get(object.address) ?? [])),\n",
      "",
      uses("what somebody else's configuration runs"),
    ],
    [
      "taken over and deleted",
      "    ...ending.flatMap((object) => guardAdopted(context, object)),\n",
      "",
      ["plan/adopt.test.ts", "is not taken over only to be deleted"],
    ],
    ["no threshold", "    ...guardThreshold(context, objects, losses),\n", "", guards("threshold: 4 of 10 deleted")],
    [
      "replacements lose nothing",
      "isEnding(change));\n  const losses",
      'change.action === "delete");\n  const losses',
      guards("history: a replacement would lose it too"),
    ],
  ]),
  ...mutantsOf("isEverythingGone", [
    [
      "one that is left counts for all",
      "({ live }) => live === undefined);",
      "({ live }) => live === undefined || true);",
      gone("one object that is there"),
    ],
    ["a destroy of what is gone", "destroy || forceThreshold ||", "forceThreshold ||", gone("for a destroy")],
  ]),
  ...mutantsOf("guardEmpty", [
    [
      "empty only without flags",
      "!isEmpty || isForgotten",
      "!isEmpty || isForgotten || input.options.forceThreshold",
      guards("empty:"),
    ],
  ]),
  ...mutantsOf("guardProtect", [
    ["protect by the block only", "binding?.resource.protect === true ||", "", guards("protect: what the state says")],
    [
      "protect by the state only",
      " || declared?.lifecycle?.protect === true",
      "",
      guards("protect: a block counts before it was applied"),
    ],
    [
      "protect not below",
      "[address, ...(losses?.bound ?? [])]",
      "[address]",
      guards("protect: what is forgotten does not go with its parent either"),
    ],
  ]),
  ...mutantsOf("guardHistory", [
    ["running goes", "losses.running > 0", "false", guards("running: nothing that runs goes")],
    ["history goes", "lost.length > 0 && ", "false && ", guards("history: executions block")],
    [
      "any --allow-destroy allows all",
      "!anyMatcher(context.input.options.allowDestroy)(address)",
      "context.input.options.allowDestroy.length === 0",
      guards("history: --allow-destroy of another address"),
    ],
  ]),
  ...mutantsOf("guardThreshold", [
    ["any number of deletes", "deleted > thresholds.deletes", "false", guards("threshold: 21 of 80 deleted")],
    [
      "any share of deletes",
      "else if (isShareTooLarge(deleted, bound))",
      "else if (false)",
      guards("threshold: 4 of 10 deleted"),
    ],
    [
      "any share of updates",
      "if (isShareTooLarge(updated, bound))",
      "if (false)",
      guards("threshold: for destroy too, for updates too"),
    ],
    [
      "replacements are no deletes",
      'count(["delete", "replace"])',
      'count(["delete"])',
      guards("threshold: replacements count as deletes"),
    ],
  ]),
  ...mutantsOf("isShareTooLarge", [
    [
      "ten is few",
      "return bound >= thresholds.objects &&",
      "return bound > thresholds.objects &&",
      guards("threshold: 4 of 10 deleted"),
    ],
  ]),
  ...mutantsOf("findLosses", [
    ["nothing runs", "    running += found.running;\n", "", guards("running: nothing that runs goes")],
    [
      "nothing is unmanaged",
      "unmanaged: lost.length - 1",
      "unmanaged: 0",
      guards("history: recordings and objects of somebody else"),
    ],
    [
      "nothing below",
      "[live, ...lostBelow(context, live, new Set(ending.map((each) => each.live?.handle)))]",
      "[live]",
      guards("history: recordings and objects of somebody else"),
    ],
    ["no counts", "found.count > 0", "false", guards("history: executions block")],
  ]),
  ...mutantsOf("lostBelow", [
    [
      "children only",
      "[child, ...lostBelow(context, child, ending)]",
      "[child]",
      guards("history: what is far below counts"),
    ],
  ]),
  ...mutantsOf("historyToCount", [
    [
      "replacements not counted",
      "changes.filter(isEnding)",
      'changes.filter(({ action }) => action === "delete")',
      guards("history: a replacement would lose it too"),
    ],
    [
      "history below not counted",
      "    for (const child of children.get(node.handle) ?? []) collect(child);\n",
      "",
      guards("history: what is far below counts"),
    ],
  ]),
];
