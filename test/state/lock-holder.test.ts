import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { processHolder } from "../../src/state/lock-holder.ts";
import { realHolder } from "../support/state-samples.ts";

type ProcessView = NonNullable<Parameters<typeof processHolder>[1]>;

const view = (found: ReturnType<ProcessView["look"]>, more: Partial<ProcessView> = {}): ProcessView => ({
  host: "here",
  namespace: "pid:[1]",
  look: () => found,
  ...more,
});
const lock = {
  id: "l",
  operation: "apply",
  who: "me@here",
  created: "",
  pid: 7,
  host: "here",
  process: "boot/1",
  namespace: "pid:[1]",
};

describe("a holder", () => {
  test.each([
    ["whose process is gone", lock, view("none"), true],
    ["whose pid another process has", lock, view({ mark: "boot/2" }), true],
    ["that runs", lock, view({ mark: "boot/1" }), false],
    ["of whose process nothing can be told (hidepid)", lock, view("hidden"), false],
    ["that could not tell its own start", { ...lock, process: "" }, view({ mark: "boot/1" }), false],
    ["that could not tell its own start, and is gone", { ...lock, process: "" }, view("none"), true],
    ["of another host", { ...lock, host: "there" }, view("none"), false],
    ["of another PID namespace", { ...lock, namespace: "pid:[2]" }, view("none"), false],
    ["of a namespace that it did not tell", { ...lock, namespace: undefined }, view("none"), false],
    ["seen from a namespace that cannot be told", lock, view("none", { namespace: undefined }), false],
    ["without a pid", { ...lock, pid: undefined }, view("none"), false],
  ])("%s is dead or not", (_title, info, seen, isDead) => {
    const holder = processHolder({ now: () => 0, sleep: async () => undefined }, seen);
    expect(holder.isDead(JSON.parse(JSON.stringify(info)) as typeof lock)).toBe(isDead);
  });

  test("tells its namespace on Linux, and is alive itself", () => {
    const info = realHolder.describe("apply");
    if (process.platform === "linux") expect(info.namespace).toMatch(/^pid:\[\d+\]$/);
    expect(realHolder.isDead(info)).toBe(false);
    const { pid } = spawnSync("true");
    expect(realHolder.isDead({ ...info, pid })).toBe(true);
  });
});
