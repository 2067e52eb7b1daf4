import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openBundled } from "../../src/project/open-client.ts";
import { createService } from "../../src/service/index.ts";
import { processHolder } from "../../src/state/lock-holder.ts";
import { localStore } from "../../src/stores/local/local-store.ts";
import { diskFiles } from "../../src/stores/local/state-files.ts";
import { runCli, runProcess } from "../support/run-cli.ts";
import { projectFolder } from "../support/small-project.ts";

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The file of the bundled service of a project, in use by this process. */
function useService(cwd: string): () => Promise<void> {
  const service = createService({ data: join(cwd, ".loadform/service.json") });
  ends.push(service.close);
  return service.close;
}

async function lockState(cwd: string): Promise<() => Promise<void>> {
  const holder = processHolder({ sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)), now: Date.now });
  const store = localStore({ path: join(cwd, ".loadform/state.json"), files: diskFiles, holder });
  const session = await store.lock({ operation: "apply", timeoutMs: 0 });
  ends.push(session.release);
  return session.release;
}

describe("while another process has the bundled service's file", () => {
  it("a command waits, and sees what the other one did", async () => {
    const cwd = projectFolder();
    const codes = await Promise.all(
      [1, 2, 3].map(() => runProcess(["apply", "--auto-approve", "--lock-timeout", "60"], { cwd })),
    );
    expect(codes.map(({ code, stderr }) => [code, stderr.includes("error")])).toEqual(Array(3).fill([0, false]));
    expect(codes.filter(({ stdout }) => stdout.includes("2 created"))).toHaveLength(1);
    const plan = await runCli(["plan", "--detailed-exitcode"], { cwd });
    expect(plan.code).toBe(0);
  });

  it("an apply is refused with exit 4 at once when that one holds the lock, and waits for it with --lock-timeout", async () => {
    const cwd = projectFolder();
    await runCli(["plan"], { cwd });
    const close = useService(cwd);
    const release = await lockState(cwd);
    const refused = await runProcess(["apply", "--auto-approve"], { cwd });
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("loadform state unlock")]);
    const waiting = runProcess(["apply", "--auto-approve", "--lock-timeout", "60"], { cwd });
    setTimeout(() => void close().then(release), 1500);
    expect((await waiting).code).toBe(0);
  });

  it("says who has it when it is not given back", async () => {
    const cwd = projectFolder();
    useService(cwd);
    let now = 0;
    const sleep = async (ms: number) => {
      now += ms;
    };
    const system = { now: () => now, sleep };
    const opening = openBundled("memory:.loadform/service.json", { root: cwd, system, apiKey: "local" });
    await expect(opening).rejects.toMatchObject({
      diagnostics: [{ code: "LF2001", detail: expect.stringContaining(`in use by process ${process.pid}`) }],
    });
    expect(now).toBeGreaterThanOrEqual(10_000);
  });
});
