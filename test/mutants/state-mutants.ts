import { type Mutant, mutantsOf } from "./mutant.ts";

const local = (test: string): Mutant["by"] => ["stores/local/local-store.test.ts", test];
const files: Mutant["by"] = ["stores/local/state-files.test.ts", "follows no link"];
const holder = (test: string): Mutant["by"] => ["state/lock-holder.test.ts", test];
const trust = (test: string): Mutant["by"] => ["state/lock-trust.test.ts", test];
const heldBack = (test: string): Mutant["by"] => ["client/held-back.test.ts", test];
const torn = local("refuses every torn, flipped or foreign state file");

/** Locks, the journal and the reading of states (docs/engine.md, State and Journal and recovery). */
export const stateMutants: readonly Mutant[] = [
  ...mutantsOf("openLocalSession", [
    [
      "writes without the lock",
      "if (!(await lock.isOurs())) throw",
      "if (!(await lock.isOurs()) && false) throw",
      ["stores/local/local-proof.test.ts", "that fails lets nothing leave"],
    ],
    [
      "an old proof",
      "mayWrite: trust.isYoung,",
      "mayWrite: () => true,",
      ["stores/local/local-proof.test.ts", "is a look at it that is 1 s old at most"],
    ],
    [
      "creates look older than they are",
      "[...open.renewed(), ...asked]",
      "[...asked]",
      ["stores/local/local-proof.test.ts", "is said again with a later time"],
    ],
    ["torn lines take others along", '${wasListed ? "" : "\\n"}', "", local("a line that a crash cut off")],
    [
      "a cut line takes the next one along",
      "isListed = false;\n    await files.append",
      "await files.append",
      local("a line that a full disk cut off"),
    ],
  ]),
  ...mutantsOf("writeState", [
    [
      "writes over its successor",
      "if (!(await files.stepIf(guardOf(lockPath(path), info), names))) throw",
      "if (!(await files.stepIf({ path, says: () => true }, names))) throw",
      ["stores/local/lock-file.test.ts", "does not touch its successor's"],
    ],
    ["no backup", "if (former !== undefined) {", "if (former === null) {", local("keeps the former state as .bak")],
  ]),
  ...mutantsOf("storedIn", [
    [
      "the journal outlives its state",
      ", state.serial);",
      ", state.serial - 1);",
      local("what was recorded after the last write"),
    ],
  ]),
  ...mutantsOf("diskFiles", [
    ["writes over what stands there", "await rm(path, { force: true });\n    await", "await", files],
  ]),
  ...mutantsOf("journalFile", [["appends through links", "O_APPEND | O_NOFOLLOW", "O_APPEND", files]]),
  ...mutantsOf("acquire", [
    [
      "a second holder",
      "return { acquired: info };\n    const",
      "return { acquired: info };\n    if (info) return { acquired: info };\n    const",
      local("a second holder is refused"),
    ],
    [
      "a lock that stays put",
      "return (await files.read(path)) === found.text ? { lockedBy: found.info } : { again: true };",
      "return { again: true };",
      local("a dead holder's lock that cannot be removed"),
    ],
  ]),
  ...mutantsOf("readLock", [
    [
      "everybody is dead",
      "info !== undefined && holder.isDead(info) }",
      "info !== undefined }",
      local("never that of another host"),
    ],
  ]),
  ...mutantsOf("lockFile", [
    [
      "anybody's lock",
      "guardOf(path, info).says(await files.read(path)),",
      "true,",
      local("who lost the lock can neither record nor save"),
    ],
    [
      "any id unlocks",
      "if (id !== undefined && holder.id !== id) throw new StateLocked(holder);",
      "",
      local("unlocking by another id changes nothing"),
    ],
  ]),
  ...mutantsOf("removeDead", [
    [
      "breaks what it did not look at",
      "if (!dead?.isDead) return;",
      "if (!dead) return;",
      local("a lock that somebody takes while the one before is found dead"),
    ],
  ]),
  ...mutantsOf("readLock", [
    [
      "an empty lock lasts for ever",
      "since !== undefined && holder.now() - since > emptyMs",
      "false",
      ["stores/local/lock-file.test.ts", "counts as dead once it is older than a minute"],
    ],
    [
      "an empty lock is dead at once",
      "holder.now() - since > emptyMs",
      "true",
      ["stores/local/lock-file.test.ts", "counts as dead once it is older than a minute"],
    ],
  ]),
  ...mutantsOf("removeDead", [
    [
      "another holder's file",
      "await files.stepIf({ path, says: (now) => now === dead.text }, { remove: path });",
      "await files.remove(path);",
      local("a lock that somebody takes while the one before is found dead"),
    ],
  ]),
  ...mutantsOf("isDeadHolder", [
    [
      "any namespace",
      "if (namespace === undefined || info.namespace !== namespace) return false;",
      "",
      holder("of another PID namespace"),
    ],
    [
      "whoever hides",
      'if (found === "none") return true;',
      'if (found === "none" || found === "hidden") return true;',
      holder("(hidepid)"),
    ],
  ]),
  ...mutantsOf("trustLock", [
    ["stops", "Math.max(pulse.stoppedAt, jumpedAt) <= steady", "jumpedAt <= steady", trust("that stood still")],
    ["jumps", "> stillMs) jumpedAt = at.steady;", "> stillMs) jumpedAt = 0;", trust("a wall clock that jumped")],
    [
      "age",
      "isUnbroken && at.steady - steady <= forMs && at.wall - wall <= forMs",
      "isUnbroken",
      trust("ends so long after"),
    ],
  ]),
  ...mutantsOf("remoteProof", [
    [
      "an old look",
      "(byLook?.isYoung() ?? true)",
      "true",
      ["state/remote-proof.test.ts", "by a look is 1 s old at most"],
    ],
    ["an old write", "byWrite.isYoung() && ", "", ["state/remote-proof.test.ts", "does not stand for the writes"]],
  ]),
  ...mutantsOf("stateServer", [
    [
      "patience without end",
      "isSilent ? patience.shortMs : patience.wholeMs",
      "patience.wholeMs",
      ["stores/http/http-lock.test.ts", "is tried for so long in all"],
    ],
  ]),
  ...mutantsOf("dispatchRequest", [
    ["leaves anyway", "if (mayLeave?.() === false)", "if (false)", heldBack("is not sent, and is sent")],
  ]),
  ...mutantsOf("LastLook", [
    ["bodies", "look();\n        uncork();", "uncork();", heldBack("handed over: 'a body'")],
    ["heads", "if (socket.writableCorked === 0) look();", "", heldBack("handed over: 'a head alone'")],
  ]),
  ...mutantsOf("serviceTransport", [
    ["leaves anyway", "if (mayLeave?.() === false) throw heldBack();", "", heldBack("in the same process either")],
  ]),
  ...mutantsOf("readJournal", [
    ["a journal of another state", "if (found?.txn === serial)", "if (found)", local("what a later state took up")],
  ]),
  ...mutantsOf("state/readLine", [
    ["no checksums", "if (withChecksum(json) !== line) return undefined;", "", local("a torn last line")],
  ]),
  ...mutantsOf("state/readState", [["any format", "if (value.format !== stateFormat)", "if (false)", torn]]),
  ...mutantsOf("state/check", [
    [
      "unknown members",
      "if (!Object.hasOwn(shape, member))",
      "if (false)",
      ["state/state-text.test.ts", "a misspelt environment"],
    ],
  ]),
];
