import type { Mutant } from "./mutant.ts";
import { mutantsOf } from "./mutant.ts";

const guards = (test: string): Mutant["by"] => ["plan/guards.test.ts", test];
const gone = (test: string): Mutant["by"] => ["plan/everything-gone.test.ts", test];
const targets = (test: string): Mutant["by"] => ["plan/target-needs.test.ts", test];
const widened = (test: string): Mutant["by"] => ["plan/targets.test.ts", test];
const names = (test: string): Mutant["by"] => ["plan/collisions.test.ts", test];

/** Collisions, targets, moves and bindings at plan time (docs/engine.md, Identity). */
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
      "references: liveReferences(context, draft)",
      "references: draft.liveFields",
      ["apply/killed-then-destroyed.test.ts", "is destroyed in the order of what refers to what"],
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
