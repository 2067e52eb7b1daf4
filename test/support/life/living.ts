import type { ApplyOutcome } from "../../../src/project/apply-project.ts";
import { explainFailure } from "../../../src/project/explain-failure.ts";
import { Crash, type CrashDisk, crashDisk, Gone } from "../crash-files.ts";
import { toTree } from "../random-project.ts";
import { type Asked, makeRig, type Rig, type RigOptions } from "../rig.ts";
import { brokenBy, momentOf } from "./life-checks.ts";
import type { Row } from "./outside-edits.ts";
import { type Project, sound } from "./wish-edits.ts";

/** One process: it runs until the power goes at a step of the disk or the network. */
interface Power {
  steps: number;
  /** The step at which it goes. */
  point: number;
  isGone: boolean;
}

/** A project with its state, its service, and everything that has to be remembered to judge what happens to them. */
export interface Living {
  rig: Rig;
  disk: CrashDisk;
  power: Power;
  project: Project;
  /** Objects that are not ours, by `kind#id`. */
  foreign: Set<string>;
  saved: { readonly text: string; readonly asked: Asked; readonly project: Project } | undefined;
}

/** A life that has just begun; the service is in the process, or outlives it, and answers as its settings say. */
export async function beginLife(
  wishes: Project["wishes"],
  service: Pick<RigOptions, "outlives" | "settings">,
): Promise<Living> {
  const { power, parts } = freshPower();
  const disk = crashDisk(parts.step);
  const rig = makeRig({ ...parts, files: disk.files, ...service });
  return {
    rig,
    disk,
    power,
    project: sound({ wishes, moved: [], removed: [] }),
    foreign: new Set((await momentOf(rig)).rows.keys()),
    saved: undefined,
  };
}

function freshPower() {
  const power: Power = { steps: 0, point: Number.POSITIVE_INFINITY, isGone: false };
  const step = () => {
    if (power.isGone) throw new Gone("the process is gone");
    if (power.steps++ !== power.point) return;
    power.isGone = true;
    throw new Crash("power lost");
  };
  return { power, parts: { step, isDead: () => power.isGone } };
}

/** The power is back: another process on what the disk kept. */
function revive(living: Living, losesRenames: boolean): void {
  const { power, parts } = freshPower();
  living.disk = crashDisk(parts.step, living.disk.restart(losesRenames).contents);
  living.rig = living.rig.restart(living.disk.files, parts);
  living.power = power;
}

/** One of our commands. */
export interface Deed {
  readonly asked: Asked;
  readonly project: Project;
  readonly run: (rig: Rig) => Promise<ApplyOutcome | undefined>;
  readonly isPlan?: true;
  /** The step of disk or network at which the power goes, and what goes with it. */
  readonly crash?: { readonly at: number; readonly losesRenames: boolean };
}

/** Runs one of our commands and throws with everything that it broke. */
export async function act(
  living: Living,
  { asked, project, run, isPlan, crash }: Deed,
): Promise<ApplyOutcome | undefined> {
  const { rig, power } = living;
  const before = await momentOf(rig);
  rig.takeWrites();
  power.steps = 0;
  power.point = crash?.at ?? Number.POSITIVE_INFINITY;
  const outcome = await run(rig).catch((problem: unknown): ApplyOutcome | undefined => {
    if (power.isGone) return undefined;
    const diagnostics = explainFailure(problem);
    if (diagnostics === undefined) throw problem;
    return { status: "failed", diagnostics };
  });
  power.point = Number.POSITIVE_INFINITY;
  const crashed = power.isGone;
  const writes = rig.takeWrites();
  if (crashed) revive(living, crash?.losesRenames === true);
  const after = await momentOf(living.rig);
  const { foreign } = living;
  const step = { before, after, project, asked, foreign, writes, isPlan: isPlan === true, crashed };
  const problems = brokenBy({ ...step, ...(outcome && !crashed && { outcome }) });
  if (problems.length > 0) throw new Error(`${outcome?.status ?? "crashed"}: ${problems.join("\n")}`);
  living.foreign = stillForeign(living.foreign, before, after);
  return crashed ? undefined : outcome;
}

type Moment = Awaited<ReturnType<typeof momentOf>>;

const handlesIn = ({ stored }: Moment) =>
  Object.values(stored?.state.resources ?? {}).map(({ kind, id }) => `${kind}#${id}`);

/** A region that was deactivated counts as absent. */
const isOff = (rows: Moment["rows"], handle: string) =>
  handle.startsWith("region#") && rows.get(handle)?.row["active"] === false;

/**
 * What we bound is ours; what we let go is not any more, nor what was in doubt and forgotten at once, but for a region,
 * which can only be deactivated. Nothing else is left unbound: that would be a stray object.
 */
function stillForeign(foreign: ReadonlySet<string>, before: Moment, after: Moment): Set<string> {
  const ours = new Set(handlesIn(after));
  const isInDoubt = (kind: string) => after.stored?.intents.some((intent) => intent.kind === kind) === true;
  const settled = [...after.rows].filter(([, { kind }]) => !isInDoubt(kind)).map(([handle]) => handle);
  const released = [...handlesIn(before), ...settled].filter((handle) => !isOff(after.rows, handle));
  return new Set([...foreign, ...released].filter((handle) => !ours.has(handle) && after.rows.has(handle)));
}

/** Somebody else does something; what appears by it is theirs, and what is in doubt can no longer be told once it was renamed. */
export async function actAside(living: Living, run: (rig: Rig) => Promise<void>): Promise<void> {
  const before = (await momentOf(living.rig)).rows;
  await run(living.rig);
  const { rows, stored } = await momentOf(living.rig);
  const ours = new Set(handlesIn({ rows, stored }));
  // What is in doubt is told by its name, or by all its fields where it has none.
  const markOf = (of: Moment["rows"], handle: string) => {
    const row: Row | undefined = of.get(handle)?.row;
    return JSON.stringify(row === undefined ? null : (row["name"] ?? row));
  };
  const isChanged = (handle: string) => markOf(before, handle) !== markOf(rows, handle);
  const others = [...rows.keys()].filter((handle) => !ours.has(handle) && !isOff(rows, handle));
  const theirs = new Set(others.filter(isChanged));
  const isBelow = (handle: string) => {
    const row: Row | undefined = rows.get(handle)?.row;
    return ["testCase", "scenario", "configuration"].some((kind) => theirs.has(`${kind}#${row?.[`${kind}Id`]}`));
  };
  // Parents come before what is below them.
  for (const handle of others) if (isBelow(handle)) theirs.add(handle);
  for (const handle of theirs) living.foreign.add(handle);
}

/** The tree that a project declares. */
export const treeOf = ({ wishes }: Project) => toTree(wishes);
