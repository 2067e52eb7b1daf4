import type { ApplyOutcome } from "../../../src/project/apply-project.ts";
import { collisionsOf } from "./collisions.ts";
import { type Expected, expectedOf } from "./expected.ts";
import { differences } from "./judge.ts";
import type { Bindings } from "./ledger.ts";
import { rowsOf } from "./rows.ts";
import { carryOut, loaded, type Running } from "./run.ts";

/** Long enough for everything that was sent to have taken effect. */
const lateMs = 600_000;

/** One clean apply, or destroy; then everything is as the document says, and a plan is empty. */
export async function endRun(running: Running, ends: "apply" | "destroy"): Promise<readonly string[]> {
  const { process, ledger, hostile, document, problems } = running;
  await process.rig.system.sleep(lateMs);
  await stopRuns(running);
  ledger.isOpen = true;
  const asked = { allowDestroy: ["**"], forceThreshold: true, destroy: ends === "destroy" };
  if (ends === "destroy") ledger.releaseAll();
  else await meetCollisions(running, asked);
  if (problems.length > 0) return problems;
  const outcome = await carryOut(running, asked, ends);
  if (outcome?.status !== "applied" && outcome?.status !== "nothing") return [`the clean ${ends}: ${told(outcome)}`];
  const expected = ends === "destroy" ? new Map<string, Expected>() : expectedOf(document);
  const found = differences({ expected, bindings: await bindingsOf(running), ledger, service: hostile.service });
  return [...problems, ...found, ...(await leftToDo(running, ends))];
}

const told = (outcome: ApplyOutcome | undefined) =>
  [
    outcome?.status,
    ...(outcome?.diagnostics ?? []).map(({ code, summary, detail }) => `${code} ${summary}: ${detail}`),
  ].join("\n");

async function leftToDo({ document, moved, process }: Running, ends: "apply" | "destroy"): Promise<readonly string[]> {
  const { tree, asked } = await loaded(document, moved);
  const { plan } = await process.rig.plan(tree, { ...asked, destroy: ends === "destroy" });
  const left = plan?.changes.map(({ address, action }) => `the plan is not empty: ${action} ${address}`);
  return left ?? ["there is no plan"];
}

async function bindingsOf({ process }: Running): Promise<Bindings> {
  return (await process.rig.stored())?.state.resources ?? {};
}

/** Names that somebody else took: the apply refuses precisely those, and they give way. */
async function meetCollisions(running: Running, asked: Parameters<typeof carryOut>[1]): Promise<void> {
  const { ledger, hostile, outsider, problems, document, moved } = running;
  await recoverParents(running, asked);
  const rows = rowsOf(hostile.service);
  const { sure, possible } = collisionsOf({ document, bindings: await bindingsOf(running), moved, ledger, rows });
  if (sure.size + possible.size === 0) return;
  const outcome = await carryOut(running, asked, "apply");
  const named = new Set(
    (outcome?.diagnostics ?? [])
      .filter(({ code }) => code === "LF3001" || code === "LF3002" || code === "LF6004")
      .map(({ address }) => address),
  );
  const missing = [...sure.keys()].filter((address) => !named.has(address));
  if (missing.length > 0)
    problems.push(`somebody has the name of ${missing.join(", ")}, and the apply says: ${told(outcome)}`);
  problems.push(...ledger.broken(hostile.service));
  const refused = [...possible].flatMap(([address, handles]) => (named.has(address) ? handles : []));
  for (const handle of [...[...sure.values()].flat(), ...refused]) {
    const [kind = "", id = ""] = handle.split("#");
    await outsider.call("DELETE", `/${deletePaths[kind]}/${id}`);
  }
  ledger.forget(rowsOf(hostile.service));
}

/** Whose parents are not bound yet, or under another key: what an interrupted run made is recovered, and keys are changed, before anybody can tell whose names are taken. */
async function recoverParents(running: Running, asked: Parameters<typeof carryOut>[1]): Promise<void> {
  const { process, ledger, moved } = running;
  const intents = (await process.rig.stored())?.intents ?? [];
  if (intents.length + moved.length > 0 && ledger.foreign.size > 0) await carryOut(running, asked, "apply");
}

const deletePaths: Readonly<Record<string, string>> = {
  testCase: "test-cases",
  scenario: "scripts",
  dataStore: "data-stores",
  gateway: "gateways",
  vcsRoot: "vcs-roots",
  provider: "providers",
};

/** Runs that somebody started come to their end. */
async function stopRuns({ hostile, outsider }: Running): Promise<void> {
  for (const [handle, { kind, row }] of rowsOf(hostile.service))
    if (kind === "execution" && row["completed"] !== true)
      await outsider.call("PUT", `/executions/${handle.split("#")[1]}/stop`);
}
