import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createService } from "../../../src/service/index.ts";
import { flat, makeRig, makeShop, type Rig, rigOf, start } from "../support/rig.ts";

const folder = mkdtempSync(join(tmpdir(), "loadform-data-"));
let count = 0;
const newFile = () => join(folder, `${count++}`, "service.json");
const beside = (file: string) => readdirSync(join(file, "..")).sort();
const open = (data: string) => makeRig({ data });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a data file", () => {
  it("keeps the state over a close, folded into one readable snapshot", async () => {
    const data = newFile();
    const rig = await makeShop({ data });
    const before = JSON.stringify(rig.service.snapshot());
    expect(beside(data)).toEqual(["service.json", "service.json.lock", "service.json.log"]);
    await rig.close();
    expect(beside(data)).toEqual(["service.json"]);
    const { clock, ...state } = JSON.parse(readFileSync(data, "utf8"));
    expect([clock, JSON.stringify(state)]).toEqual([start, before]);
    const again = await open(data);
    expect(JSON.stringify(again.service.snapshot())).toBe(before);
    expect(await again.ok("POST", "/test-cases/1/confs", flat)).toMatchObject({ id: 2 });
    await again.close();
  });

  it("is not begun anew beside a log that another one of its name left, of which nothing is lost", async () => {
    const data = newFile();
    const rig = await makeShop({ data });
    const copy = `${data}-copy`;
    copyFileSync(`${data}.log`, copy);
    await rig.close();
    rmSync(data);
    copyFileSync(copy, `${data}.log`);
    expect(() => createService({ data })).toThrow("service.json.log beside it has what was written since");
    expect(readFileSync(`${data}.log`, "utf8")).toBe(readFileSync(copy, "utf8"));
    rmSync(`${data}.log`);
    await (await open(data)).close();
  });

  it("follows no link in the place of its log or its temporary files, and removes those that a killed process left", async () => {
    const data = newFile();
    const victim = join(folder, "victim");
    writeFileSync(victim, "precious");
    await (await makeShop({ data })).close();
    symlinkSync(victim, `${data}.log`);
    const blocked = await open(data);
    expect((await blocked.call("POST", "/test-cases", { name: "x", org: 1 })).status).toBe(507);
    await blocked.close();
    rmSync(`${data}.log`, { force: true });
    symlinkSync(victim, `${data}.${process.pid}.tmp`);
    writeFileSync(`${data}.${randomUUID()}.tmp`, "half");
    const rig = await open(data);
    await rig.ok("POST", "/test-cases/1/confs", flat);
    await rig.close();
    expect(beside(data)).toEqual(["service.json"]);
    expect(readFileSync(victim, "utf8")).toBe("precious");
  });

  it("keeps the moment of a frozen clock, over a close and over a kill", async () => {
    const data = newFile();
    const frozen = async () => rigOf(createService({ data, clock: "frozen" }));
    const nowOf = async (rig: Rig) => (await rig.ok("GET", "/_loadform/clock")).now;
    const rig = await makeShop({ data });
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(62_000);
    const intervals = await rig.ok("GET", "/executions/1/intervals");
    expect(intervals).toHaveLength(6);
    const left = join(newFile(), "..", "left.json");
    mkdirSync(join(left, ".."), { recursive: true });
    copyFileSync(data, left);
    copyFileSync(`${data}.log`, `${left}.log`);
    await rig.close();
    const again = await frozen();
    expect([await nowOf(again), await again.ok("GET", "/executions/1/intervals")]).toEqual([
      "2026-11-20T10:08:32.000Z",
      intervals,
    ]);
    await again.ok("PUT", "/_loadform/clock", { mode: "frozen", now: "2026-11-20T11:00:00.000Z" });
    await again.close();
    const set = await frozen();
    expect(await nowOf(set)).toBe("2026-11-20T11:00:00.000Z");
    await set.ok("PUT", "/_loadform/clock", { mode: "real" });
    await set.close();
    // What ran by itself went on; and no older state than that says what time it is.
    expect(Date.parse(await nowOf(await frozen()))).toBeGreaterThan(Date.now() - 60_000);
    const killed = await rigOf(createService({ data: left, clock: "frozen" }));
    expect(await nowOf(killed)).toBe("2026-11-20T10:08:32.000Z");
    expect(await killed.ok("GET", "/executions/1/intervals")).toEqual(intervals);
    const elsewhere = await makeRig({ data: newFile(), clock: "frozen" });
    expect(Date.parse(await nowOf(elsewhere))).toBeGreaterThan(Date.now() - 60_000);
  });

  it("of a version that kept no moment is taken, one of a moment that is none is refused", async () => {
    const data = newFile();
    await (await makeShop({ data })).close();
    const { clock: _, ...former } = JSON.parse(readFileSync(data, "utf8"));
    writeFileSync(data, JSON.stringify(former));
    const rig = await rigOf(createService({ data, clock: "frozen" }));
    expect(await rig.ok("GET", "/test-cases/1")).toMatchObject({ name: "Checkout" });
    await rig.close();
    writeFileSync(data, JSON.stringify({ clock: "noon", ...former }));
    expect(() => createService({ data })).toThrow(/damaged at clock/);
  });

  it("is not made by reading alone", async () => {
    const data = newFile();
    const rig = await open(data);
    await rig.ok("GET", "/test-cases");
    await rig.close();
    expect(existsSync(data)).toBe(false);
  });

  it("grows by what a write changes, not by what it holds", async () => {
    const data = newFile();
    const rig = await makeShop({ data });
    await rig.ok("PUT", "/scripts/1", { main: "x".repeat(100_000) });
    const size = () => readFileSync(`${data}.log`).length;
    const before = size();
    await rig.ok("PUT", "/test-confs/1", { name: "Other" });
    expect(size() - before).toBeLessThan(2000);
    await rig.close();
  });

  it("is open to one process, which is named", async () => {
    const data = newFile();
    const rig = await open(data);
    expect(() => createService({ data })).toThrow(new RegExp(`in use by process ${process.pid}`));
    await rig.close();
    await (await open(data)).close();
  });

  it("passes over the lock of a dead holder", async () => {
    const data = newFile();
    await (await makeShop({ data })).close();
    const dead = { pid: 999_999_99, host: (await import("node:os")).hostname(), started: "1" };
    writeFileSync(`${data}.lock`, JSON.stringify(dead));
    const rig = await open(data);
    expect(await rig.ok("GET", "/test-cases")).toHaveLength(1);
    await rig.close();
    expect(beside(data)).toEqual(["service.json"]);
  });

  it.each([["{}"], [""], ["not json"], ['{"format":"loadform-state/1","resources":{}}']])(
    "that is another file is refused and left alone: %s",
    async (text) => {
      const data = newFile();
      await (await makeShop({ data })).close();
      writeFileSync(data, text);
      expect(() => createService({ data })).toThrow(/no snapshot of the bundled service/);
      expect(readFileSync(data, "utf8")).toBe(text);
      expect(beside(data)).toEqual(["service.json"]);
    },
  );

  it("without some of its parts is refused with what is expected", async () => {
    const data = newFile();
    await (await makeShop({ data })).close();
    writeFileSync(data, '{"format":"loadform-service/1","next":{}}');
    expect(() => createService({ data })).toThrow(
      /: found not all of its parts; expected next and tables, which are objects, and salt, a text$/,
    );
  });

  it("drops a torn last line of its log, and refuses damage before it", async () => {
    const data = newFile();
    const rig = await makeShop({ data });
    await rig.ok("PUT", "/test-cases/1", { name: "Kept" });
    const [snapshot, log] = [readFileSync(data), readFileSync(`${data}.log`, "utf8")];
    await rig.close();
    writeFileSync(data, snapshot);
    writeFileSync(`${data}.log`, `${log}0badcafe {"put":`);
    const again = await open(data);
    expect(await again.ok("GET", "/test-cases")).toMatchObject([{ name: "Kept" }]);
    await again.ok("PUT", "/test-cases/1", { name: "Further" });
    await again.close();
    expect(JSON.parse(readFileSync(data, "utf8")).tables.testCase).toMatchObject([{ name: "Further" }]);
    writeFileSync(`${data}.log`, `${"x"}${log}`);
    expect(() => createService({ data })).toThrow(/log is damaged/);
  });

  it("holds no secret", async () => {
    const data = newFile();
    const rig = await open(data);
    await rig.ok("POST", "/orgs/1/vcs-roots", {
      name: "A",
      url: "https://g.test",
      vcsAuthType: "Username",
      username: "u",
      password: "canary",
    });
    await rig.ok("PUT", "/vcs-roots/1", { password: "canary-2" });
    expect(readFileSync(data, "utf8") + readFileSync(`${data}.log`, "utf8")).not.toContain("canary");
    await rig.close();
  });

  it("follows restore and reset", async () => {
    const data = newFile();
    const shop = await makeShop();
    const rig = await makeShop({ data });
    await rig.service.restore(shop.service.snapshot());
    await rig.ok("POST", "/test-cases", { name: "Two", org: 1 });
    await rig.close();
    const again = await open(data);
    expect(await again.ok("GET", "/test-cases")).toHaveLength(2);
    await again.ok("POST", "/_loadform/reset");
    await again.close();
    const last = await open(data);
    expect(await last.ok("GET", "/test-cases")).toEqual([]);
    await last.close();
  });

  it("keeps what schedules fired", async () => {
    const data = newFile();
    const rig = await makeShop({ data });
    await rig.ok("PUT", "/test-confs/1", { schedules: [{ scheduleType: "Recurring", recurringInterval: "Hour" }] });
    await rig.service.advance(2 * 3_600_000);
    await rig.close();
    const again = rigOf(createService({ data, clock: { mode: "frozen", now: Date.parse(start) + 50 * 3_600_000 } }));
    expect(await (await again).ok("GET", "/test-confs/1/executions")).toHaveLength(2);
    await (await again).close();
  });
});

