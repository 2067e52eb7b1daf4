import { spawnSync } from "node:child_process";
import {
  linkSync,
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
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService } from "../../../src/service/index.ts";
import { makeRig, makeShop } from "../support/rig.ts";

const folder = mkdtempSync(join(tmpdir(), "loadform-crash-"));
let count = 0;
function newFile(): string {
  const place = join(folder, String(count++));
  mkdirSync(place);
  return join(place, "d.json");
}
const beside = (file: string) => readdirSync(join(file, "..")).sort();
const open = (data: string) => makeRig({ data });
const names = async (data: string) => {
  const rig = await open(data);
  const found = (await rig.ok("GET", "/test-cases")).map((each: { name: string }) => each.name);
  await rig.close();
  return found;
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a log that follows another snapshot", () => {
  const script = join(folder, "stop-in-reset.mjs");

  beforeAll(() => {
    buildSync({
      entryPoints: [join(import.meta.dirname, "../support/stop-in-reset.ts")],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: script,
      external: ["undici"],
    });
  });

  it.each(["reset", "restore"])("was left by a kill within %s, and is ignored", async (how) => {
    const data = newFile();
    const first = await open(data);
    await first.ok("POST", "/test-cases", { name: "old", org: 1 });
    await first.close();
    expect(spawnSync(process.execPath, [script, data, how, "before"]).signal).toBe("SIGKILL");
    expect(beside(data)).toContain("d.json.log");
    const rig = await open(data);
    expect((await rig.call("GET", "/scripts/1")).status).toBe(404);
    expect(await rig.ok("GET", "/test-cases")).toEqual([]);
    expect(await rig.ok("POST", "/test-cases", { name: "new", org: 1 })).toMatchObject({ id: 1, scenarios: [] });
    await rig.close();
    expect(await names(data)).toEqual(["new"]);
  });

  it.each(["before", "after"])("was left by a kill within a close, and loses nothing: %s its removal", async (when) => {
    const data = newFile();
    const first = await open(data);
    await first.ok("POST", "/test-cases", { name: "old", org: 1 });
    await first.close();
    expect(spawnSync(process.execPath, [script, data, "close", when]).signal).toBe("SIGKILL");
    const rig = await open(data);
    expect(await rig.ok("GET", "/scripts/1")).toMatchObject({ name: "late" });
    await rig.close();
    expect(beside(data)).toEqual(["d.json"]);
  });

  it("does not take what is written next along", async () => {
    const data = newFile();
    const rig = await makeShop({ data });
    const log = readFileSync(`${data}.log`);
    await rig.ok("POST", "/_loadform/reset");
    await rig.close();
    writeFileSync(`${data}.log`, log);
    const again = await open(data);
    await again.ok("POST", "/test-cases", { name: "next", org: 1 });
    const [snapshot, next] = [readFileSync(data), readFileSync(`${data}.log`)];
    await again.close();
    writeFileSync(data, snapshot);
    writeFileSync(`${data}.log`, next);
    expect(await names(data)).toEqual(["next"]);
  });

  it("has to say which one it follows", async () => {
    const data = newFile();
    const rig = await makeShop({ data });
    const [snapshot, log] = [readFileSync(data), readFileSync(`${data}.log`, "utf8")];
    await rig.close();
    writeFileSync(data, snapshot);
    writeFileSync(`${data}.log`, log.slice(log.indexOf("\n") + 1));
    expect(() => createService({ data })).toThrow(/line 1 does not name the snapshot/);
  });
});

describe("other paths to a data file", () => {
  it("share its lock and its file when they are symbolic links", async () => {
    const data = newFile();
    const link = join(folder, `link-${count}.json`);
    symlinkSync(data, link);
    const rig = await open(link);
    await rig.ok("POST", "/test-cases", { name: "by link", org: 1 });
    expect(() => createService({ data })).toThrow(/in use by process/);
    await rig.close();
    expect(
      readdirSync(folder, { withFileTypes: true })
        .find(({ name }) => link.endsWith(name))
        ?.isSymbolicLink(),
    ).toBe(true);
    expect(await names(data)).toEqual(["by link"]);
  });

  it("are refused when they are further names of it, or lead in a circle", async () => {
    const data = newFile();
    await (await makeShop({ data })).close();
    linkSync(data, `${data}.other`);
    expect(() => createService({ data })).toThrow(/2 names \(hard links\); expected one/);
    rmSync(`${data}.other`);
    expect(await names(data)).toHaveLength(1);
    symlinkSync("b.json", join(data, "../a.json"));
    symlinkSync("a.json", join(data, "../b.json"));
    expect(() => createService({ data: join(data, "../a.json") })).toThrow(/circle of symbolic links/);
  });

  it("are refused where no folder can be made, or where a folder is", () => {
    expect(() => createService({ data: "/proc/nope/deeper/x.json" })).toThrow(
      /no folder \/proc\/nope, and it cannot be made/,
    );
    expect(() => createService({ data: folder })).toThrow(/no file at .*; expected a file/);
    const file = join(folder, "plain");
    writeFileSync(file, "");
    expect(() => createService({ data: join(file, "x.json") })).toThrow(/found a file at .*; expected a folder/);
  });
});

