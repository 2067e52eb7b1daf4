// merge: of virtual time four hours; test/properties/watching.test.ts bounds the memory of a project
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Finding } from "../../../src/watch/check-result.ts";
import { memorySaver } from "../../../src/watch/loop/memory-file.ts";
import type { ProjectMemory } from "../../../src/watch/project-memory.ts";
import { createMetrics } from "../../../src/watch/status/metrics.ts";
import { statusDocument } from "../../../src/watch/status/status-document.ts";
import { isDeep } from "../../support/deep.ts";
import { bench, checked, found, project, start } from "./virtual-watcher.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const minuteMs = 60_000;

/** Bytes that are in use once all that can be freed is. */
function used(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const finding = (address: string): Finding => ({
  ...{ address, action: "update", origin: "drift", driftedFields: 1, ends: false },
});

const count = isDeep ? 200 : 50;

test(`a watcher of ${count} projects does not grow over an hour, whatever it finds, shows and saves`, async () => {
  const projects = Array.from({ length: count }, (_, index) =>
    project(`p${index}`, { intervalSecs: 120, heal: index % 2 === 0 ? "drift" : "git" }),
  );
  let checks = 0;
  let saved = 0;
  const waiting: (() => void)[] = [];
  const write = async (text: string) => {
    saved += text.length;
  };
  const save = memorySaver(write, {
    setTimer(run) {
      waiting.push(run);
      return () => undefined;
    },
    failed: (problem) => expect.unreachable(String(problem)),
  });
  const { watcher, advance } = bench(projects, {
    slots: { fresh: 16, all: 64 },
    save: (memories: ReadonlyMap<string, ProjectMemory>, when) => save(memories, when),
    async check({ name }, compared) {
      const number = checks++;
      // Now and then one finds something, which is another thing each time.
      const findings = number % 31 === 0 ? [finding(`testCase.${name}-${number}`)] : [];
      const seen = found({ findings, difference: `${number}`, plan: "x".repeat(2_000) });
      if (findings.length > 0) await compared(`commit-${number}`, seen);
      return { commit: `commit-${number}`, result: { ...checked(seen), requests: 6 } };
    },
  });
  const metrics = await createMetrics(start);
  const show = async () => {
    const now = await watcher.projects();
    return (await metrics.text(now)).length + JSON.stringify(statusDocument(now)).length;
  };
  const run = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 20) {
      await advance(20 * minuteMs);
      for (const saveNow of waiting.splice(0)) saveNow();
      await show();
    }
  };
  // The history of a project has its 100 checks after 200 minutes: what follows is the hour.
  await run(220);
  const [before, checksBefore, savedBefore] = [used(), checks, saved];
  await run(60);
  const grown = (used() - before) / 1e6;
  console.log(
    `${checks - checksBefore} checks in an hour; grown by ${grown.toFixed(2)} MB to ${(used() / 1e6).toFixed(0)} MB`,
  );
  expect(checks - checksBefore).toBeGreaterThan(25 * count);
  expect(saved).toBeGreaterThan(savedBefore);
  expect(grown).toBeLessThan(2);
  await watcher.stop();
});
