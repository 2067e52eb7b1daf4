import { importBench } from "./import-bench.ts";
import { toTree, type Wish } from "./random-project.ts";
import { makeRig, type Rig } from "./rig.ts";

/** Every route that the engine calls while it makes, changes, compares, imports and deletes an object of each kind. */
export async function routesOfEngine(): Promise<ReadonlySet<string>> {
  const called = new Set<string>();
  await live(makeRig(), called);
  await live(makeRig({ settings: { nested: "summary" } }), called);
  await live(await withLostAnswers(), called);
  return called;
}

/** A service that loses its answer to one update of each kind: the engine looks for what became of it. */
async function withLostAnswers(): Promise<Rig> {
  const rig = makeRig();
  const paths = [
    "/test-cases/:testCaseId",
    "/scripts/:id",
    "/data-stores/:id/contents",
    "/test-confs/:confId",
    "/providers/:id",
    "/vcs-roots/:vcsRootId",
  ];
  await rig.setFaults(paths.map((path) => ({ method: "PUT", path, times: 1, drop: "after" as const })));
  return rig;
}

async function live(rig: Rig, called: Set<string>): Promise<void> {
  const from = rig.service.requests.length;
  await succeed(rig, "one");
  await succeed(rig, "two");
  const bench = importBench(rig);
  try {
    const { status } = await bench.import();
    if (status !== "imported") throw new Error(`the import is ${status}`);
  } finally {
    bench.remove();
  }
  const { status } = await rig.apply(toTree([]), { destroy: true });
  if (status !== "applied") throw new Error(`the destroy is ${status}`);
  for (const { route, path } of rig.service.requests.slice(from))
    if (route !== undefined && !path.startsWith("/_loadform")) called.add(route);
}

async function succeed(rig: Rig, text: string): Promise<void> {
  const { status, diagnostics } = await rig.apply(toTree(wishes(text)));
  if (status !== "applied") throw new Error(`the apply is ${status}: ${JSON.stringify(diagnostics)}`);
}

/** An object of each kind; another text changes each that can change. */
function wishes(text: string): readonly Wish[] {
  const runners = [{ provider: { ref: "provider.p" }, regions: ["r"], numRegions: 1 }];
  const schedule = { scheduleType: "Recurring", recurringInterval: "Day", hour: 2, active: text === "one" };
  const load = {
    scenario: { ref: "testCase.t/scenario.s" },
    concurrentClients: 1,
    durationSecs: 60,
    providers: runners,
  };
  const file = { name: `${text}.csv`, contents: `a\n${text}\n` };
  return [
    wish("tag", "nightly", { name: "nightly" }),
    wish("vcsRoot", "v", { name: text, url: "https://git.test/a.git", vcsAuthType: "None" }),
    wish("provider", "p", { name: text, providerType: "Shared" }),
    wish("region", "r", { name: "r", provider: { ref: "provider.p" }, description: text }),
    wish("testCase", "t", { name: text, description: text }, [
      wish("scenario", "s", { name: text, script: `${text}();`, tags: ["nightly"] }, [wish("dataStore", "d", file)]),
      wish("gateway", "g", { name: text, url: "https://shop.test" }),
      wish("configuration", "c", { name: text, ...load }, [wish("schedule", "n", schedule)]),
    ]),
  ];
}

function wish(kind: string, key: string, fields: Wish["fields"], below: readonly Wish[] = []): Wish {
  return { kind, key, fields, below };
}
