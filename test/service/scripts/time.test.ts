import { describe, expect, it } from "vitest";
import { start } from "../support/rig.ts";
import { logged, runText } from "../support/run-text.ts";

describe("time under the simulated network", () => {
  it("jumps: a script that sleeps takes no wall time", async () => {
    const began = performance.now();
    const run = await runText("await new Promise((go) => setTimeout(go, 30 * 60_000))");
    expect(run.durationMs).toBe(30 * 60_000);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it("begins when the run begins, for Date, moment and performance", async () => {
    const text = `
      const at = [new Date().toISOString(), Date(), performance.now() < 1, new Date(5).getTime()];
      await new Promise((go) => setTimeout(go, 1_000));
      log.info(at.map(String).join(), new Date().toISOString(), new Date() instanceof Date, Math.floor(performance.now()));
    `;
    expect(await logged(text)).toEqual([
      `${start},${new Date(start).toString()},true,5 2026-11-20T10:07:31.000Z true 1000`,
    ]);
  });

  it("keeps the order of timers, immediates and intervals", async () => {
    const text = `
      setTimeout(() => log.info("20"), 20); setTimeout(() => log.info("10"), 10); setImmediate(() => log.info("immediate"));
      const never = setTimeout(() => log.info("never"), 5); clearTimeout(never);
      let n = 0; const every = setInterval(() => { log.info("every"); if (++n === 2) clearInterval(every) }, 8);
      setTimeout(() => log.info("unref"), 1e6).unref();
      process.nextTick(() => log.info("tick"));
    `;
    expect((await logged(text)).join(" ")).toBe("tick immediate every 10 every 20");
  });

  it("passes for a script that waits by looking at the clock", async () => {
    const run = await runText("const end = Date.now() + 50; while (Date.now() < end) {}");
    expect(run.durationMs).toBe(50);
  });

  it("takes signals and promises of timers along", async () => {
    const text = `
      await require("util").promisify(setTimeout)(20);
      const signal = AbortSignal.timeout(100);
      await new Promise((go) => setTimeout(go, 101));
      log.info(signal.aborted, signal.reason.name);
    `;
    expect(await logged(text)).toEqual(["true TimeoutError"]);
  });
});
