import type { ApplyOutcome } from "../../../src/project/apply-project.ts";
import { explainFailure } from "../../../src/project/explain-failure.ts";
import { createService } from "../../../src/service/index.ts";
import { loadFiles } from "../load-files.ts";
import { type Asked, rigStart } from "../rig.ts";
import { anyDocument, type Maker, makerOf } from "./declare.ts";
import { type Body, declaredIn, environmentOf } from "./document.ts";
import { drawFrom, pick } from "./draw.ts";
import { editDocument } from "./edits.ts";
import { endRun } from "./end-run.ts";
import type { Command, HostileRun } from "./hazards.ts";
import { type HostileService, hostileService } from "./hostile-service.ts";
import { twiceBound } from "./judge.ts";
import { Ledger } from "./ledger.ts";
import { type OutsideAct, Outsider } from "./outsider.ts";
import { killAt, type Process, restartKilled, startProcess } from "./process.ts";
import { rowsOf } from "./rows.ts";

/** How long what outsiders do takes: what comes sooner than a look lasts is the race that no client of this API can win. */
const outsideMs = 1_100;

/** Everything that a run goes through. */
export interface Running {
  readonly hostile: HostileService;
  readonly process: Process;
  readonly ledger: Ledger;
  readonly outsider: Outsider;
  readonly maker: Maker;
  readonly document: Body;
  readonly moved: { readonly from: string; readonly to: string }[];
  /** What was found wrong so far. */
  readonly problems: string[];
  /** Told of every command after it. */
  readonly watch?: (asked: Asked, outcome: ApplyOutcome | undefined) => Promise<void>;
}

/** Lives through a run; answers every difference between what is and what must be. */
export async function runHostile(
  run: HostileRun,
  watching?: (running: Running) => Running["watch"],
): Promise<readonly string[]> {
  const maker = makerOf(drawFrom(run.seed));
  const begun = beginRun(anyDocument(maker, run.size), maker);
  const watch = watching?.(begun);
  const running = { ...begun, ...(watch && { watch }) };
  for (const command of run.commands) {
    await live(running, command);
    if (running.problems.length > 0) return running.problems;
  }
  return endRun(running, run.ends);
}

/** A fresh service, a fresh state and a document of which nothing is applied yet. */
export function beginRun(document: Body, maker: Maker): Running {
  const inner = createService({ clock: { mode: "frozen", now: rigStart } });
  const problems: string[] = [];
  const ledger = new Ledger(rowsOf(inner));
  const outsider = new Outsider(inner, ledger);
  const outside = async ({ act, pick: at }: { readonly act: OutsideAct; readonly pick: number }) => {
    problems.push(...(await outsider.act(act, at)));
  };
  const hostile = hostileService(inner, outside, outsider.trips);
  const process = startProcess(hostile.service);
  const running = {
    hostile,
    process,
    ledger,
    outsider,
    maker,
    document,
    moved: [],
    problems,
  };
  outsider.clock = process.rig.system;
  outsider.tick = () => process.rig.system.sleep(outsideMs);
  outsider.isBound = async (handle) => {
    const resources = (await process.rig.stored())?.state.resources ?? {};
    return Object.values(resources).some(({ kind, id }) => `${kind}#${id}` === handle);
  };
  outsider.isInDoubt = async (kind, name) =>
    ((await process.rig.stored())?.intents ?? []).some(
      (intent) => !("op" in intent) && intent.kind === kind && intent.name === name && intent.createdAt === undefined,
    );
  outsider.releaseGone = (rows) => {
    for (const [address, id] of ledger.kept) {
      const kind = /([a-zA-Z]+)\.[^/]*$/.exec(address)?.[1];
      if (!rows.has(`${kind}#${id}`)) ledger.release(address);
    }
  };
  return running;
}

async function live(running: Running, command: Command): Promise<void> {
  const { document, ledger, outsider, hostile, process, problems } = running;
  for (const { act, pick: at } of command.before) problems.push(...(await outsider.act(act, at)));
  for (const edit of command.edits) {
    const { moved, rekeyed, anew } = editDocument(document, edit, running.maker);
    for (const address of anew) releaseReplaced(document, ledger, address);
    if (rekeyed) ledger.rekey(rekeyed.from, rekeyed.to);
    if (moved) move(running, moved);
  }
  if (command.open && command.what !== "drift") ledger.isOpen = true;
  hostile.arm(command.hazards);
  killAt(process, command.kill);
  const outcome = await carryOut(running, askedBy(running, command), command.what);
  const isKilled = restartKilled(process, command.losesRenames);
  await hostile.disarm();
  await afterCommand(running, isKilled ? undefined : outcome);
}

