// merge: interrupts at random moments; interrupt-apply.test.ts has the moments by name.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readState } from "../../src/state/state-text.ts";
import { seed, timesOf } from "../support/deep.ts";
import { repeat } from "../support/repeat.ts";
import { slownessNow } from "../support/slowness-now.ts";
import { versions } from "./crash-project.ts";
import { inCrashedFolder } from "./crashed-folder.ts";

const rounds = timesOf({ few: 1, deep: 125 });

interface Interrupt {
  readonly signal: "SIGINT" | "SIGTERM";
  readonly times: number;
  readonly exit: number;
}

const interrupted = ({ signal, times, exit }: Interrupt) =>
  inCrashedFolder(async (folder) => {
    const { code, isHit, tookMs } = await folder.signalled("apply", { signal, times, delayMs: 120 });
    // One that came in the last moment may find everything done.
    expect(isHit ? [exit, 0] : [0]).toContain(code);
    if (code === 0) expect((await folder.run("plan", "--detailed-exitcode")).code).toBe(0);
    expect(tookMs).toBeLessThan(7_000 * (await slownessNow()));
    const state = join(folder.cwd, ".loadform", "state.json");
    if (times === 1) expect(existsSync(`${state}.lock`)).toBe(false);
    if (existsSync(state)) expect(() => readState(readFileSync(state, "utf8"))).not.toThrow();
    await folder.converge(versions[0]);
  });

describe("an interrupt at a random moment (P15)", () => {
  test.concurrent.each<Interrupt>([
    { signal: "SIGINT", times: 1, exit: 130 },
    { signal: "SIGTERM", times: 1, exit: 143 },
    { signal: "SIGINT", times: 2, exit: 130 },
    { signal: "SIGTERM", times: 2, exit: 143 },
  ])(
    "by $signal, $times time(s): exit $exit within 7 s, the lock free, the state valid, and the next apply ends it",
    async (interrupt) => {
      console.log(`P15 ${interrupt.signal} ${interrupt.times}: ${rounds} interrupts, seed ${seed}`);
      await repeat(rounds, 2, () => interrupted(interrupt));
    },
  );
});
