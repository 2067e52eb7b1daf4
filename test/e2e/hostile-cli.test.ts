import { once } from "node:events";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listenHttp } from "../../src/service/http/listen-http.ts";
import { createService } from "../../src/service/index.ts";
import { localStore } from "../../src/stores/local/local-store.ts";
import { diskFiles } from "../../src/stores/local/state-files.ts";
import { check, isDeep } from "../support/deep.ts";
import { anyDocument, type Maker, makerOf } from "../support/hostile/declare.ts";
import { type Body, environmentOf } from "../support/hostile/document.ts";
import { drawFrom } from "../support/hostile/draw.ts";
import { editDocument } from "../support/hostile/edits.ts";
import { expectedOf } from "../support/hostile/expected.ts";
import { allHazards, anyRun, type Command, type HostileRun, type Switches } from "../support/hostile/hazards.ts";
import { hostileService } from "../support/hostile/hostile-service.ts";
import { differences } from "../support/hostile/judge.ts";
import { Ledger } from "../support/hostile/ledger.ts";
import { Outsider } from "../support/hostile/outsider.ts";
import { rowsOf } from "../support/hostile/rows.ts";
import { documentText } from "../support/hostile/run.ts";
import { freshFolder, runCli, startCli } from "../support/run-cli.ts";
import { realHolder } from "../support/state-samples.ts";

/** What can happen to a process in real time: nothing that takes a minute, and nothing that ends in a refusal. */
const quick: Switches = {
  ...allHazards,
  faults: allHazards.faults.filter((how) => !("effectDelayMs" in how)),
  outside: ["a child", "an object", "an unmanaged field", "a managed field", "schedules anew", "a pause"],
};

const flags = ["--auto-approve", "--force-threshold", "--allow-destroy", "**"] as const;

describe("the command line in a hostile world", () => {
  test("killed with -9 at random requests: one clean apply ends every run as the document says", async () => {
    await check(
      "hostile command line",
      fc.asyncProperty(anyRun(quick), async (run) => {
        expect(await runCommandLine(run)).toEqual([]);
      }),
      { few: 1, deep: 100 },
    );
  });
});

/** Lives through a run with real processes; answers every difference. */
async function runCommandLine({ seed, size, commands }: HostileRun): Promise<readonly string[]> {
  const inner = createService({ clock: { mode: "real" } });
  const ledger = new Ledger(rowsOf(inner));
  ledger.isOpen = true;
  const outsider = new Outsider(inner, ledger);
  const outside = async ({ act, pick }: Parameters<Parameters<typeof hostileService>[1]>[0]) =>
    void (await outsider.act(act, pick));
  const hostile = hostileService(inner, outside, outsider.trips);
  const maker = makerOf(drawFrom(seed));
  const document = anyDocument(maker, size);
  const project = await openProject(hostile.service.handle);
  try {
    const moved: { readonly from: string; readonly to: string }[] = [];
    for (const command of isDeep ? commands : commands.slice(0, 2)) {
      moved.push(...edit(document, { command, maker, ledger }));
      outsider.document = document;
      ledger.declare(document);
      await project.age();
      hostile.arm(
        command.hazards.map((each) => ("times" in each ? { ...each, times: Math.min(each.times, 2) } : each)),
      );
      await project.apply(document, moved, command.kill === undefined ? undefined : command.kill / 2);
      await hostile.disarm();
      ledger.keep(await project.bindings(), rowsOf(inner));
    }
    await project.age();
    const mended = await project.apply(document, moved);
    if (mended.code !== 0) return [`the clean apply ends with ${mended.code}: ${mended.stderr}`];
    const plan = await project.run("plan", "--json");
    const { resource_changes: left } = JSON.parse(plan.stdout) as { readonly resource_changes: readonly unknown[] };
    const expected = expectedOf(document);
    const found = differences({ expected, bindings: await project.bindings(), ledger, service: inner });
    return [...found, ...left.map((change) => `the plan is not empty: ${JSON.stringify(change)}`)];
  } finally {
    await project.close();
  }
}

function edit(
  document: Body,
  { command, maker, ledger }: { readonly command: Command; readonly maker: Maker; readonly ledger: Ledger },
) {
  return command.edits.flatMap((each) => {
    const { moved, anew } = editDocument(document, each, maker);
    for (const address of anew) ledger.release(address);
    if (moved) ledger.move(moved.from, moved.to);
    return moved ?? [];
  });
}

/** A folder at a service, each of whose requests can be the last that a process sends. */
async function openProject(handle: ReturnType<typeof createService>["handle"]) {
  const cwd = freshFolder();
  let arrived: () => void = () => undefined;
  const listening = await listenHttp(
    (request) => {
      arrived();
      return handle(request);
    },
    { port: 0, host: "127.0.0.1" },
  );
  const store = localStore({ path: `${cwd}/.loadform/state.json`, files: diskFiles, holder: realHolder });
  const given = { LOADFORM_URL: listening.url, LOADFORM_API_KEY: "local" };
  let env: Readonly<Record<string, string>> = given;
  return {
    run: (...args: string[]) => runCli(args, { cwd, env }),
    async apply(document: Body, moved: Parameters<typeof documentText>[1], killAt?: number) {
      const text = documentText(document, moved, {});
      env = { ...given, ...environmentOf(text) };
      await diskFiles.write(`${cwd}/loadform.yaml`, text);
      if (killAt === undefined) return runCli(["apply", ...flags], { cwd, env });
      const child = await startCli(["apply", ...flags], { cwd, env });
      let left = killAt;
      arrived = () => void (left-- <= 0 && child.kill("SIGKILL"));
      child.stdout.resume();
      child.stderr.resume();
      const [code] = (await once(child, "close")) as [number | null];
      arrived = () => undefined;
      return { code, stderr: "" };
    },
    bindings: async () => (await store.read())?.state.resources ?? {},
    /** Lets a minute pass for the creates in doubt, so that recovery has nothing to wait for. */
    async age() {
      if (((await store.read())?.intents.length ?? 0) === 0) return;
      const session = await store.lock({ operation: "age", timeoutMs: 10_000 });
      const { stored } = session;
      if (stored)
        await session.save(
          stored.state,
          stored.intents.map((intent) => ({ ...intent, t: intent.t - 65_000 })),
        );
      await session.release();
    },
    close: listening.close,
  };
}