function move({ ledger, moved }: Running, entry: { readonly from: string; readonly to: string }): void {
  ledger.move(entry.from, entry.to);
  moved.push(entry);
}

function askedBy({ document, ledger }: Running, { what, at, open }: Command): Asked {
  const target = pick(declaredIn(document), at)?.address;
  const chosen = target === undefined ? [] : [target];
  if (what === "replace" && target !== undefined) releaseReplaced(document, ledger, target);
  if (what === "destroy") ledger.releaseAll();
  return {
    targets: what === "targeted apply" ? chosen : [],
    replace: what === "replace" ? chosen : [],
    destroy: what === "destroy",
    allowDestroy: open ? ["**"] : [],
    forceThreshold: true,
  };
}

/** What is replaced takes along what is below it, and a grid its regions, whatever its key is by now. */
function releaseReplaced(document: Body, ledger: Ledger, target: string): void {
  ledger.release(target);
  for (const { kind, address, body } of declaredIn(document))
    if (kind === "region" && target.startsWith("provider.") && body["provider"] !== undefined) ledger.release(address);
}

/** Carries out a command of ours on the document as it is now. */
export async function carryOut(
  running: Running,
  asked: Asked,
  what: Command["what"],
): Promise<ApplyOutcome | undefined> {
  const { document, moved, hostile, ledger, outsider, process, problems } = running;
  const { tree, asked: said } = await loaded(document, moved);
  ledger.declare(document);
  outsider.document = document;
  const { rig } = process;
  const before = hostile.writes();
  const work =
    what === "drift"
      ? rig.plan(tree, { ...asked, ...said }).then(() => undefined)
      : rig.apply(tree, { ...asked, ...said });
  const outcome = await work.catch((problem: unknown): ApplyOutcome | undefined => {
    if (process.power.isGone) return undefined;
    const diagnostics = explainFailure(problem);
    if (diagnostics === undefined) throw problem;
    return { status: "failed", diagnostics };
  });
  await running.watch?.(asked, outcome);
  if (what === "drift" && hostile.writes() > before) problems.push("a command that only looks wrote something");
  return outcome;
}

/** The document as the engine reads it. */
export async function loaded(document: Body, moved: Running["moved"]) {
  const text = documentText(document, moved, { service: { url: "memory:" } });
  const project = await loadFiles("", { env: environmentOf(text), files: { "loadform.yaml": text } });
  const errors = project.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(`the document is refused: ${JSON.stringify(errors)} ${text}`);
  return { tree: project.tree, asked: { moved: project.moved, removed: project.removed } };
}

/** The text of a document, with what was said of other keys as far as it still leads somewhere. */
export function documentText(document: Body, moved: Running["moved"], settings: Body): string {
  const declared = new Set(declaredIn(document).map(({ address }) => address));
  const isLed = (to: string): boolean => declared.has(to) || moved.some((each) => each.from === to && isLed(each.to));
  const moves = moved.filter(({ from, to }) => !declared.has(from) && isLed(to));
  return JSON.stringify({ project: "hostile", ...settings, ...document, ...(moves.length > 0 && { moved: moves }) });
}

/** What holds after every command, whatever happened to it. */
async function afterCommand(
  { process, ledger, hostile, problems }: Running,
  outcome: ApplyOutcome | undefined,
): Promise<void> {
  const defects = outcome?.diagnostics.filter(({ code }) => code === "LF9001" || code === "LF9002") ?? [];
  problems.push(...defects.map(({ code, summary, detail, address }) => `${code} ${address}: ${summary}: ${detail}`));
  if (outcome?.status === "locked") problems.push("the lock of a dead process was not broken");
  const stored = await process.rig.stored().catch((problem: unknown) => {
    problems.push(`the state cannot be read: ${String(problem)}`);
    return undefined;
  });
  const bindings = stored?.state.resources ?? {};
  // A create that is not confirmed may have been answered with a wrong id.
  const open = new Set(stored?.intents.map(({ address }) => address));
  const confirmed = Object.fromEntries(Object.entries(bindings).filter(([address]) => !open.has(address)));
  problems.push(...twiceBound(bindings, ledger), ...ledger.broken(hostile.service));
  ledger.keep(confirmed, rowsOf(hostile.service));
}
