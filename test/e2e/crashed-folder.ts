import { expect } from "vitest";
import { type RunningService, servedProject, startService } from "../support/served-project.ts";
import { random, signalAfter, textOf, versions } from "./crash-project.ts";
import type { StatePlace } from "./store-places.ts";

/** Routes whose answers are held, so that a signal meets requests in flight. */
const writes = [
  ["POST", "/test-cases"],
  ["POST", "/test-cases/:testCaseId/scripts"],
  ["POST", "/test-cases/:testCaseId/confs"],
  ["POST", "/test-cases/:testCaseId/gateways"],
  ["POST", "/scripts/:id/data-stores/contents"],
  ["PUT", "/test-confs/:confId"],
  ["PUT", "/scripts/:id"],
  ["DELETE", "/gateways/:id"],
  ["DELETE", "/test-confs/:confId"],
] as const;

/** What is written under one test case. */
interface LiveCase {
  readonly id: number;
  readonly scenarios: readonly { readonly id: number; readonly name: string }[];
  readonly dataStores: readonly object[];
  readonly gateways: readonly object[];
  readonly configurations: readonly { readonly id: number; readonly schedules: readonly object[] }[];
}

const approved = ["--auto-approve", "--force-threshold", "--parallelism", "4"] as const;

/** Does something with the crash project in a folder and at a service of its own; its state is beside it, or in a place. */
export async function inCrashedFolder(
  use: (folder: CrashedFolder) => Promise<void>,
  place?: StatePlace,
): Promise<void> {
  const service = await startService();
  try {
    await use(crashedFolder(service, place));
  } finally {
    await service.stop("SIGKILL");
  }
}

function crashedFolder(service: RunningService, place?: StatePlace) {
  const state = place?.settings;
  const folder = servedProject(service, textOf(versions[0], { state }), place?.env);
  const live = async () => (await service.call("GET", "/test-cases?down=true")).body as readonly LiveCase[];
  const slowDown = (delayMs: number) =>
    service.call(
      "PUT",
      "/_loadform/faults",
      writes.map(([method, path]) => ({ method, path, delayMs })),
    );
  return {
    ...folder,
    live,
    declare: (version: (typeof versions)[number]) => folder.write(textOf(version, { state })),
    /** Breaks the lock of a killed command as the refusal of the next one says; answers whether it was held. */
    async unlock() {
      const { code, stderr } = await folder.run("state", "rm", "testCase.none");
      expect(code === 4, stderr).toBe(stderr.includes("LF5001"));
      const [, id] =
        /If you are sure that the command no longer runs:\n *loadform state unlock (\S+)/.exec(stderr) ?? [];
      if (code === 4) expect(await folder.run("state", "unlock", id ?? "none")).toMatchObject({ code: 0 });
      return code === 4;
    },
    /** Lets a minute pass for the creates in doubt, so that recovery has nothing to wait for. */
    async age() {
      const store = place?.open(folder.cwd);
      if ((await store?.read())?.intents.length === 0) return;
      const session = await store?.lock({ operation: "age", timeoutMs: 10_000 });
      const { stored } = session ?? {};
      const earlier = stored?.intents.map((intent) => ({ ...intent, t: intent.t - 65_000 })) ?? [];
      if (stored) await session?.save(stored.state, earlier);
      await session?.release();
    },
    /** Runs a command with slow answers and signals it at a random moment. */
    async signalled(
      command: "apply" | "destroy",
      how: { readonly signal: NodeJS.Signals; readonly times?: number; readonly delayMs: number },
    ) {
      await slowDown(how.delayMs);
      const child = await folder.start(command, ...approved);
      const objects = random(20);
      const ms = objects === 0 ? 50 + random(500) : random(how.delayMs * 2);
      const ended = await signalAfter(child, { ...how, objects, ms });
      await service.call("DELETE", "/_loadform/faults");
      return ended;
    },
    /** Applies until nothing is left to do: nothing is there twice, nothing unowned, nothing was repaired by hand. */
    async converge(version: (typeof versions)[number]) {
      const mended = await folder.run("apply", ...approved);
      expect(mended.code, mended.stderr).toBe(0);
      const again = await folder.run("apply", ...approved);
      expect(again.stdout).toContain(`No changes: ${version.objects} objects are as declared.`);
      expect(countOf(await live())).toBe(version.objects);
    },
    /** Deletes until nothing is left. */
    async vanish() {
      expect(await folder.run("destroy", ...approved)).toMatchObject({ code: 0 });
      expect(await live()).toEqual([]);
      expect((await folder.run("state", "list")).stdout.trim()).toBe("");
    },
  };
}

function countOf(cases: readonly LiveCase[]): number {
  const below = cases.flatMap(({ scenarios, dataStores, gateways, configurations }) => [
    ...scenarios,
    ...dataStores,
    ...gateways,
    ...configurations,
    ...configurations.flatMap(({ schedules }) => schedules),
  ]);
  return cases.length + below.length;
}

/** Ids of what both versions of the crash project have: an edit must not make them anew. */
function keptIds(cases: readonly LiveCase[]): readonly (readonly number[])[] {
  return cases.map(({ id, scenarios, configurations }) => {
    const scenario = scenarios.find(({ name }) => name === "a");
    return [id, scenario?.id ?? -1, ...configurations.map((each) => each.id)];
  });
}

type CrashedFolder = ReturnType<typeof crashedFolder>;

/** Makes, edits and deletes the project; each of the three is cut short by `killed`, and the next command ends it. */
export async function surviveKills(
  folder: CrashedFolder,
  killed: (command: "apply" | "destroy") => Promise<void>,
): Promise<void> {
  await killed("apply");
  await folder.converge(versions[0]);
  const before = keptIds(await folder.live());
  folder.declare(versions[1]);
  await killed("apply");
  await folder.converge(versions[1]);
  expect(keptIds(await folder.live())).toEqual(before);
  await killed("destroy");
  await folder.vanish();
}
