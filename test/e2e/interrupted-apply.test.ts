import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readState } from "../../src/state/state-text.ts";
import { isDeep, seed } from "../support/deep.ts";
import { sharedService } from "../support/shared-service.ts";
import { versions } from "./crash-project.ts";
import { crashedFolder } from "./crashed-folder.ts";

const service = sharedService();

const rounds = isDeep ? 125 : 2;

describe("an interrupt at a random moment (P15)", () => {
  test.each([
    { signal: "SIGINT", times: 1, exit: 130 },
    { signal: "SIGTERM", times: 1, exit: 143 },
    { signal: "SIGINT", times: 2, exit: 130 },
    { signal: "SIGTERM", times: 2, exit: 143 },
  ] as const)(
    "by $signal, $times time(s): exit $exit within 7 s, the lock free, the state valid, and the next apply ends it",
    async ({ signal, times, exit }) => {
      console.log(`P15 ${signal} ${times}: ${rounds} interrupts, seed ${seed}`);
      for (let round = 0; round < rounds; round++) {
        const folder = await crashedFolder(service);
        const { code, isHit, tookMs } = await folder.signalled("apply", { signal, times, delayMs: 120 });
        // One that came in the last moment may find everything done.
        expect(isHit ? [exit, 0] : [0]).toContain(code);
        if (code === 0) expect((await folder.run("plan", "--detailed-exitcode")).code).toBe(0);
        expect(tookMs).toBeLessThan(7_000);
        const state = join(folder.cwd, ".loadform", "state.json");
        if (times === 1) expect(existsSync(`${state}.lock`)).toBe(false);
        if (existsSync(state)) expect(() => readState(readFileSync(state, "utf8"))).not.toThrow();
        await folder.converge(versions[0]);
      }
    },
  );
});
