// merge: kills of an import, as killed-apply
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isDeep } from "../support/deep.ts";
import { madeOnce } from "../support/made-once.ts";
import { freshFolder, runCli, runProcess, startCli } from "../support/run-cli.ts";
import { type RunningService, startService } from "../support/served-project.ts";
import { slownessNow } from "../support/slowness-now.ts";

const testCases = isDeep ? 25 : 10;

let service: RunningService;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await startService();
  env = { LOADFORM_URL: service.ready.url, LOADFORM_API_KEY: service.ready.apiKey };
  for (let number = 1; number <= testCases; number++) await makeCase(`Case ${number}`);
});
afterAll(() => service.stop("SIGTERM"));

async function post(path: string, body: unknown): Promise<number> {
  const answer = await service.call("POST", path, body);
  expect(answer.status).toBeLessThan(300);
  return (answer.body as { id: number }).id;
}

/** A test case with two scenarios of one name, one of them with data. */
async function makeCase(name: string): Promise<void> {
  const id = await post("/test-cases", { name, org: 1 });
  await post(`/test-cases/${id}/scripts`, { name: "Browse", main: `one("${name}")` });
  const script = await post(`/test-cases/${id}/scripts`, { name: "Browse", main: `two("${name}")` });
  const contents = Buffer.from(`a,b\n${name},2\n`).toString("base64");
  await post(`/scripts/${script}/data-stores/contents`, { name: "users.csv", contents });
}

function folder(): string {
  const made = join(freshFolder(), "project");
  onTestFinished(() => rmSync(join(made, ".."), { recursive: true, force: true }));
  return made;
}

function filesOf(root: string): Readonly<Record<string, string>> {
  if (!existsSync(root)) return {};
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => !path.startsWith(".loadform/") && statSync(join(root, path)).isFile(),
  );
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(root, path), "latin1")]));
}

/** How far an import is, as one sees it from outside. */
const moments = {
  "it wrote beside the project": (root: string) => names(root).some((name) => name.startsWith(".loadform-tmp-")),
  "the first files are in place": (root: string) => existsSync(join(root, "load")),
  "scripts are in place": (root: string) => names(join(root, "load")).length >= testCases,
  "parts are in place": (root: string) => names(join(root, "load")).some((name) => name.endsWith(".yaml")),
  "the main file is in place": (root: string) => existsSync(join(root, "loadform.yaml")),
};

/** The files of an import that nothing happened to. */
const undisturbed = madeOnce(async () => {
  const root = join(freshFolder(), "project");
  expect((await runCli(["import", root, "--all"], { env })).code).toBe(0);
  const files = filesOf(root);
  rmSync(join(root, ".."), { recursive: true, force: true });
  return files;
});

function names(root: string): readonly string[] {
  return existsSync(root) ? readdirSync(root) : [];
}

/** Starts an import and signals it at a moment; its exit code, when it had one. */
async function signalled(root: string, signal: NodeJS.Signals, isReached: (root: string) => boolean) {
  const child = await startCli(["import", root, "--all"], { env });
  const closed = once(child, "close") as Promise<[number | null]>;
  // Nothing happens before there is a folder, and looking all the time would slow the process down.
  while (child.exitCode === null && !isReached(root)) await (existsSync(root) ? setImmediate() : setTimeout(2));
  child.kill(signal);
  return (await closed)[0];
}

async function expectClean(root: string): Promise<void> {
  const planned = await runCli(["plan", root, "--detailed-exitcode", "--show-unmanaged", "--json"], { env });
  expect([planned.code, planned.stderr]).toEqual([0, ""]);
  expect(JSON.parse(planned.stdout)).toMatchObject({ resource_changes: [], unmanaged: [] });
  const again = await runCli(["import", root, "--all"], { env });
  expect(again.stdout).toBe("Nothing to import: the service has no unbound object that was asked for.\n");
  expect(names(root).filter((name) => name.startsWith(".loadform-tmp-"))).toEqual([]);
}

