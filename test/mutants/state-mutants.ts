import type { Mutant } from "./mutant.ts";
import { mutantsOf } from "./mutant.ts";

const local = (test: string): Mutant["by"] => ["state/local-store.test.ts", test];
const files: Mutant["by"] = ["state/state-files.test.ts", "follows no link"];
const torn = local("refuses every torn, flipped or foreign state file");

/** Locks, the journal and the reading of states (engine.md 2.5 to 2.7). */
export const stateMutants: readonly Mutant[] = [
  ...mutantsOf("state/local-store.ts", [
    [
      "writes without the lock",
      "if (!(await held.isOurs())) throw",
      "if (!(await held.isOurs()) && false) throw",
      local("who lost the lock can neither record nor save"),
    ],
    [
      "no backup",
      "if (former !== undefined) await",
      "if (former === null) await",
      local("keeps the former state as .bak"),
    ],
    [
      "the journal outlives its state",
      ", state.serial);",
      ", state.serial - 1);",
      local("what was recorded after the last write"),
    ],
    ["torn lines take others along", '${wasListed ? "" : "\\n"}', "", local("a line that a crash cut off")],
    [
      "a cut line takes the next one along",
      "isListed = false;\n    await files.append",
      "await files.append",
      local("a line that a full disk cut off"),
    ],
  ]),
  ...mutantsOf("state/state-files.ts", [
    ["writes over what stands there", "await rm(path, { force: true });\n    await", "await", files],
    ["appends through links", "O_APPEND | constants.O_NOFOLLOW", "O_APPEND", files],
  ]),
  ...mutantsOf("state/lock-file.ts", [
    [
      "a second holder",
      "return { taken: info };\n    const",
      "return { taken: info };\n    if (info) return { taken: info };\n    const",
      local("a second holder is refused"),
    ],
    ["everybody is dead", "|| !holder.isDead(other)", "", local("never that of another host")],
    [
      "anybody's lock",
      "(await readInfo(options))?.id === info.id,",
      "true,",
      local("who lost the lock can neither record nor save"),
    ],
    [
      "any id unlocks",
      "if (id !== undefined && holder.id !== id) throw new StateLocked(holder);",
      "",
      local("unlocking by another id changes nothing"),
    ],
    [
      "breaks what it did not look at",
      "if ((await readInfo(options))?.id === dead.id) await",
      "await",
      local("a lock that somebody takes while the one before is found dead"),
    ],
    [
      "a lock that stays put",
      "return (await readInfo(options))?.id === other.id ? { heldBy: other } : { again: true };",
      "return { again: true };",
      local("a dead holder's lock that cannot be removed"),
    ],
  ]),
  ...mutantsOf("state/journal.ts", [
    ["a journal of another state", "if (found?.txn === serial)", "if (found)", local("what a later state took up")],
    ["no checksums", "if (withChecksum(json) !== line) return undefined;", "", local("a torn last line")],
  ]),
  ...mutantsOf("state/state-text.ts", [
    ["any format", "if (value.format !== stateFormat)", "if (false)", torn],
    [
      "unknown members",
      "if (!Object.hasOwn(shape, member))",
      "if (false)",
      ["state/state-text.test.ts", "a misspelt environment"],
    ],
  ]),
];
