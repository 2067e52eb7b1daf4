import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { idOfIdle, processHolder } from "../../src/state/lock-holder.ts";
import { StateLocked } from "../../src/state/store.ts";
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

  test.each([
    ["that runs", lock, view({ mark: "boot/1" }), true],
    ["that was stopped", lock, view({ mark: "boot/1", isStopped: true }), false],
    ["whose pid another process has", lock, view({ mark: "boot/2" }), false],
    ["whose process is gone", lock, view("none"), false],
    ["of whose process nothing can be told (hidepid)", lock, view("hidden"), true],
    ["of another host", { ...lock, host: "there" }, view({ mark: "boot/1" }), false],
    ["of another PID namespace", { ...lock, namespace: "pid:[2]" }, view({ mark: "boot/1" }), false],
    [
      "that an HTTP server names",
      { id: "l", operation: "", who: "me@here", created: "", pid: 7 },
      view({ mark: "b" }),
      true,
    ],
    [
      "that a server elsewhere names",
      { id: "l", operation: "", who: "me@there", created: "", pid: 7 },
      view({ mark: "b" }),
      false,
    ],
    ["without a pid", { ...lock, pid: undefined }, view({ mark: "boot/1" }), false],
  ])("%s is at work or not", async (_title, info, seen, atWork) => {
    const refusal = new StateLocked(JSON.parse(JSON.stringify(info)) as typeof lock);
    const id = idOfIdle({ unlock: () => Promise.reject(refusal) }, seen);
    await (atWork ? expect(id).rejects.toBe(refusal) : expect(id).resolves.toBe("l"));
  });

  test("at work has its lock broken by its id alone, any other one without it", async () => {
    const locked = (holder?: typeof lock) => ({ unlock: () => Promise.reject(new StateLocked(holder)) });
    const own = realHolder.describe("apply") as typeof lock;
    await expect(idOfIdle(locked(own))).rejects.toBeInstanceOf(StateLocked);
    expect(await idOfIdle(locked({ ...own, host: "elsewhere" }))).toBe(own.id);
    expect(await idOfIdle(locked())).toBeUndefined();
    expect(await idOfIdle({ unlock: async () => undefined })).toBeUndefined();
    await expect(idOfIdle({ unlock: () => Promise.reject(new Error("down")) })).rejects.toThrow("down");
  });
});
