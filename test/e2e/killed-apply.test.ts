import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { seed, timesOf } from "../support/deep.ts";
import { repeat } from "../support/repeat.ts";
import { freshFolder, runCli, startCli } from "../support/run-cli.ts";
import { random, signalAfter, textOf, versions } from "./crash-project.ts";
import { inCrashedFolder, surviveKills } from "./crashed-folder.ts";

/** Each round is killed three times: while it makes, edits and deletes. */
const rounds = timesOf({ few: 2, deep: 100 });
/** Two at least, as one kill may be too late. */
const roundsOnFile = Math.max(2, timesOf({ few: 2, deep: 100 }));
/** A round mostly waits for what may still take effect. */
const atOnce = 3;
const kill = { signal: "SIGKILL", delayMs: 40 } as const;

describe.concurrent("kill -9 at random moments (P3)", () => {
  test(`of an apply over HTTP, ${3 * rounds} times: run again it ends with no orphan, duplicate or lost id`, async () => {
    console.log(`P3 over HTTP: ${3 * rounds} kills, seed ${seed}`);
    let hits = 0;
    const round = () =>
      inCrashedFolder(async (folder) => {
        const killed = async (command: "apply" | "destroy") => {
          if ((await folder.signalled(command, kill)).isHit) hits++;
        };
        await surviveKills(folder, killed);
      });
    await repeat(rounds, atOnce, round);
    console.log(`P3 over HTTP: ${hits} kills met a running process`);
    expect(hits).toBeGreaterThanOrEqual(rounds);
  });

  test("of an apply on memory:FILE: the file opens again, and holds what the state says and nothing else", async () => {
    let hits = 0;
    const round = async () => {
      const cwd = freshFolder();
      for (const version of versions) {
        writeFileSync(join(cwd, "loadform.yaml"), textOf(version, { url: "memory:.loadform/service.json" }));
        const child = await startCli(["apply", "--auto-approve", "--force-threshold"], { cwd });
        const objects = random(20);
        const { isHit } = await signalAfter(child, { signal: "SIGKILL", objects, ms: random(objects === 0 ? 500 : 4) });
        if (isHit) hits++;
        const mended = await runCli(["apply", "--auto-approve", "--force-threshold"], { cwd });
        expect(mended.code, mended.stderr).toBe(0);
        const { stdout } = await runCli(["plan", "--json", "--show-unmanaged"], { cwd });
        expect(JSON.parse(stdout)).toMatchObject({
          resource_changes: [],
          unmanaged: [],
          summary: { noop: version.objects },
        });
      }
    };
    await repeat(roundsOnFile, atOnce, round);
    console.log(`P3 on memory:FILE: ${hits} of ${2 * roundsOnFile} kills met a running process`);
    expect(hits).toBeGreaterThan(0);
  });
});
