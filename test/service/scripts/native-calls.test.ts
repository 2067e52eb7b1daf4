// merge: it computes for 20 seconds.
import { describe, expect, it } from "vitest";
import { ScriptThreads } from "../../../src/service/scripts/open-worker.ts";
import { logged, runText } from "../support/run-text.ts";

describe("a script in a native call, which nothing interrupts", () => {
  /** Seconds of work, of which the time limit sees a fraction. */
  const long = { main: 'require("crypto").pbkdf2Sync("a", "b", 6e6, 64, "sha512")', limits: { ms: 1_500 } };
  const threads = new ScriptThreads();
  const stopped = () => runText(long.main, { options: { limits: long.limits, threads } });

  it("is answered for at its limit, and no more than four of them remain", async () => {
    const start = performance.now();
    await expect(stopped()).resolves.toMatchObject({ failure: expect.stringContaining("stopped after 1.5 s") });
    expect(await logged('log.info("still here")')).toEqual(["still here"]);
    const answered = performance.now() - start;
    // On a busy machine one may be stopped before it begins its call, so there are more tries than threads; started at once, all of four may pass.
    let failures: (string | null)[] = [];
    for (let tries = 0; tries < 5 && !failures.some((failure) => failure?.includes("was not run")); tries++)
      failures = (await Promise.all([stopped(), stopped(), stopped(), stopped()])).map((run) => run.failure);
    expect(failures.join("\n")).toMatch(/[4-7] threads of stopped scripts are still in native calls/);
    // They end by themselves, and scripts are run again.
    while ((await runText("", { options: { threads } })).failure !== null)
      await new Promise((go) => setTimeout(go, 100));
    const took = performance.now() - start;
    expect(answered).toBeLessThan(took / 2);
  });
});
