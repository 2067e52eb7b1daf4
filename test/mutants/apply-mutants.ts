import type { Mutant } from "./mutant.ts";
import { mutantsOf } from "./mutant.ts";

const checks = (test: string): Mutant["by"] => ["apply/last-looks.test.ts", test];
const saved = (test: string): Mutant["by"] => ["properties/saved-plan.test.ts", test];
const guards = (test: string): Mutant["by"] => ["plan/guards.test.ts", test];
const recovery = (test: string): Mutant["by"] => ["apply/recover-intents.test.ts", test];

/** Looks again before each write, and what makes a plan stale (engine.md 2.7, 2.9, 2.10 and 2.12). */
export const applyMutants: readonly Mutant[] = [
  ...mutantsOf("apply/run-delete.ts", [
    [
      "no look before it",
      "if (id !== undefined && (await stillThere(context, operation, { kind, id }))) {",
      "if (id !== undefined) {",
      checks("a delete of what was renamed"),
    ],
    [
      "another object has the id",
      'if (now["createdAt"] !== precondition?.createdAt) throw',
      'if (now["createdAt"] === "") throw',
      checks("a delete of what was made anew under its id"),
    ],
    [
      "renamed",
      'planned !== undefined && now["name"] !== planned',
      'false && now["name"] !== planned',
      checks("a delete of what was renamed"),
    ],
    ["running", "history && history.running > 0", "false && history", checks("a delete of what was started")],
    [
      "gone already is a failure",
      "if (isMissing(problem)) return undefined;",
      "",
      checks("a delete of what is gone already"),
    ],
  ]),
  ...mutantsOf("apply/keep-hidden.ts", [
    [
      "forgets without another look",
      "if (hidden.length === 0) return",
      "if (hidden.length >= 0) return",
      ["properties/assumptions.test.ts", "is not forgotten by an apply"],
    ],
  ]),
  ...mutantsOf("apply/refuse-hidden.ts", [
    [
      "makes anew below what an upsert found",
      "if (isHidden && now !== undefined) refuse(",
      "if (false && isHidden && now !== undefined) refuse(",
      ["properties/assumptions.test.ts", "is found by its answer when a second look is late too"],
    ],
  ]),
  ...mutantsOf("apply/apply-context.ts", [
    [
      "what a create wakes was there before",
      "(deleted.has(node.handle) || isDormant(kind, node))",
      "isDormant(kind, node)",
      ["apply/killed-regions.test.ts", "of another key, put to sleep and woken"],
    ],
  ]),
  ...mutantsOf("apply/check-precondition.ts", [
    [
      "never looks again",
      "const isFresh = context.clock.now() - context.readAt <= staleAfterMs;",
      "const isFresh = true;",
      checks("a late update of what was changed"),
    ],
    [
      "another object has the id",
      'if (now["createdAt"] !== precondition.createdAt) throw',
      'if (now["createdAt"] === "") throw',
      checks("a late update of what was made anew under its id"),
    ],
    [
      "changed fields",
      "if (moved.length > 0) throw",
      "if (moved.length < 0) throw",
      checks("a late update of what was changed"),
    ],
  ]),
  ...mutantsOf("apply/run-update.ts", [
    [
      "another object took it",
      "if (answer.id !== resource.id) throw",
      "if (answer.id < 0) throw",
      checks("a description that another test case would take"),
    ],
    [
      "a lost write is forgotten",
      "if (isInDoubt(problem)) keepDoubtful(context, intents);",
      "if (isInDoubt(problem)) void keepDoubtful;",
      checks("a schedule that was perhaps made"),
    ],
  ]),
  ...mutantsOf("apply/run-create.ts", [
    ["nothing durable before it", "...sent]);", "]);", checks("a create is sent only after its intent")],
    [
      "the old one is forgotten",
      "[...rebind(context, former, [operation.address, operation.deposes]), ...sent]",
      "[...sent]",
      checks("a replacement made first keeps both"),
    ],
    ["sent again blindly", "if (found) return found;", "", checks("a create whose answer was lost")],
  ]),
  ...mutantsOf("apply/apply-plan.ts", [
    ["not agreed to", "if (operation.unapproved)", "if (false)", checks("what changed after it was agreed to")],
    [
      "goes on without the lock",
      "isFenced ||= problem instanceof LockLost;",
      "isFenced ||= false;",
      checks("who lost the lock starts nothing more"),
    ],
  ]),
  ...mutantsOf("apply/schedule-operations.ts", [
    [
      "connected deletes go on",
      'operation.op === "delete" && work.failedComponents',
      'operation.op === "set" && work.failedComponents',
      checks("a delete that hangs together with a failure"),
    ],
    [
      "dependants go on",
      'if (ending !== "done") {\n      finish(work, next, "skipped");\n      continue;\n    }\n',
      "",
      checks("what depends on a failure"),
    ],
  ]),
  ...mutantsOf("apply/recover-create.ts", [
    ["what was there before", " || intent.preIds.includes(node.identity.id)", "", recovery("what was there before")],
    ["what is older", "(intent.since ?? intent.t) - clockSkewMs)", "0)", recovery("what was made long before")],
    ["what is bound", "isSame && !isBound(node.handle)", "isSame", recovery("what is bound already")],
    ["another parent's", "node.parent !== parent || ", "", recovery("what stands under another parent")],
    [
      "no wait",
      "if (pauseMs > 0) await sleepUnless(signal, () => clock.sleep(pauseMs));",
      "",
      recovery("that did not happen waits once"),
    ],
    [
      "the first of several",
      "const isClear = nodes.length === 1 || ",
      "const isClear = nodes.length > 0 || ",
      recovery("several that it may be"),
    ],
  ]),
  ...mutantsOf("project/apply-saved.ts", [
    ["any state", "if (stored.state.lineage !== saved.lineage)", "if (false)", saved("of another state")],
    [
      "no state any more",
      "if (saved.hadState && session.stored === undefined)",
      "if (false)",
      saved("whose state is gone"),
    ],
    [
      "changed objects",
      "if (changed) return",
      "if (changed && false) return",
      saved("of a move is refused when somebody changed what moves"),
    ],
    [
      "done already",
      "if (kept.length !== wanted.size) return",
      "if (false) return",
      saved("is refused when it was applied already"),
    ],
    [
      "guards",
      "if (early) return outcome.plan",
      "if (early && false) return outcome.plan",
      saved("is blocked by a guard"),
    ],
  ]),
  ...mutantsOf("project/saved-plan.ts", [
    [
      "any digest",
      'if (document["file_digest"] !== fileDigest(document))',
      "if (false)",
      saved("does not match its digest"),
    ],
  ]),
  ...mutantsOf("project/approved-only.ts", [
    [
      "all is agreed to",
      "agreed.has(sign(operation)) ? operation : { ...operation, unapproved: true }",
      "operation",
      checks("what changed after it was agreed to"),
    ],
  ]),
  ...mutantsOf("project/apply-project.ts", [
    ["guards are words", "if (outcome.blocked.length > 0)", "if (false)", guards("protect: what the state says")],
    [
      "errors are words",
      "outcome.plan === undefined || hasErrors(outcome.diagnostics)",
      "outcome.plan === undefined",
      checks("a plan with an error"),
    ],
    [
      "nobody is asked",
      "if (!isEmptyPlan(shown) && !(await ui.confirm(shown)))",
      "if (false)",
      checks("a plan that was declined"),
    ],
  ]),
];
