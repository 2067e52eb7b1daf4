import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LockLost, StateLocked } from "../../../src/state/store.ts";
import { localStore } from "../../../src/stores/local/local-store.ts";
import { diskFiles } from "../../../src/stores/local/state-files.ts";
import { timesOf } from "../../support/deep.ts";
import { buildWorker, type WorkerProgram } from "../../support/start-worker.ts";
import { fresh, realHolder } from "../../support/state-samples.ts";

const disk = vi.hoisted(() => ({ hasLinks: true }));
vi.mock("node:fs/promises", async (load) => {
  const real = await load<typeof import("node:fs/promises")>();
  const none = async () => Promise.reject(Object.assign(new Error("no links here"), { code: "EPERM" }));
  const link = (...names: Parameters<typeof real.link>) => (disk.hasLinks ? real.link(...names) : none());
  return { ...real, link };
});

let program: WorkerProgram;
beforeAll(async () => {
  program = await buildWorker();
});
afterAll(() => program?.remove());

let folder = "";
let path = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadform-lock-"));
  path = join(folder, "state.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (files = diskFiles) => localStore({ path, files, holder: realHolder });
const take = (files = diskFiles) => open(files).lock({ operation: "apply", timeoutMs: 0 });
const found = async () => (await readdir(folder)).sort();

/** Whether a command runs in a name space of its own here. */
function isAllowed(...unshare: readonly string[]): boolean {
  const allowed = spawnSync("unshare", [...unshare, "true"]).status === 0;
  if (!allowed) console.warn(`SKIPPED: unshare ${unshare.join(" ")} is not allowed here`);
  return allowed;
}
const canMount = isAllowed("--map-root-user", "--mount");
const pidSpace = ["--pid", "--fork", "--mount-proc"];
const canSplit = isAllowed(...pidSpace)
  ? [pidSpace]
  : isAllowed("--map-root-user", ...pidSpace)
    ? [["--map-root-user", ...pidSpace]]
    : [];

describe("a lock file", () => {
  test("says since when it is held, not since when it was waited for", async () => {
    const first = await take();
    const waiting = open().lock({ operation: "apply", timeoutMs: 20_000 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const until = Date.now();
    await first.release();
    const second = await waiting;
    expect(Date.parse(second.info.created)).toBeGreaterThanOrEqual(until);
    expect(second.info.id).not.toBe(first.info.id);
    await second.release();
  });

  test("appears whole or not at all, and nothing stands beside it", async () => {
    const session = await take();
    expect(await found()).toEqual(["state.json.lock"]);
    expect(JSON.parse(await readFile(`${path}.lock`, "utf8"))).toEqual(session.info);
    await expect(take()).rejects.toBeInstanceOf(StateLocked);
    expect(await found()).toEqual(["state.json.lock"]);
    await session.release();
    expect(await found()).toEqual([]);
  });

  test("is never seen empty, however often its maker is killed", async () => {
    for (let round = 0; round < Math.max(2, timesOf({ few: 6 })); round++) {
      const worker = program.start({ store: { backend: "local", path }, name: "holder" });
      const end = performance.now() + 3_000;
      const isEnough = () => performance.now() > end;
      for (let text: string | undefined; text === undefined && !isEnough(); await new Promise(setImmediate)) {
        text = await diskFiles.read(`${path}.lock`);
        if (text !== undefined) expect(JSON.parse(text)).toMatchObject({ operation: "holder" });
      }
      worker.process.kill("SIGKILL");
      await worker.ended;
      await (await take()).release();
    }
  });

  test.skipIf(!canMount)("is not there when the disk is full, and room is all that is needed", () => {
    const script = `mount -t tmpfs -o size=16k none "$0" && head -c 16384 /dev/zero > "$0/full" 2> /dev/null
      "$@" < /dev/null; ls "$0"; rm "$0/full"; exec "$@" < /dev/null`;
    const task = JSON.stringify({ store: { backend: "local", path }, name: "holder" });
    const space = ["--map-root-user", "--mount", "sh", "-c", script, folder];
    const run = spawnSync("unshare", [...space, process.execPath, program.path, task], { encoding: "utf8" });
    expect(run.stderr).toContain("ENOSPC");
    expect(run.stdout).toMatch(/^full\nlocked /);
  });

  test("on a file system without hard links is written in place, and held like any other", async () => {
    disk.hasLinks = false;
    const session = await take();
    await expect(take()).rejects.toBeInstanceOf(StateLocked);
    expect(await found()).toEqual(["state.json.lock"]);
    await session.release();
    disk.hasLinks = true;
    expect(await found()).toEqual([]);
  });

  test.each([
    { title: "that is empty", text: "" },
    { title: "of zeros, as a crash of the machine leaves it", text: "\0\0\0\0" },
  ])("$title counts as dead once it is older than a minute", async ({ text }) => {
    await writeFile(`${path}.lock`, text);
    const ago = (ms: number) => new Date(Date.now() - ms);
    await utimes(`${path}.lock`, ago(50_000), ago(50_000));
    await expect(take()).rejects.toBeInstanceOf(StateLocked);
    await utimes(`${path}.lock`, ago(61_000), ago(61_000));
    await (await take()).release();
    expect(await found()).toEqual([]);
  });

  test("that says something else than a holder is left alone, however old", async () => {
    await writeFile(`${path}.lock`, "hands off");
    await utimes(`${path}.lock`, new Date(0), new Date(0));
    await expect(take()).rejects.toBeInstanceOf(StateLocked);
  });

  test("with nothing but an id has an unknown holder", async () => {
    await writeFile(`${path}.lock`, JSON.stringify({ id: "abc" }));
    await expect(take()).rejects.toMatchObject({
      holder: { id: "abc", who: "an unknown holder", created: "an unknown time" },
    });
  });

  test.skipIf(canSplit.length === 0)(
    "of a living holder in another PID namespace is respected from both sides",
    async () => {
      const [unshare = []] = canSplit;
      const holder = program.start({ store: { backend: "local", path }, name: "holder" });
      expect(await holder.line()).toMatch(/^locked /);
      const script = [...unshare, process.execPath, program.path];
      const task = { store: { backend: "local", path }, name: "inside" };
      const inside = spawnSync("unshare", [...script, JSON.stringify(task)], { encoding: "utf8", input: "release\n" });
      expect([inside.stdout, inside.stderr]).toEqual(["", expect.stringContaining("StateLocked")]);
      holder.send("confirm");
      expect(await holder.line()).toBe("ok");
      holder.send("release");
      await holder.ended;
      const other = spawn("unshare", [...script, JSON.stringify(task)], { stdio: ["pipe", "pipe", "inherit"] });
      await once(other.stdout, "data");
      await expect(take()).rejects.toMatchObject({ holder: { operation: "inside" } });
      const ended = once(other, "exit");
      other.stdin.end("release\n");
      await ended;
      await (await take()).release();
    },
  );
});

describe("who was stopped in the middle of a write, and robbed of the lock", () => {
  /** A step, and what must stand as the successor left it. */
  const steps = ["state.json", "state.json.bak", "state.json.journal"];

  test.each(steps)("does not touch its successor's %s", async (name) => {
    const first = await take();
    const state = await first.save(fresh(), []);
    await first.release();
    const reached = { resolve: (): void => undefined, resume: Promise.resolve() };
    let wake = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      reached.resolve = resolve;
    });
    const continued = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const zombie = await take({
      ...diskFiles,
      async stepIf(guard, step) {
        const target = "remove" in step ? step.remove : step.to;
        if (target.endsWith(name)) {
          reached.resolve();
          await continued;
        }
        return diskFiles.stepIf(guard, step);
      },
    });
    const saving = zombie.save({ ...state, project: "zombie" }, []).catch((problem: unknown) => problem);
    await stopped;
    await open().unlock(zombie.info.id);
    const successor = await take();
    const base = await successor.save({ ...successor.stored!.state, project: "successor" }, []);
    await successor.save(base, []);
    await successor.record([{ phase: "fail", address: "toy.a" }]);
    const texts = async () => Promise.all(steps.map((each) => diskFiles.read(join(folder, each))));
    const before = await texts();
    expect(before).not.toContain(undefined);
    wake();
    expect(await saving).toBeInstanceOf(LockLost);
    expect(await texts()).toEqual(before);
    await zombie.release();
    await expect(take()).rejects.toMatchObject({ holder: { id: successor.info.id } });
    await successor.release();
  });
});
