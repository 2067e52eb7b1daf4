import type { Mutant } from "./mutant.ts";
import { mutantsOf } from "./mutant.ts";

const looks = (test: string): Mutant["by"] => ["apply/before-write.test.ts", test];
const applies = (test: string): Mutant["by"] => ["apply/apply-plan.test.ts", test];
const takeover = (test: string): Mutant["by"] => ["apply/takeover.test.ts", test];
const saved = (test: string): Mutant["by"] => ["properties/saved-plan.test.ts", test];
const guards = (test: string): Mutant["by"] => ["plan/guards.test.ts", test];
const senseless = (test: string): Mutant["by"] => ["apply/senseless-answers.test.ts", test];
const recovery = (test: string): Mutant["by"] => ["apply/recover-intents.test.ts", test];

/** Looks again before each write, and what makes a plan stale (docs/engine.md, Journal and recovery and Concurrency and Saved plans and Guards). */
export const applyMutants: readonly Mutant[] = [
  ...mutantsOf("client/read-answer.ts", [
    [
      "any answer is believed",
      "if (problem !== undefined) throw new UnreadableAnswer(`${problem};",
      "if (problem === null) throw new UnreadableAnswer(`${problem};",
      ["client/send-call.test.ts", "is not believed of a create: {}"],
    ],
  ]),
  ...mutantsOf("apply/run-delete.ts", [
    [
      "no look before it",
      "if (await stillThere(context, operation, found)) {",
      "{",
      looks("a delete of what was renamed"),
    ],
    [
      "another object has the id",
      'if (now["createdAt"] !== precondition?.createdAt) throw',
      'if (now["createdAt"] === "") throw',
      looks("a delete of what was made anew under its id"),
    ],
    [
      "renamed",
      'planned !== undefined && now["name"] !== planned',
      'false && now["name"] !== planned',
      looks("a delete of what was renamed"),
    ],
    ["running", "history && history.running > 0", "false && history", looks("a delete of what was started")],
    [
      "gone already is a failure",
      "if (isMissing(problem)) return undefined;",
      "",
      looks("a delete of what is gone already"),
    ],
  ]),
  ...mutantsOf("apply/run-delete.ts", [
    [
      "takes along what appeared below it",
      "if (appeared !== undefined) throw",
      "if (appeared === null) throw",
      looks("a delete of what somebody made something below"),
    ],
    [
      "a 404 is believed",
      "if (!(await isListed(context, operation, found))) return;",
      "return;",
      looks("a 404 to a delete is not believed"),
    ],
  ]),
  ...mutantsOf("apply/refuse-takeover.ts", [
    [
      "no look before an upsert",
      'throw takenMeanwhile(kind, operation, found, "Nothing was written to it.");',
      "",
      takeover("is seen right before ours is sent, and is not written to"),
    ],
    ["an older object is ours", "if (isOlder || (kind", "if ((kind", takeover("within the second after the read")],
    [
      "an object with children is ours",
      "if (isOlder || (kind.remote.upserts && hasChildren(context, kind, wire)))",
      "if (isOlder)",
      takeover("puts a scenario into"),
    ],
  ]),
  ...mutantsOf("apply/confirm-writes.ts", [
    [
      "no look at what was made",
      "await confirmCreates(context, live);",
      "",
      senseless("POST /test-cases/:id/gateways answers another id:"),
    ],
  ]),
  ...mutantsOf("apply/recover-create.ts", [
    [
      "what says something else",
      "(create.isOwn === true || mayBeSent(create, node))",
      "true",
      recovery("what says something else than was sent"),
    ],
  ]),
  ...mutantsOf("client/send-call.ts", [
    [
      "a look that fails ends the doubt",
      'arrival: "maybe-done", options });\n    });',
      'arrival: "answered", options });\n    });',
      ["client/send-call.test.ts", "whose look fails is reported as maybe done"],
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
      looks("a late update of what was changed"),
    ],
    [
      "another object has the id",
      'if (now["createdAt"] !== precondition.createdAt) throw',
      'if (now["createdAt"] === "") throw',
      looks("a late update of what was made anew under its id"),
    ],
    [
      "changed texts",
      "...(await movedContents(context, kind, { operation, precondition, now })),",
      "",
      looks("a late update of a scenario is not when its text was changed"),
    ],
    [
      "changed fields",
      "if (moved.length > 0) throw",
      "if (moved.length < 0) throw",
      looks("a late update of what was changed"),
    ],
  ]),
  ...mutantsOf("apply/run-update.ts", [
    [
      "another object took it",
      "if (answer.id !== resource.id) throw",
      "if (answer.id < 0) throw",
      looks("a description that another test case would take"),
    ],
    [
      "a lost write is forgotten",
      "if (isInDoubt(problem)) keepDoubtful(context, intents);",
      "if (isInDoubt(problem)) void keepDoubtful;",
      applies("a schedule that was perhaps made"),
    ],
  ]),
  ...mutantsOf("apply/run-create.ts", [
    ["nothing durable before it", "...sent]);", "]);", applies("a create is sent only after its intent")],
    [
      "the old one is forgotten",
      "[...rebind(context, former, [operation.address, operation.deposes]), ...sent]",
      "[...sent]",
      applies("a replacement made first keeps both"),
    ],
    ["sent again blindly", "if (found) return found;", "", applies("a create whose answer was lost")],
  ]),
  ...mutantsOf("apply/apply-plan.ts", [
    ["not agreed to", "if (operation.unapproved)", "if (false)", applies("what changed after it was agreed to")],
    [
      "goes on without the lock",
      "isFenced ||= problem instanceof LockLost;",
      "isFenced ||= false;",
      applies("who lost the lock starts nothing more"),
    ],
  ]),
  ...mutantsOf("apply/schedule-operations.ts", [
    [
      "connected deletes go on",
      'operation.op === "delete" && work.failedComponents',
      'operation.op === "set" && work.failedComponents',
      applies("a delete that hangs together with a failure"),
    ],
    [
      "dependants go on",
      'if (ending !== "done") {\n      finish(work, next, "skipped");\n      continue;\n    }\n',
      "",
      applies("what depends on a failure"),
    ],
  ]),
  ...mutantsOf("apply/recover-create.ts", [
    ["what was there before", " || intent.preIds.includes(node.identity.id)", "", recovery("what was there before")],
    ["what is older", "(intent.since ?? intent.t) - clockSkewMs", "0", recovery("what was made long before")],
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
      "const isClear = (nodes.length === 1 || ",
      "const isClear = (nodes.length > 0 || ",
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
      applies("what changed after it was agreed to"),
    ],
  ]),
  ...mutantsOf("project/apply-project.ts", [
    ["guards are words", "if (outcome.blocked.length > 0)", "if (false)", guards("protect: what the state says")],
    [
      "errors are words",
      "outcome.plan === undefined || hasErrors(outcome.diagnostics)",
      "outcome.plan === undefined",
      applies("a plan with an error"),
    ],
    [
      "nobody is asked",
      "if (!isEmptyPlan(shown) && !(await ui.confirm(shown)))",
      "if (false)",
      applies("a plan that was declined"),
    ],
  ]),
];
