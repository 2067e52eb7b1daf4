import { type Mutant, mutantsOf } from "./mutant.ts";

const applies = (test: string): Mutant["by"] => ["apply/apply-plan.test.ts", test];
const saved = (test: string): Mutant["by"] => ["properties/saved-plan.test.ts", test];
const guards = (test: string): Mutant["by"] => ["plan/guards.test.ts", test];

/** What makes a saved plan stale, and an apply other than what was approved (docs/engine.md, Saved plans and Guards). */
export const savedPlanMutants: readonly Mutant[] = [
  ...mutantsOf("applySession", [
    ["any state", "if (stored.state.lineage !== saved.lineage)", "if (false)", saved("of another state")],
    [
      "no state any more",
      "if (saved.hadState && session.stored === undefined)",
      "if (false)",
      saved("whose state is gone"),
    ],
    [
      "guards",
      "if (early) return outcome.plan",
      "if (early && false) return outcome.plan",
      saved("is blocked by a guard"),
    ],
  ]),
  ...mutantsOf("openPlan", [
    [
      "any digest",
      'if (document["file_digest"] !== fileDigest(document))',
      "if (false)",
      saved("does not match its digest"),
    ],
  ]),
  ...mutantsOf("onlySigned", [
    [
      "changed objects",
      "if (changed) return",
      "if (changed && false) return",
      saved("of a move is refused when somebody changed what moves"),
    ],
    [
      "done already",
      "if (operations.length !== wanted.size) return",
      "if (false) return",
      saved("is refused when it was applied already"),
    ],
  ]),
  ...mutantsOf("approvedOnly", [
    [
      "all is agreed to",
      "signed.has(sign(operation)) ? operation : { ...operation, unapproved: true }",
      "operation",
      applies("what changed after it was agreed to"),
    ],
  ]),
  ...mutantsOf("endsEarly", [
    ["guards are words", "if (outcome.blocked.length > 0)", "if (false)", guards("protect: what the state says")],
    [
      "errors are words",
      "outcome.plan === undefined || hasErrors(outcome.diagnostics)",
      "outcome.plan === undefined",
      applies("a plan with an error"),
    ],
  ]),
  ...mutantsOf("applyConnected", [
    [
      "nobody is asked",
      "if (!isEmptyPlan(shown) && !(await ui.confirm(shown)))",
      "if (false)",
      applies("a plan that was declined"),
    ],
  ]),
];
