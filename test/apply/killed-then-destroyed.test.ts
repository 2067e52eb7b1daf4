import { expect, test } from "vitest";
import { isDeep } from "../support/deep.ts";
import { makerOf } from "../support/hostile/declare.ts";
import { drawFrom } from "../support/hostile/draw.ts";
import { endRun } from "../support/hostile/end-run.ts";
import { killAt, restartKilled } from "../support/hostile/process.ts";
import { beginRun, carryOut } from "../support/hostile/run.ts";

/** A configuration that refers to a scenario and a cloud, neither of which can be deleted before it. */
const document = () => ({
  providers: { cloud: { providerType: "CloudOnDemand", metadata: { zone: "z" } } },
  testCases: {
    shop: {
      scenarios: { browse: { script: "browse()" } },
      configurations: {
        smoke: {
          scenario: "browse",
          concurrentClients: 1,
          durationSecs: 60,
          providers: [{ provider: "cloud", regions: ["eu-1"] }],
        },
      },
    },
  },
});

test("what an apply made that was killed at any step is destroyed in the order of what refers to what", async () => {
  let isKilled = true;
  for (let point = 0; isKilled; point += isDeep ? 1 : 2) {
    const running = beginRun(document(), makerOf(drawFrom(1)));
    killAt(running.process, point);
    await carryOut(running, {}, "apply");
    isKilled = restartKilled(running.process, false);
    expect(await endRun(running, "destroy"), `killed at step ${point}`).toEqual([]);
  }
});
