// merge: the real command with git, service and PostgreSQL; work-queue.test.ts proves the queue with a check that takes a while
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { makeDatabase } from "../../support/queue-fleet.ts";
import { freshFolder, runProcess } from "../../support/run-cli.ts";
import { type RunningService, startService } from "../../support/served-project.ts";
import { slownessNow } from "../../support/slowness-now.ts";
import { beginOfLastCheck, pushHook, startWatcher, watchedRepository } from "../../support/watched-repository.ts";

let server: TestPostgres;
let service: RunningService;

describe.runIf(hasPostgres())("loadform watch --queue", () => {
  beforeAll(async () => {
    [server, service] = await Promise.all([startPostgres(), startService()]);
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await server?.stop();
  });

  test("heals what git changed, once, whichever worker is killed", async () => {
    const names = ["shop", "search", "stock"];
    const repository = watchedRepository(names, service.ready.url);
    repository.commit("first");
    const database = await makeDatabase(server.url);
    const env = { LOADFORM_QUEUE: database, KEY: service.ready.apiKey, STATE: database };
    const config = {
      projects: names.map((name) => ({
        ...{ name, target: service.ready.url, heal: "git", interval: 3 },
        git: { url: repository.folder, branch: "main", path: name },
        pass: { LOADFORM_API_KEY: "${env:KEY}", STATE_URL: "${env:STATE}" },
      })),
    };
    const descriptions = async () => {
      const { body } = await service.call("GET", "/test-cases");
      return (body as readonly { name: string; description: string }[])
        .filter(({ name }) => names.includes(name))
        .map(({ name, description }) => `${name}: ${description}`)
        .sort();
    };
    const become = (text: string) =>
      vi.waitFor(
        async () => expect(await descriptions()).toEqual([...names].sort().map((name) => `${name}: ${text}`)),
        {
          timeout: 60_000,
          interval: 200,
        },
      );
    const workers = await Promise.all([1, 2].map(() => startWatcher(config, env)));
    try {
      await become("first");
      repository.commit("second");
      await become("second");
      workers[0]?.child.kill("SIGKILL");
      repository.commit("third");
      await become("third");
      workers[1]?.child.kill("SIGTERM");
      const [code] = await once(workers[1]?.child ?? process, "exit");
      expect(code).toBe(143);
    } finally {
      for (const { child } of workers) child.kill("SIGKILL");
    }
    const all = workers.map(({ said }) => said()).join("\n");
    expect(all).toContain("in-sync");
    expect(all).not.toContain(new URL(database).password);
  });

  test("begins a check within a second of a push, whichever worker is told of it", async () => {
    const repository = watchedRepository(["shop"], service.ready.url);
    repository.commit("first");
    const database = await makeDatabase(server.url);
    const env = { LOADFORM_QUEUE: database, KEY: service.ready.apiKey, STATE: database, TOKEN: "t", SECRET: "s" };
    const config = {
      projects: [
        {
          ...{ name: "shop", target: service.ready.url, interval: 3600 },
          git: { url: `file://${repository.folder}`, branch: "main", path: "shop" },
          pass: { LOADFORM_API_KEY: "${env:KEY}", STATE_URL: "${env:STATE}" },
        },
      ],
      listen: { address: "127.0.0.1:0", token: "${env:TOKEN}", hooks: { secret: "${env:SECRET}" } },
    };
    const workers = await Promise.all([1, 2].map(() => startWatcher(config, env)));
    try {
      for (const { said } of workers) {
        const url = await vi.waitFor(() => /Status: (http:\S+)/.exec(said())?.[1] ?? expect.unreachable(), 20_000);
        const begin = () => beginOfLastCheck(url, { project: "shop", token: env.TOKEN });
        await vi.waitFor(async () => expect(await begin()).toBeGreaterThan(0), { timeout: 60_000 });
        const pushed = Date.now();
        expect(await pushHook(url, { repository: `file://${repository.folder}`, secret: env.SECRET })).toBe(202);
        // The clock of the database and that of the check are read a moment apart.
        await vi.waitFor(async () => expect(await begin()).toBeGreaterThan(pushed - 50), {
          timeout: 60_000,
        });
        expect((await begin()) - pushed).toBeLessThan(1_000 * (await slownessNow()));
      }
    } finally {
      for (const { child } of workers) child.kill("SIGKILL");
    }
  });

  test("is refused with folders, without a database, and with --once", async () => {
    const cwd = freshFolder();
    const run = (args: readonly string[], env = {}) => runProcess(["watch", ...args], { cwd, env });
    const folder = await run([".", "--queue"], { LOADFORM_QUEUE: "postgres://me:geheim@127.0.0.1:1/q" });
    expect(folder).toMatchObject({ code: 1, stderr: expect.stringContaining("LF8006") });
    expect(folder.stderr).not.toContain("geheim");
    expect((await run([".", "--queue"])).stderr).toContain("the queue is not the address of a PostgreSQL database");
    expect((await run([".", "--queue", "--once"])).stderr).toContain("--once shares no projects with other workers");
  });
});
