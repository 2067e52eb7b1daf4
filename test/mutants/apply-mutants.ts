import { type Mutant, mutantsOf } from "./mutant.ts";

const looks = (test: string): Mutant["by"] => ["apply/before-write.test.ts", test];
const applies = (test: string): Mutant["by"] => ["apply/apply-plan.test.ts", test];
const takeover = (test: string): Mutant["by"] => ["apply/concurrent-edits.test.ts", test];
const senseless = (test: string): Mutant["by"] => ["apply/senseless-answers.test.ts", test];
const recovery = (test: string): Mutant["by"] => ["apply/recover.test.ts", test];
const assumed = (test: string): Mutant["by"] => ["properties/assumptions.test.ts", test];
const hostileRuns: Mutant["by"] = ["properties/hostile-runs.test.ts", "one clean apply ends every run"];

/** Looks again before each write, and what makes a plan stale (docs/engine.md, Journal and recovery and Concurrency and Saved plans and Guards). */
export const applyMutants: readonly Mutant[] = [
  ...mutantsOf("readAnswer", [
    [
      "any answer is believed",
      "if (problem !== undefined)",
      "if (problem === null)",
      ["client/send-call.test.ts", "is not believed of a create: {}"],
    ],
  ]),
  ...mutantsOf("mayRemove", [
    [
      "no look before it",
      "return isStillToDelete(context, operation, id);",
      "return true;",
      looks("a delete of what was renamed"),
    ],
  ]),
  ...mutantsOf("isStillToDelete", [
    [
      "another object has the id",
      'if (now.id !== id || now["createdAt"] !== precondition?.createdAt) throw',
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
  ]),
  ...mutantsOf("remote/readObject", [
    [
      "gone already is a failure",
      "if (isMissing(problem)) return undefined;",
      "",
      looks("a delete of what is gone already"),
    ],
  ]),
  ...mutantsOf("isStillToDelete", [
    [
      "takes along what appeared below it",
      "if (appeared !== undefined) throw",
      "if (appeared === null) throw",
      looks("a delete of what somebody made something below"),
    ],
  ]),
  ...mutantsOf("removeUntilGone", [
    [
      "a 404 is believed",
      'if (said === "deleted" || !(await isListed())) return;',
      "return;",
      looks("a 404 to a delete is not believed"),
    ],
  ]),
  ...mutantsOf("refuseNamesake", [
    [
      "no look before an upsert",
      'throw takenMeanwhile(kind, operation, found, "Nothing was written to it.");',
      "",
      takeover("is seen right before ours is sent, and is not written to"),
    ],
  ]),
  ...mutantsOf("hasTakenOver", [
    [
      "an older object is ours",
      "if (updatedAt - createdAt > elapsedMs + stampSlackMs) return true;",
      "",
      takeover("within the second after the read"),
    ],
    [
      "an object with children is ours",
      "kind.remote.upserts === true &&",
      "kind.remote.upserts === undefined &&",
      takeover("puts a scenario into"),
    ],
  ]),
  ...mutantsOf("confirmWrites", [
    [
      "no look at what was made",
      "await confirmCreates(context, live);",
      "",
      senseless("POST /test-cases/:id/gateways answers another id:"),
    ],
  ]),
  ...mutantsOf("apply/createdBefore", [
    [
      "what was deleted is found again",
      "&& !deleted.some(({ resource }) => liveHandle(resource.kind, resource.id) === handle)",
      "",
      hostileRuns,
    ],
  ]),
  ...mutantsOf("lacksChildren", [
    ["dropped schedules are not missed", "inline?.unchanged === true", "false", assumed("schedules that it did not")],
  ]),
  ...mutantsOf("restoreSeparate", [
    ["a Single schedule is paused", "!inactive.has(name)", "true", assumed("makes anew as a Single one")],
  ]),
  ...mutantsOf("candidatesOf", [
    [
      "what says something else",
      "(create.isOwn === true || mayBeSent(create, node))",
      "true",
      recovery("what says something else than was sent"),
    ],
  ]),
  ...mutantsOf("sendUntilDone", [
    [
      "a look that fails ends the doubt",
      '() => failed("maybe-done")',
      '() => failed("answered")',
      ["client/send-call.test.ts", "whose look fails is reported as maybe done"],
    ],
  ]),
  ...mutantsOf("keepHidden", [
    [
      "forgets without another look",
      "if (hidden.length === 0) return",
      "if (hidden.length >= 0) return",
      ["properties/assumptions.test.ts", "is not forgotten by an apply"],
    ],
  ]),
  ...mutantsOf("refuseShown", [
    [
      "makes anew below what an upsert found",
      "if (isHidden && now !== undefined) refuseToCreate(",
      "if (false && isHidden && now !== undefined) refuseToCreate(",
      ["properties/assumptions.test.ts", "is found by its answer when a second look is late too"],
    ],
  ]),
  ...mutantsOf("idIndex", [
    [
      "what a create wakes was there before",
      "(deleted.has(node.handle) || isDeactivated(kind, node))",
      "isDeactivated(kind, node)",
      ["apply/killed-regions.test.ts", "of another key, put to sleep and woken"],
    ],
  ]),
  ...mutantsOf("checkPrecondition", [
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
  ...mutantsOf("checkAnswer", [
    [
      "another object took it",
      "if (wire.id !== resource.id) throw",
      "if (wire.id < 0) throw",
      looks("a description that another test case would take"),
    ],
  ]),
  ...mutantsOf("runUpdate", [
    [
      "a lost write is forgotten",
      "if (!isAnswered && isUnresolved(problem)) context.keepUnresolved(intents);",
      "if (!isAnswered && isUnresolved(problem)) void intents;",
      applies("a schedule that was perhaps made"),
    ],
  ]),
  ...mutantsOf("runCreate", [
    ["nothing durable before it", "...sent]);", "]);", applies("a create is sent only after its intent")],
    [
      "the old one is forgotten",
      "[...rebind(context, former, [address, deposes]), ...sent]",
      "[...sent]",
      applies("a replacement made first keeps both"),
    ],
  ]),
  ...mutantsOf("createSurely", [
    [
      "sent again blindly",
      "if (found !== undefined) return found;",
      "",
      ["remote/create-surely.test.ts", "whose answer was lost is found"],
    ],
    [
      "sent without end",
      "if (sent >= tries || signal?.aborted) throw problem;",
      "if (sent > tries || signal?.aborted) throw problem;",
      ["remote/create-surely.test.ts", "that never succeeds is sent"],
    ],
  ]),
  ...mutantsOf("sendSurely", [
    [
      "a create in doubt is forgotten",
      "context.keepUnresolved(intents);",
      "",
      applies("a create whose answer was lost"),
    ],
  ]),
  ...mutantsOf("runOperation", [
    ["not agreed to", "if (operation.unapproved)", "if (false)", applies("what changed after it was agreed to")],
  ]),
  ...mutantsOf("applyPlan", [
    [
      "goes on without the lock",
      "isFenced ||= problem instanceof LockLost;",
      "isFenced ||= false;",
      applies("who lost the lock starts nothing more"),
    ],
  ]),
  ...mutantsOf("isConnectedDelete", [
    [
      "connected deletes go on",
      'operation.op === "delete" && work.failedComponents',
      'operation.op === "set" && work.failedComponents',
      applies("a delete that hangs together with a failure"),
    ],
  ]),
  ...mutantsOf("finish", [
    [
      "dependants go on",
      'if (ending !== "done") {\n      finish(work, next, "skipped");\n      continue;\n    }\n',
      "",
      applies("what depends on a failure"),
    ],
  ]),
  ...mutantsOf("isCandidate", [
    ["what was there before", " || create.known.includes(node.identity.id)", "", recovery("what was there before")],
    ["what is older", "create.sentAt - clockSkewMs", "0", recovery("what was made long before")],
    ["what is bound", "isSame && !isBound(node.handle)", "isSame", recovery("what is bound already")],
    ["another parent's", "node.parent !== parent || ", "", recovery("what stands under another parent")],
  ]),
  ...mutantsOf("awaitLostCreates", [
    [
      "no wait",
      "if (pauseMs > 0) await sleepUnless(signal, () => clock.sleep(pauseMs));",
      "",
      recovery("that did not happen waits once"),
    ],
  ]),
  ...mutantsOf("findLostCreates", [
    [
      "the first of several",
      "const isClear = (nodes.length === 1 || ",
      "const isClear = (nodes.length > 0 || ",
      recovery("several that it may be"),
    ],
  ]),
  ...mutantsOf("saysWhatWasSent", [
    [
      "a secret in part",
      "if (!isObject(sent) || isSecretMark(sent)) return true;",
      "return true;",
      ["apply/unresolved-creates.test.ts", "the rest tells a namesake"],
    ],
  ]),
  ...mutantsOf("writesUnderWay", [
    [
      "a conflict is final",
      "if (!isConflict(problem) || !(await hasAnotherEnded(before))) throw problem;",
      "throw problem;",
      ["terraform/resource/failures.test.ts", "is sent again once a write beside it has ended"],
    ],
  ]),
];
