// merge: the kills of killed-apply, with a remote store
import { afterAll, describe, expect, test } from "vitest";
import { isDeep, seed } from "../support/deep.ts";
import { repeat } from "../support/repeat.ts";
import { inCrashedFolder, surviveKills } from "./crashed-folder.ts";
import { type StatePlace, statePlaces, storeNames } from "./store-places.ts";

const places = statePlaces();
afterAll(() => places.stop());

/** Each round is killed three times: while it makes, edits and deletes. */
const rounds = Number(process.env["LOADFORM_RUNS"] ?? (isDeep ? 100 : 1));
const kill = { signal: "SIGKILL", delayMs: 40 } as const;
const remote = storeNames.filter((name) => name !== "local" && (isDeep || name !== "gitlab"));

describe("kill -9 at random moments, with the state elsewhere (P3)", () => {
  test.each(remote)(
    `on %s, ${3 * rounds} times: the lock can be had again, and run again it ends with no orphan, duplicate or lost id`,
    async (name) => {
      console.log(`P3 on ${name}: ${3 * rounds} kills, seed ${seed}`);
      let hits = 0;
      let broken = 0;
      const round = (place: StatePlace) =>
        inCrashedFolder(async (folder) => {
          const killed = async (command: "apply" | "destroy") => {
            if ((await folder.signalled(command, kill)).isHit) hits++;
            const isHeld = await folder.unlock();
            if (isHeld) broken++;
            expect(isHeld && place.isFreedByDeath).toBe(false);
            await folder.age();
          };
          await surviveKills(folder, killed);
        }, place);
      await repeat(rounds, 1, async () => round(await places.place(name, "crash")));
      console.log(`P3 on ${name}: ${hits} kills met a running process, ${broken} left a lock`);
      expect(hits).toBeGreaterThanOrEqual(rounds);
    },
  );
});
