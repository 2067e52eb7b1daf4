// merge: every part of it (the engine after a crash, the loop, a check's process) has tests of its own
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isDeep } from "../support/deep.ts";
import { freshFolder, runCli, startCli } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";
import { random } from "./crash-project.ts";

const service = sharedService();
const rounds = isDeep ? 30 : 3;
const atOnce = 3;
/** Fewer than the guards of shares count from. */
const gateways = 7;

/** A version of a project: every object differs from the one before, and one in three comes or is deleted. */
const keysOf = (version: number) =>
  Array.from({ length: gateways }, (_, index) => index).filter((index) => (index + version) % 3 > 0);
const text = (name: string, version: number) =>
  JSON.stringify({
    project: name,
    service: { url: service.ready.url },
    testCases: {
      [name]: {
        description: `v${version}`,
        gateways: Object.fromEntries(
          keysOf(version).map((key) => [`g${key}`, { url: `https://v${version}-${key}.example.com` }]),
        ),
      },
    },
  });

interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly gateways: readonly { readonly name: string }[];
}

/** Ids of the processes of checks that a watcher has. */
const checksOf = (pid: number) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(pid);
      } catch {
        return false;
      }
    })
    .map(Number);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const killed = { watcher: 0, check: 0 };
/** A second try has projects of its own: what the first one left is nobody's. */
let tries = 0;

/** Some moment of a check, however long the watcher takes to begin it. */
async function checkOf(watcher: ChildProcess): Promise<void> {
  while (watcher.exitCode === null && checksOf(watcher.pid ?? 0).length === 0) await pause(20);
  await pause(random(600));
}

/** Kills a check; false of one that has just ended by itself. */
function endsNow(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw thrown;
  }
}

async function round(name: string): Promise<void> {
  const cwd = freshFolder();
  const env = { LOADFORM_API_KEY: service.ready.apiKey };
  let version = 0;
  for (; version < 3; version++) {
    writeFileSync(join(cwd, "loadform.yaml"), text(name, version));
    const watcher = await startCli(["watch", "--interval", "1", "--heal", "all", "--prune"], { cwd, env });
    watcher.stdout.resume();
    watcher.stderr.resume();
    if (version % 2 === 0) await checkOf(watcher);
    else await pause(300 + random(1500));
    const checks = checksOf(watcher.pid ?? 0);
    const ended = new Promise((resolve) => watcher.once("close", resolve));
    if (version % 2 === 0 && checks.filter(endsNow).length > 0) {
      killed.check++;
      await pause(200);
    } else killed.watcher++;
    watcher.kill("SIGKILL");
    await ended;
  }
  const once = () => runCli(["watch", "--once", "--heal", "all", "--prune"], { cwd, env });
  // A check that outlived its watcher may still have the lock, and what a killed one sent may still take effect.
  let last = await once();
  for (let checks = 1; checks < 20 && last.code !== 0; checks++) last = await once();
  expect([name, last.code], `${last.stdout}${last.stderr}`).toEqual([name, 0]);
  const all = (await service.call("GET", "/test-cases?down=true")).body as readonly Listed[];
  const mine = all.filter((each) => each.name === name);
  expect([mine.length, mine[0]?.description]).toEqual([1, `v${version - 1}`]);
  const names = mine.flatMap((each) => each.gateways.map((gateway) => gateway.name));
  expect(names.sort()).toEqual(keysOf(version - 1).map((key) => `g${key}`));
  // By the values too, and by the state.
  const plan = await runCli(["plan", "--detailed-exitcode"], { cwd, env });
  expect([name, plan.code], plan.stdout).toEqual([name, 0]);
}

test(`kill -9 of a watcher and of its checks, ${rounds} times: no update is lost and no object is doubled`, async () => {
  tries++;
  const left = Array.from({ length: rounds }, (_, index) => `shop${tries}-${index}`);
  const next = async (): Promise<void> => {
    const name = left.shift();
    if (name === undefined) return;
    await round(name);
    await next();
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  console.log(`killed: ${killed.watcher} watchers alone, ${killed.check} with checks under way`);
  expect(killed.check).toBeGreaterThan(0);
}, 1_800_000);
