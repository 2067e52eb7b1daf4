import { expect, it } from "vitest";
import type { PastCheck } from "../../../src/watch/project-memory.ts";
import { createMetrics } from "../../../src/watch/status/metrics.ts";
import type { WatchedNow } from "../../../src/watch/watcher-view.ts";
import { parseExposition } from "./parse-exposition.ts";
import { noon, watched } from "./sample-projects.ts";
import { authorized, start, token } from "./status-rig.ts";

const check = (secondsAfterNoon: number, ms: number): PastCheck => ({
  ...{ at: new Date(noon + secondsAfterNoon * 1000).toISOString(), ms, state: "in-sync", commit: null, healed: [] },
});

async function reader() {
  const { text } = await createMetrics(noon);
  return async (all: readonly WatchedNow[]) => {
    const samples = parseExposition(await text(all));
    const value = (name: string, labels: Record<string, string>) =>
      samples.find(
        (sample) =>
          sample.name === `loadform_watch_${name}` &&
          Object.entries(labels).every(([label, wanted]) => sample.labels[label] === wanted),
      )?.value;
    return { samples, value };
  };
}

it("metrics have the names of the contract, and the numbers of each project's memory", async () => {
  const read = await reader();
  const memory = {
    state: "drifted",
    lastSuccessAt: noon,
    objects: 20,
    driftedFields: 3,
    requests: 40,
    heals: 5,
  } as const;
  const { samples, value } = await read([watched("webshop", { ...memory, foughtOver: 1, history: [check(1, 1500)] })]);
  const project = "webshop";
  const states = samples.filter(({ name }) => name === "loadform_watch_state");
  expect(states.map(({ labels, value: is }) => [labels["state"], is])).toEqual([
    ...["suspended", "failed", "locked", "blocked", "out-of-sync"].map((state) => [state, 0]),
    ["drifted", 1],
    ["in-sync", 0],
  ]);
  expect(value("last_success_seconds", { project })).toBe(noon / 1000);
  expect(value("objects", { project })).toBe(20);
  expect(value("drifted_fields", { project })).toBe(3);
  expect(value("requests_total", { project })).toBe(40);
  expect(value("heals_total", { project })).toBe(5);
  expect(value("fights_total", { project })).toBe(1);
  expect(value("check_seconds_sum", { project })).toBe(1.5);
  expect(value("check_seconds_bucket", { project, le: "1" })).toBe(0);
  expect(value("check_seconds_bucket", { project, le: "2" })).toBe(1);
});

it("metrics count every check of this process once, whenever they are read", async () => {
  const read = await reader();
  const count = async (history: readonly PastCheck[]) =>
    (await read([watched("a", { history })])).value("check_seconds_count", { project: "a" });
  const before = check(-60, 1000);
  expect(await count([before])).toBeUndefined();
  expect(await count([check(1, 10), before])).toBe(1);
  expect(await count([check(1, 10), before])).toBe(1);
  expect(await count([check(3, 30), check(2, 20), check(1, 10), before])).toBe(3);
  // The clock went back between two checks.
  expect(await count([check(2, 25), check(3, 30), check(2, 20)])).toBe(4);
});

it("metrics of a project that was removed vanish, and a project without a check has no time of one", async () => {
  const read = await reader();
  const both = [watched("a", { state: "failed", history: [check(1, 10)] }), watched("b")];
  expect((await read(both)).samples.some(({ labels }) => labels["project"] === "a")).toBe(true);
  const { samples, value } = await read(both.slice(1));
  expect([...new Set(samples.map(({ labels }) => labels["project"]))]).toEqual(["b"]);
  expect(value("last_success_seconds", { project: "b" })).toBeUndefined();
});

it.each([`a"b`, "a\\b", "a\nb", `a",state="failed`, "ä 😀", "a\\", "{}"])(
  "metrics have the name of a project as it is: %j",
  async (name) => {
    const read = await reader();
    const { samples } = await read([watched(name, { state: "failed", history: [check(1, 10)] })]);
    expect(samples.length).toBeGreaterThan(20);
    for (const { labels } of samples) expect(labels["project"]).toBe(name);
  },
);

it("metrics are served in the text format, to those who may read", async () => {
  const { ask } = await start({ token });
  const answer = await ask("/metrics", authorized);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(parseExposition(await answer.text()).length).toBeGreaterThan(20);
});
