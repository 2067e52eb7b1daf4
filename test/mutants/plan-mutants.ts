import { type Mutant, mutantsOf } from "./mutant.ts";

const guards = (test: string): Mutant["by"] => ["plan/guards.test.ts", test];
const gone = (test: string): Mutant["by"] => ["plan/everything-gone.test.ts", test];
const targets = (test: string): Mutant["by"] => ["plan/select-targets.test.ts", test];
const widened = (test: string): Mutant["by"] => ["plan/expand-targets.test.ts", test];
const names = (test: string): Mutant["by"] => ["plan/adopt.test.ts", test];

const memory = (test: string): Mutant["by"] => ["project/unchanged-plan.test.ts", test];

/** Collisions, targets, moves and bindings at plan time (docs/engine.md, Identity). */
export const planMutants: readonly Mutant[] = [
  ...mutantsOf("impliedChoices", [
    [
      "a foreign choice remains",
      "? [[by, standard]]",
      "? []",
      ["plan/diff-fields.test.ts", "is sent back to its default"],
    ],
  ]),
  ...mutantsOf("isFilledInAnew", [
    [
      "what the service filled in under another choice remains",
      "sense === undefined",
      "true",
      ["plan/cleared-fields.test.ts", "is that of the new interval"],
    ],
  ]),
  ...mutantsOf("hiddenPaths", [
    [
      "a value that somebody encrypted is sent for ever",
      "isValue(valueAt(desired, path))",
      "!isValue(valueAt(desired, path))",
      ["plan/secrets.test.ts", "of a parameter p that somebody encrypted"],
    ],
  ]),
  ...mutantsOf("awaitLostCreates", [
    [
      "a clock that was ahead is waited for",
      "Math.min(lastSentAt, latest)",
      "lastSentAt",
      ["apply/recover.test.ts", "however far ahead the clock was"],
    ],
  ]),
  ...mutantsOf("senselessList", [
    [
      "an allowance in both directions is taken",
      "signs.size === 1",
      "signs.size > 0",
      ["config/read-gates.test.ts", "[+5%, -5%]"],
    ],
  ]),
  ...mutantsOf("unbindByUse", [
    [
      "a tag that is pending in the state remains",
      "isPending ? ",
      "!isPending ? ",
      ["terraform/resource/tag-and-region.test.ts", "that are pending in the state are deleted too"],
    ],
  ]),
  ...mutantsOf("oneOnMachine", [
    [
      "processes write one list at the same moment",
      "await lockOnMachine(key, wait).catch(",
      "await Promise.resolve(async () => {}).catch(",
      ["terraform/provider.test.ts", "that several processes write at the same moment"],
    ],
  ]),
  ...mutantsOf("coveringEntry", [
    [
      "a glob forgets nothing",
      "chain.some(matches)",
      "chain.every((each) => each === '' && matches(each))",
      ["config/moves.test.ts", "what a glob names is forgotten"],
    ],
  ]),
  ...mutantsOf("unchangedPlan", [
    ["a plan of secrets is remembered", "&& !isSecret()", "", memory("where a value comes")],
  ]),
  ...mutantsOf("planMemory", [
    [
      "another build's plan is believed",
      "last?.program !== key.program || ",
      "last == null || ",
      memory("from another build"),
    ],
    [
      "a plan for another service is believed",
      " || last.override !== key.override",
      "",
      memory("after a change of $LOADFORM_URL"),
    ],
  ]),
  ...mutantsOf("unshownParts", [
    [
      "the ids of what is touched are not reviewed",
      "id ?? null, idOf",
      "null, idOf",
      ["project/plan-digest.test.ts", "which objects"],
    ],
  ]),
  ...mutantsOf("impossibleMoves", [
    [
      "a target below it does not meet it",
      ".filter(({ from, to }) => isMeant(from) || isMeant(to))",
      ".filter(({ from }) => context.isSelected(from))",
      ["plan/match-moves.test.ts", "are refused with --target testCase.b/scenario.s"],
    ],
  ]),
  ...mutantsOf("orderOperations", [
    [
      "what a recovery bound refers to nothing",
      "references: liveReferences(context, object)",
      "references: object.liveFields",
      ["apply/killed-then-destroyed.test.ts", "is destroyed in the order of what refers to what"],
    ],
  ]),
  ...mutantsOf("neededBy", [
    [
      "no parents",
      "[...parent, ...references, ...(node.dependsOn ?? [])]",
      "[...references, ...(node.dependsOn ?? [])]",
      targets("brings the parents"),
    ],
    [
      "no references",
      "[...parent, ...references, ...(node.dependsOn ?? [])]",
      "[...parent, ...(node.dependsOn ?? [])]",
      targets("brings what it refers to"),
    ],
    [
      "no named dependencies",
      "[...parent, ...references, ...(node.dependsOn ?? [])]",
      "[...parent, ...references]",
      targets("brings what it names"),
    ],
  ]),
  ...mutantsOf("neededTargets", [
    ["moves leave others", "    ...movingAlong(context),\n", "", widened("to everything below a key that moves")],
    [
      "what lies below stays",
      "    ...deletedAlong(context, objects),\n",
      "",
      widened("to what refers to an object that is replaced"),
    ],
    [
      "what refers stays",
      "    ...stillReferring(context, objects),\n",
      "",
      widened("to an update that lets go of a scenario"),
    ],
    [
      "names stay held",
      "    ...objects.flatMap((object) => holdingName(context, object)),\n",
      "",
      widened("to the other side of two names"),
    ],
  ]),
  ...mutantsOf("selectedBy", [
    [
      "everything is selected",
      "isSelected: (address) => selection.addresses.has(address)",
      "isSelected: () => true",
      targets("leaves the rest alone"),
    ],
  ]),
  ...mutantsOf("nameConflicts", [
    ["twins", "if (twin !== undefined) return [twins(context, object, twin)];", "", names("two wishes of one name")],
    ["holders", "return holder === undefined ||\n", "return true ||\n", names("a rename onto a name that is taken")],
  ]),
  ...mutantsOf("withSavedAnew", [
    [
      "what was saved anew remains",
      "if (live === undefined) return binding;",
      "return binding;",
      ["plan/saved-anew.test.ts", "is deleted once it is declared no more"],
    ],
  ]),
  ...mutantsOf("plan/findLive", [
    [
      "what was saved anew is made again",
      "asDeclared ?? (binding && savedAnew(context, binding, kind))",
      "asDeclared",
      ["plan/saved-anew.test.ts", "is updated, not made a second time"],
    ],
    [
      "another object has the id",
      "if (binding?.replacedBy) return",
      "if (binding?.replacedBy && false) return",
      names("an object that has the id"),
    ],
  ]),
  ...mutantsOf("adopt", [
    [
      "what another environment binds",
      'owner === undefined && (mode === "name"',
      '(mode === "name"',
      ["project/other-states.test.ts", "--adopt name takes over nothing"],
    ],
    [
      "a taken name is ours",
      "if (isAdopted) return",
      "if (isAdopted || owner === undefined) return",
      names("an unbound object of the same name"),
    ],
    ["the first of several", "candidates.length > 1", "false", names("several unbound objects of the same name")],
    [
      "exact is by name",
      '(mode === "exact" && isAsDeclared)',
      'mode === "exact"',
      names("--adopt exact takes only what is as declared"),
    ],
  ]),
  ...mutantsOf("plan/problemsOf", [
    ["a message for each that is gone", 'code !== "LF3003"', "true", gone("objects of the same ids")],
  ]),
  ...mutantsOf("planOpened", [
    [
      "no target check",
      "  if (elsewhere) return refusedElsewhere(work, elsewhere, { readAt, requests: requests() });\n",
      "",
      guards("target: a state of another service"),
    ],
  ]),
  ...mutantsOf("bindOne", [
    ["ids are enough", "found.identity?.createdAt === resource.createdAt", "true", names("an object that has the id")],
  ]),
  ...mutantsOf("unmatchedChoices", [
    [
      "a target that matches nothing",
      "if ([...addresses].some(matches)) return [];",
      "return [];",
      targets("that matches nothing is refused"),
    ],
  ]),
];
