import type { ApplyOutcome } from "../../../src/project/apply-project.ts";
import type { Wish } from "../random-project.ts";
import { act, type Living, treeOf } from "./living.ts";
import { tablesOf } from "./outside-edits.ts";
import { edited, type Project } from "./wish-edits.ts";

const tries = 10;

/** Fault-free applies, each after what the messages of the last one say, until nothing is left to do; then the plan is empty. */
export async function endLife(living: Living): Promise<void> {
  await living.rig.setFaults([]);
  await living.rig.system.sleep(600_000);
  living.project = { ...living.project, wishes: distinct(living.project.wishes) };
  await unprotect(living);
  let outcome = await applyAll(living);
  for (let count = 1; count < tries && outcome?.status !== "nothing"; count++) {
    await heed(living, outcome);
    outcome = await applyAll(living);
  }
  const words = outcome?.diagnostics.map(({ code, summary, detail }) => `${code} ${summary}: ${detail}`) ?? [];
  if (outcome?.status !== "nothing") throw new Error(`does not settle, ${outcome?.status}: ${words.join("\n")}`);
  const { plan } = await living.rig.plan(treeOf(living.project), { ...living.project, adopt: "name" });
  if (plan?.changes.length !== 0) throw new Error(`the plan is not empty: ${JSON.stringify(plan?.changes)}`);
}

async function applyAll(living: Living): Promise<ApplyOutcome | undefined> {
  const { project } = living;
  const asked = {
    adopt: "name" as const,
    allowDestroy: ["**"],
    forceThreshold: true,
    destroy: project.wishes.length === 0,
    moved: project.moved,
    removed: project.removed,
  };
  return act(living, { asked, project, run: (rig) => rig.apply(treeOf(project), asked) });
}

/** Names that are taken, objects that may be ours, and what is used by somebody else. */
const inTheWay: ReadonlySet<string> = new Set(["LF3001", "LF3002", "LF6001", "LF6004"]);

/** Does what the messages say. */
async function heed(living: Living, outcome: ApplyOutcome | undefined): Promise<void> {
  for (const { code, detail, address } of outcome?.diagnostics ?? []) {
    if (code === "LF4003") await stopRuns(living);
    if (inTheWay.has(code)) await removeForeign(living);
    if (code === "LF3001" && detail.endsWith("Choose another name")) takeAnotherName(living, address);
    if (code === "LF3011") living.project = { ...living.project, moved: movedAs(living.project, detail) };
  }
}

/** As if `protect: false` had been applied everywhere. */
async function unprotect(living: Living): Promise<void> {
  const { project, rig } = living;
  const free = (wish: Wish): Wish => {
    const { lifecycle: _protected, ...rest } = wish;
    return { ...rest, below: wish.below.map(free) };
  };
  living.project = { ...project, wishes: project.wishes.map(free) };
  const session = await rig.store.lock({ operation: "test", timeoutMs: 0 });
  if (session.stored) {
    const { state, intents } = session.stored;
    const entries = Object.entries(state.resources).map(([address, { protect: _kept, ...resource }]) => [
      address,
      resource,
    ]);
    await session.save({ ...state, resources: Object.fromEntries(entries) }, intents);
  }
  await session.release();
}

async function stopRuns({ rig }: Living): Promise<void> {
  for (const { id, running } of (tablesOf(rig)["execution"] ?? []) as readonly { id: number; running?: boolean }[])
    if (running) await call(rig, "PUT", `/executions/${id}/stop`);
  for (const { id, running } of (tablesOf(rig)["recording"] ?? []) as readonly { id: number; running?: boolean }[])
    if (running) await call(rig, "PATCH", `/recordings/${id}/stop`);
  // A stopped run ends a moment later.
  await rig.system.sleep(60_000);
}

const routes: Readonly<Record<string, string>> = {
  testCase: "/test-cases",
  scenario: "/scripts",
  dataStore: "/data-stores",
  configuration: "/test-confs",
  gateway: "/gateways",
  vcsRoot: "/vcs-roots",
  provider: "/providers",
};

/** What stands in the way of names is deleted by whoever made it. */
async function removeForeign({ rig, foreign }: Living): Promise<void> {
  const order = ["configuration", "gateway", "dataStore", "scenario", "testCase", "vcsRoot", "provider"];
  for (const kind of order)
    for (const handle of foreign) {
      const [of, id] = handle.split("#");
      if (of === kind && handle !== "provider#0") await call(rig, "DELETE", `${routes[kind]}/${id}`);
    }
}

async function call(rig: Living["rig"], method: string, path: string): Promise<void> {
  await rig.service.handle({ method, path, headers: { "x-api-key": rig.service.apiKey } });
}

/** With the lines to paste, or without the entries that cannot be made. */
function movedAs({ moved }: Project, detail: string): Project["moved"] {
  const lines = linesIn(detail);
  return lines.length === 0 ? [] : [...moved, ...lines];
}

/** The lines to paste, one for each new address: somebody has to choose. */
function linesIn(detail: string): Project["moved"] {
  const lines = [...detail.matchAll(/\{ from: (\S+), to: (\S+) \}/g)];
  return [...new Map(lines.map(([, from = "", to = ""]) => [to, { from, to }])).values()];
}

function takeAnotherName(living: Living, address = ""): void {
  const { project } = living;
  const renamed = (wish: Wish): Wish => ({
    ...wish,
    fields: { ...wish.fields, name: `${String(wish.fields["name"])} again` },
  });
  living.project = { ...project, wishes: edited(project.wishes, address, renamed) };
}

/** Names that have to be different, made so. */
function distinct(wishes: readonly Wish[]): readonly Wish[] {
  const taken = new Set<string>();
  return wishes.map((wish) => {
    const below = distinct(wish.below);
    if (wish.kind !== "testCase" && wish.kind !== "dataStore") return { ...wish, below };
    const place = `${wish.kind} ${String(wish.fields["name"])}`;
    const fields = taken.has(place)
      ? { ...wish.fields, name: `${String(wish.fields["name"])} ${wish.key}` }
      : wish.fields;
    taken.add(place);
    return { ...wish, fields, below };
  });
}
