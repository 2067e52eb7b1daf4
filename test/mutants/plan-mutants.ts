import type { Mutant } from "./mutant.ts";
import { mutantsOf } from "./mutant.ts";

const guards = (test: string): Mutant["by"] => ["plan/guards.test.ts", test];
const gone = (test: string): Mutant["by"] => ["plan/everything-gone.test.ts", test];
const uses = (test: string): Mutant["by"] => ["plan/guard-use.test.ts", test];
const targets = (test: string): Mutant["by"] => ["plan/target-needs.test.ts", test];
const widened = (test: string): Mutant["by"] => ["plan/targets.test.ts", test];
const names = (test: string): Mutant["by"] => ["plan/collisions.test.ts", test];

/** Guards at plan time (engine.md 2.3 and 2.12). */
export const planMutants: readonly Mutant[] = [
  ...mutantsOf("plan/stuck-moves.ts", [
    [
      "a target below it does not meet it",
      ".filter(({ from, to }) => isMeant(from) || isMeant(to))",
      ".filter(({ from }) => context.isSelected(from))",
      ["plan/renames.test.ts", "are refused with --target testCase.b/scenario.s"],
    ],
  ]),
  ...mutantsOf("plan/order-operations.ts", [
    [
      "what a recovery bound refers to nothing",
      "referredHandles(kind, live.fields)",
      "referredHandles(kind, draft.liveFields)",
      ["apply/killed-then-destroyed.test.ts", "is destroyed in the order of what refers to what"],
    ],
  ]),
  ...mutantsOf("plan/guard-target.ts", [
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
  ...mutantsOf("plan/guard-plan.ts", [
    [
      "no project check",
      "    ...guardProject(context, drafts),\n",
      "",
      guards("target: a project that declares nothing"),
    ],
    [
      "what is gone as a whole",
      "    ...(isEverythingGone(context) ? [everythingGone(context)] : []),\n",
      "",
      gone("the service shows none of 10 bound objects"),
    ],
    [
      "one that is left counts for all",
      "({ live }) => live === undefined);",
      "({ live }) => live === undefined || true);",
      gone("one object that is there"),
    ],
    ["a destroy of what is gone", "destroy || forceThreshold ||", "forceThreshold ||", gone("for a destroy")],
    ["no empty guard", "    ...guardEmpty(context),\n", "", guards("empty:")],
    [
      "empty only without flags",
      "!isEmpty || bound === 0 || isForgotten",
      "!isEmpty || bound === 0 || isForgotten || input.options.forceThreshold",
      guards("empty:"),
    ],
    [
      "no protect",
      "    ...ending.flatMap((draft) => guardProtect(context, draft, losses.get(draft.address))),\n",
      "",
      guards("protect: what the state says"),
    ],
    ["protect by the block only", "isBoundSo(each) || (", "(", guards("protect: what the state says")],
    [
      "protect by the state only",
      " || (each === address && node?.lifecycle?.protect === true)",
      "",
      guards("protect: a block counts before it was applied"),
    ],
    [
      "protect not below",
      "[address, ...(losses?.bound ?? [])]",
      "[address]",
      guards("protect: what is forgotten does not go with its parent either"),
    ],
    [
      "no history",
      "    ...ending.flatMap((draft) => guardHistory(context, draft, losses.get(draft.address))),\n",
      "",
      guards("history: executions block"),
    ],
    [
      "no use",
      "    ...ending.flatMap((draft) => guardUse(context, draft, users.get(draft.address) ?? [])),\n",
      "",
      uses("what somebody else's configuration runs"),
    ],
    [
      "taken over and deleted",
      "    ...ending.flatMap((draft) => guardAdopted(context, draft)),\n",
      "",
      ["plan/collisions.test.ts", "is not taken over only to be deleted"],
    ],
    ["running goes", "losses.running > 0", "false", guards("running: nothing that runs goes")],
    ["history goes", "lost.length > 0 && ", "false && ", guards("history: executions block")],
    [
      "any --allow-destroy allows all",
      "!anyMatcher(context.input.options.allowDestroy)(address)",
      "context.input.options.allowDestroy.length === 0",
      guards("history: --allow-destroy of another address"),
    ],
    ["no threshold", "    ...guardThreshold(context, drafts, losses),\n", "", guards("threshold: 4 of 10 deleted")],
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
    [
      "replacements lose nothing",
      "isEnding(change));\n  const losses",
      'change.action === "delete");\n  const losses',
      guards("history: a replacement would lose it too"),
    ],
    [
      "ten is few",
      "return bound >= thresholds.objects &&",
      "return bound > thresholds.objects &&",
      guards("threshold: 4 of 10 deleted"),
    ],
  ]),
  ...mutantsOf("plan/find-losses.ts", [
    ["nothing runs", "    running += found.running;\n", "", guards("running: nothing that runs goes")],
    [
      "nothing is unmanaged",
      "unmanaged: own.length - 1",
      "unmanaged: 0",
      guards("history: recordings and objects of somebody else"),
    ],
    [
      "nothing below",
      "[live, ...ownBelow(context, live, going)]",
      "[live]",
      guards("history: recordings and objects of somebody else"),
    ],
    [
      "children only",
      "[child, ...ownBelow(context, child, going)]",
      "[child]",
      guards("history: what is far below counts"),
    ],
    ["no counts", "found.count > 0", "false", guards("history: executions block")],
    [
      "replacements not counted",
      "node && isEnding(change)",
      'node && change.action === "delete"',
      guards("history: a replacement would lose it too"),
    ],
    [
      "history below not counted",
      "    for (const child of children.get(node.handle) ?? []) collect(child);\n",
      "",
      guards("history: what is far below counts"),
    ],
  ]),
  ...mutantsOf("plan/select-targets.ts", [
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
  ...mutantsOf("plan/widen-targets.ts", [
    ["moves leave others", "    ...movedAlong(context),\n", "", widened("to everything below a key that moves")],
    [
      "what lies below stays",
      "    ...goingAlong(context, drafts),\n",
      "",
      widened("to what refers to an object that is replaced"),
    ],
    [
      "what refers stays",
      "    ...stillReferring(context, drafts),\n",
      "",
      widened("to an update that lets go of a scenario"),
    ],
    [
      "names stay held",
      "    ...drafts.flatMap((draft) => holdersOfName(context, draft)),\n",
      "",
      widened("to the other side of two names"),
    ],
  ]),
  ...mutantsOf("plan/plan-context.ts", [
    [
      "everything is selected",
      "isSelected: (address) => selection.addresses.has(address)",
      "isSelected: () => true",
      targets("leaves the rest alone"),
    ],
  ]),
  ...mutantsOf("plan/name-conflicts.ts", [
    ["twins", "if (twin !== undefined) return [twins(context, draft, twin)];", "", names("two wishes of one name")],
    ["holders", "return holder === undefined ||\n", "return true ||\n", names("a rename onto a name that is taken")],
  ]),
  ...mutantsOf("plan/draft-ends.ts", [
    [
      "what was saved anew remains",
      "if (live === undefined) return binding;",
      "return binding;",
      ["plan/saved-anew.test.ts", "is deleted once it is declared no more"],
    ],
  ]),
  ...mutantsOf("plan/find-live.ts", [
    [
      "what was saved anew is made again",
      "asDeclared ?? (binding && savedAnew(context, binding, wish.kind))",
      "asDeclared",
      ["plan/saved-anew.test.ts", "is updated, not made a second time"],
    ],
    [
      "what another environment binds",
      "ownerOf(context, only.handle) !== undefined",
      "false",
      ["plan/bound-elsewhere.test.ts", "--adopt name takes over nothing"],
    ],
    [
      "another object has the id",
      "if (binding?.foreign) return",
      "if (binding?.foreign && false) return",
      names("an object that has the id"),
    ],
    [
      "a taken name is ours",
      "return { diagnostics: [taken(context, wish, only)] };\n}",
      "return { live: only, importing: true, diagnostics: [] };\n}",
      names("an unbound object of the same name"),
    ],
    ["the first of several", "candidates.length > 1", "false", names("several unbound objects of the same name")],
    [
      "exact is by name",
      '(mode === "exact" && isExact(context, wish, only))',
      'mode === "exact"',
      names("--adopt exact takes only what is as declared"),
    ],
  ]),
  ...mutantsOf("plan/make-plan.ts", [
    ["a message for each that is gone", '!isGone || code !== "LF3003"', "true", gone("objects of the same ids")],
  ]),
  ...mutantsOf("project/plan-project.ts", [
    [
      "no target check",
      "  if (elsewhere) return refusedElsewhere(work, elsewhere, readAt);\n",
      "",
      guards("target: a state of another service"),
    ],
  ]),
  ...mutantsOf("plan/bind-nodes.ts", [
    ["ids are enough", "found.identity?.createdAt === resource.createdAt", "true", names("an object that has the id")],
  ]),
  ...mutantsOf("project/unmatched-choices.ts", [
    [
      "a target that matches nothing",
      "if ([...addresses].some(matches)) return [];",
      "return [];",
      targets("that matches nothing is refused"),
    ],
  ]),
];