describe("an import that is killed", () => {
  test.each(Object.entries(moments))(
    "when %s is done again by the next one, with the same files as if nothing had happened",
    async (_title, isReached) => {
      const root = folder();
      await signalled(root, "SIGKILL", isReached);
      const mended = await runCli(["import", root, "--all"], { env });
      expect([mended.code, mended.stderr]).toEqual([0, ""]);
      await expectClean(root);
      expect(Object.keys(filesOf(root))).toEqual(Object.keys(await undisturbed()));
      expect(filesOf(root)).toEqual(await undisturbed());
    },
  );

  test("while it adds to a project that is there is done again by the next one, edits kept", async () => {
    const root = folder();
    expect((await runCli(["import", root, "--test-case", "Case 1"], { env })).code).toBe(0);
    const edited = join(root, "load/case-1.yaml");
    writeFileSync(edited, `# mine\n${readFileSync(edited, "utf8")}`);
    const before = readFileSync(edited, "utf8");
    await signalled(root, "SIGKILL", (each) => names(join(each, "load")).length > testCases);
    const mended = await runCli(["import", root, "--all"], { env });
    expect([mended.code, mended.stderr]).toEqual([0, ""]);
    await expectClean(root);
    expect(readFileSync(edited, "utf8")).toBe(before);
    expect(
      Object.keys(filesOf(root)).filter((path) =>
        /(case-\d+-2\.yaml|users-2\.csv|Browse-2-2\.js|Browse-3\.js)$/.test(path),
      ),
    ).toEqual([]);
  });
});

describe("an import that is interrupted", () => {
  const all = Object.entries(moments);
  test.each(isDeep ? all : all.filter((_, index) => index % 2 === 0))(
    "when %s writes all of it or nothing",
    async (_title, isReached) => {
      const root = folder();
      const code = await signalled(root, "SIGINT", isReached);
      expect([0, 130]).toContain(code);
      if (existsSync(join(root, "loadform.yaml"))) await expectClean(root);
      else expect(names(root)).toEqual([".loadform"]);
    },
  );
});

describe("an import that is interrupted while it waits", () => {
  const slow = { method: "GET", path: "/orgs/:orgId/test-cases", delayMs: 30_000 };
  const tree = { ...slow, path: "/test-cases" };
  const data = { ...slow, path: "/data-stores/:id/download" };

  test.each([
    ["SIGINT", 130, [slow, tree]],
    ["SIGTERM", 143, [data]],
  ] as const)("ends at once on %s, gives the lock back, and writes nothing", async (signal, expected, faults) => {
    await service.call("PUT", "/_loadform/faults", faults);
    const root = folder();
    const child = await startCli(["import", root, "--all"], { env });
    const closed = once(child, "close") as Promise<[number | null]>;
    let stderr = "";
    child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
    while ((await waiting()) === 0) await setTimeout(50);
    const since = Date.now();
    child.kill(signal);
    const [code] = await closed;
    const tookMs = Date.now() - since;
    await service.call("DELETE", "/_loadform/faults");
    expect([code, stderr]).toEqual([expected, expect.stringContaining("Interrupted: nothing was written.")]);
    expect(tookMs).toBeLessThan(4000 * (await slownessNow()));
    expect(Object.keys(filesOf(root))).toEqual([]);
    expect(readdirSync(join(root, ".loadform"))).toEqual([]);
  });

  /** How many requests a fault has met. */
  async function waiting(): Promise<number> {
    const { body } = await service.call("GET", "/_loadform/faults");
    return (body as readonly { hits: number }[]).reduce((sum, { hits }) => sum + hits, 0);
  }

  test("for its own proof leaves no folder of it", async () => {
    const root = folder();
    const child = await startCli(["import", root, "--all", "--format", "ts"], { env });
    const closed = once(child, "close") as Promise<[number | null]>;
    while (child.exitCode === null && !moments["it wrote beside the project"](root)) await setImmediate();
    child.kill("SIGINT");
    expect((await closed)[0]).toBe(130);
    expect(Object.keys(filesOf(root))).toEqual([]);
    expect(names(root)).toEqual([".loadform"]);
  });
});

describe("two imports at once", () => {
  test("end as one: the other finds the lock and writes nothing", async () => {
    const root = folder();
    const racers = await Promise.all([1, 2].map(() => runProcess(["import", root, "--all"], { env })));
    const codes = racers.map(({ code }) => code).sort();
    expect([
      [0, 0],
      [0, 4],
    ]).toContainEqual(codes);
    for (const { code, stderr } of racers) if (code === 4) expect(stderr).toContain("LF5001");
    await expectClean(root);
  });
});