/** Makes a device that is always full; false where that is not allowed. Writes to it fail as on a full disk, and it cannot be cut. */
const makeFull = (path: string) => spawnSync("mknod", [path, "c", "1", "7"]).status === 0;
const probe = join(folder, "full");
const canMakeFull = makeFull(probe) && spawnSync("sh", ["-c", `: > ${probe}`]).status === 0;
if (!canMakeFull) process.stderr.write("SKIPPED: no device can be made here, so no log was full\n");

describe.skipIf(!canMakeFull)("a disk that is full", () => {
  it("is 507, and nothing of the refused writes is seen or comes back", async () => {
    const data = newFile();
    const rig = await open(data);
    await rig.ok("POST", "/test-cases", { name: "kept", org: 1 });
    makeFull(`${data}.log`);
    const before = JSON.stringify(rig.service.snapshot());
    const writes = [
      rig.call("POST", "/test-cases", { name: "lost", org: 1 }),
      rig.call("PUT", "/test-cases/1", { name: "renamed" }),
      rig.call("DELETE", "/test-cases/1"),
    ];
    for (const { status, body } of await Promise.all(writes))
      expect([status, body]).toEqual([
        507,
        { code: "INSUFFICIENT_STORAGE", message: expect.stringContaining("ENOSPC: no space left on device") },
      ]);
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
    expect(JSON.stringify(rig.service.requests)).toContain("507");
    // The log cannot be trusted any more: the next write is kept by a whole snapshot.
    expect(await rig.ok("POST", "/test-cases", { name: "next", org: 1 })).toMatchObject({ id: 2 });
    expect(JSON.parse(readFileSync(data, "utf8")).tables.testCase).toHaveLength(2);
    await rig.close();
    expect(beside(data)).toEqual(["d.json"]);
    expect(await names(data)).toEqual(["kept", "next"]);
  });

  it("refuses with a write that failed all that came after it, for they were made of it", async () => {
    const data = newFile();
    const rig = await open(data);
    await rig.ok("POST", "/test-cases", { name: "kept", org: 1 });
    makeFull(`${data}.log`);
    const first = rig.call("POST", "/test-cases", { name: "parent", org: 1 });
    // The first is on its way to the disk by now.
    await new Promise((resolve) => process.nextTick(() => queueMicrotask(() => resolve(undefined))));
    const second = rig.call("POST", "/test-cases/2/scripts", { name: "child", main: "1" });
    expect([(await first).status, (await second).status]).toEqual([507, 507]);
    expect(rig.service.snapshot().tables).not.toHaveProperty("scenario");
    await rig.close();
    expect(await names(data)).toEqual(["kept"]);
  });
});

const mounted = join(folder, "small");
const mount = () => spawnSync("mount", ["-t", "tmpfs", "-o", "size=300k", "tmpfs", mounted]).status === 0;
const unmount = () => void spawnSync("umount", [mounted]);
mkdirSync(mounted);
const canMount = mount();
unmount();
if (!canMount) process.stderr.write("SKIPPED: no small disk can be mounted here, so none was filled\n");

describe.skipIf(!canMount)("a small disk that fills up", () => {
  beforeAll(() => void mount());
  afterAll(unmount);

  it("refuses writes whole, takes them again with room, and leaves no file behind", async () => {
    const data = join(mounted, "d.json");
    const rig = await open(data);
    await rig.ok("POST", "/test-cases", { name: "first", org: 1 });
    const description = "x".repeat(20_000);
    let refused = 0;
    for (let index = 0; refused === 0; index++) {
      const answer = await rig.call("POST", "/test-cases", { name: `n${index}`, org: 1, description });
      if (answer.status === 507) refused++;
      else expect(answer.status).toBe(200);
    }
    const before = JSON.stringify(rig.service.snapshot());
    expect(await rig.call("POST", "/_loadform/reset")).toMatchObject({ status: 200 });
    await rig.service.restore(before);
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
    await rig.close();
    expect(beside(data)).toEqual(["d.json"]);
  });

  it("keeps snapshot and log when they cannot be folded, and says so", async () => {
    const data = join(mounted, "e.json");
    const rig = await open(data);
    await rig.ok("POST", "/test-cases", { name: "first", org: 1 });
    await rig.ok("POST", "/test-cases", { name: "second", org: 1 });
    const filler = spawnSync("sh", ["-c", `cat /dev/zero > ${join(mounted, "filler")}`]);
    expect(filler.status).not.toBe(0);
    const before = JSON.stringify(rig.service.snapshot());
    expect(await rig.call("POST", "/_loadform/reset")).toMatchObject({ status: 507 });
    await expect(rig.service.restore(createService().snapshot())).rejects.toThrow(/ENOSPC/);
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
    await expect(rig.close()).rejects.toThrow(/could not be folded.*ENOSPC.*Nothing that was answered is lost/);
    expect(beside(data).filter((name) => name.startsWith("e."))).toEqual(["e.json", "e.json.log"]);
    rmSync(join(mounted, "filler"));
    expect(await names(data)).toEqual(["first", "second"]);
  });
});
