import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../../src/watch/check-result.ts";
import { newMemory } from "../../../src/watch/decide.ts";
import { memorySaver, readMemories } from "../../../src/watch/loop/memory-file.ts";
import type { ProjectMemory } from "../../../src/watch/project-memory.ts";
import { bench, checked, found, project } from "./virtual-watcher.ts";

const never = () => new Promise<never>(() => undefined);

describe("a watcher", () => {
  test("checks each project at once and then at its interval", async () => {
    const { begun, advance } = bench([project("a"), project("b", { intervalSecs: 100 })]);
    await advance(130_000);
    expect(begun).toEqual(["0 a", "0 b", "60 a", "100 b", "120 a"]);
  });

  test("is not held up by projects that hang, though they take every slot", async () => {
    const projects = ["h1", "h2", "a", "b"].map((name) => project(name));
    const { begun, advance } = bench(projects, {
      check: async ({ name }) => (name.startsWith("h") ? never() : { result: checked() }),
    });
    await advance(5_000);
    expect(begun).toEqual(["0 h1", "0 h2"]);
    await advance(120_000);
    expect(begun).toEqual(["0 h1", "0 h2", "10 a", "10 b", "70 a", "70 b"]);
  });

  test("never has two checks of a project under way, whatever asks for one", async () => {
    let [running, most] = [0, 0];
    const { watcher, advance, begun } = bench([project("a")], {
      async check() {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        return { result: checked() };
      },
    });
    for (let count = 0; count < 5; count++) void watcher.ask("a", { retry: false });
    await advance(1_000);
    expect([most, begun]).toEqual([1, ["0 a", "0 a"]]);
  });

  test("saves what it tries before it is tried", async () => {
    const finding = {
      address: "testCase.a",
      action: "update",
      origin: "drift",
      driftedFields: 1,
      ends: false,
    } as const;
    const order: string[] = [];
    const { settle } = bench([project("a", { heal: "all" })], {
      save: async (memories, when) =>
        void order.push(`${when} ${JSON.stringify([...memories.values()][0]?.checking?.tried?.addresses ?? [])}`),
      async check(_, compared) {
        order.push(`heal ${await compared(undefined, found({ findings: [finding] }))}`);
        return { result: checked() };
      },
    });
    await settle();
    const at = order.indexOf("heal testCase.a");
    expect(order.slice(0, at)).toContain('now ["testCase.a"]');
  });

  test("saves an order by hand before it answers, and what is known of projects that are not watched now", async () => {
    const written: string[] = [];
    const former = new Map([["gone", { ...newMemory(), suspendedUntil: null }]]);
    const { watcher, settle } = bench([project("a")], {
      memories: former,
      save: async (memories, when) => {
        await Promise.resolve();
        const of = (name: string) => String(memories.get(name)?.suspendedUntil);
        written.push(`${when} ${of("a")} ${of("gone")}`);
      },
    });
    await settle();
    written.splice(0);
    await watcher.suspend("a");
    expect(written).toContain("now null null");
    await watcher.resume("a");
    expect(written).toContain("now undefined null");
  });

  test("ends once every project was checked or is suspended, and checks none twice", async () => {
    const suspended = project("s", { suspend: [{ during: "Mon-Sun 00:00-23:59", timeZone: "UTC" }] });
    const { watcher, begun, timers } = bench([project("a"), suspended], { once: true });
    await watcher.everyOne;
    await watcher.stop();
    const states = (await watcher.projects()).map(({ memory }) => memory.state);
    expect([begun, states, timers.size]).toEqual([["0 a"], ["in-sync", "suspended"], 0]);
  });

  test("forgets a check that its end cut short, and begins none afterwards", async () => {
    let end: (result: CheckResult) => void = () => undefined;
    const { watcher, begun, advance } = bench([project("a")], {
      check: () => new Promise((resolve) => (end = (result) => resolve({ result }))),
    });
    const stopped = watcher.stop();
    end({ is: "failed", diagnostics: [] });
    await stopped;
    await advance(600_000);
    const [now] = await watcher.projects();
    expect([begun, now?.memory.state, now?.memory.failures]).toEqual([["0 a"], undefined, 0]);
  });
});

describe("the memories' file", () => {
  test("is written for many changes together, and read again", async () => {
    const written: string[] = [];
    const timers: (() => void)[] = [];
    const save = memorySaver(async (text) => void written.push(text), {
      setTimer: (run) => {
        timers.push(run);
        return () => undefined;
      },
      failed: () => undefined,
    });
    const memories = new Map([["a", { failures: 3 } as ProjectMemory]]);
    for (let count = 0; count < 10; count++) await save(memories, "soon");
    expect([written.length, timers.length]).toEqual([0, 1]);
    await save(memories, "now");
    expect(readMemories(written[0] ?? "")).toEqual(memories);
    const wrong = ["{", '{"version":9}', '{"version":1,"projects":{"a":{"history":null}}}'];
    const wronger = ['{"version":1,"projects":{"a":{"failedTries":5}}}', '{"version":1,"projects":{"a":null}}'];
    const fights = [
      '{"version":1,"projects":{"a":{"fights":{"t":{}}}}}',
      '{"version":1,"projects":{"a":{"fights":null}}}',
    ];
    const elements = [
      '"history":[{}]',
      '"history":[null]',
      '"failedTries":[null]',
      '"problems":[1]',
      '"findings":[null]',
      '"suspendedUntil":9e15',
      '"suspendedUntil":"2099-01-01T00:00:00Z"',
      '"heals":-1',
      '"since":"now"',
      '"state":"odd"',
    ].map((member) => `{"version":1,"projects":{"a":{${member}}}}`);
    for (const text of [...wrong, ...wronger, ...fights, ...elements]) expect(readMemories(text)).toBeUndefined();
    expect(readMemories('{"version":1,"projects":{"a":{"failures":1}}}')?.get("a")).toEqual({ failures: 1 });
    const byHand = '{"version":1,"projects":{"a":{"suspendedUntil":null}}}';
    expect(readMemories(byHand)?.get("a")).toEqual({ suspendedUntil: null });
  });

  test("tells once that it cannot be written", async () => {
    const told: unknown[] = [];
    const save = memorySaver(() => Promise.reject(new Error("full")), {
      setTimer: () => () => undefined,
      failed: (problem) => void told.push(problem),
    });
    await save(new Map(), "now");
    await save(new Map(), "now");
    expect(told.length).toBe(1);
  });
});