describe("kill -9", () => {
  const script = join(folder, "writer.mjs");
  const children: ReturnType<typeof spawn>[] = [];

  beforeAll(() => {
    buildSync({
      entryPoints: [join(import.meta.dirname, "../support/write-until-killed.ts")],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: script,
      external: ["undici"],
    });
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  it("loses nothing that was answered, and leaves a file that opens", async () => {
    for (const ms of [40, 90, 170]) {
      const data = newFile();
      const child = spawn(process.execPath, [script, data], { stdio: ["ignore", "pipe", "inherit"] });
      children.push(child);
      const output: string[] = [];
      child.stdout?.on("data", (chunk) => void output.push(String(chunk)));
      await once(child.stdout!, "data");
      await new Promise((resolve) => setTimeout(resolve, ms));
      child.kill("SIGKILL");
      await once(child, "close");
      const answered = output
        .join("")
        .split("\n")
        .filter((line) => line.endsWith("."))
        .map((line) => line.slice(0, -1));
      const rig = await open(data);
      const names = new Set((await rig.ok("GET", "/test-cases")).map((each: { name: string }) => each.name));
      expect(answered.length).toBeGreaterThan(0);
      expect(answered.filter((name) => !names.has(name))).toEqual([]);
      await rig.close();
    }
  });
});
