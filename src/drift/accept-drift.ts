import type { Project } from "../config/load-project.ts";
import { addressMatcher, anyMatcher } from "../model/address.ts";
import { type Diagnostic, problem } from "../model/diagnostic.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { writeTogether } from "../workspace/write-together.ts";
import { withoutLeftovers } from "./accept-leftovers.ts";
import {
  changesByHand,
  notAccepted,
  notDeclared,
  nothingDrifted,
  programByHand,
  refusedByHand,
  type Spelling,
  unproven,
} from "./accept-problems.ts";
import { type AcceptSources, openSources } from "./accept-sources.ts";
import { type AcceptRequest, type AcceptWrites, writeAccepted } from "./accept-writes.ts";
import { type ByHand, type Drift, type DriftedObject, findDrift } from "./find-drift.ts";
import { type AcceptProof, type ProofWork, proveAccept } from "./prove-accept.ts";

/** Changes that were written into the project's files. */
export type Accepted = Omit<AcceptWrites, "files" | "refused"> & {
  readonly files: readonly string[];
  /** Environments besides this one that are made from the same files. */
  readonly otherEnvironments: readonly string[];
};

export interface AcceptWork extends Omit<ProofWork, "workspace">, Spelling {
  readonly drift: Drift;
  readonly patterns: readonly string[];
  readonly made: ProofWork["made"] & { readonly project: Project & { readonly root: string } };
  /** Called before the first file is written: the rest is short, and no signal may cut it. */
  readonly takeOver?: (() => void) | undefined;
  /** Words of a command on this project, for messages. */
  readonly commandWords: string;
}

/**
 * Writes live values of drifted fields into the project's YAML: all of them and proved by a plan, or nothing. Answers the
 * changes and the drift that remains, or the reasons why nothing was written.
 */
export async function acceptDrift(
  work: AcceptWork,
): Promise<{ readonly accepted: Accepted; readonly drift: Drift } | { readonly problems: readonly Diagnostic[] }> {
  const { drift, patterns, kinds, made } = work;
  const problems = wrongPatterns(drift, patterns);
  if (problems.length > 0) return { problems };
  const chosen = drift.drifted.filter((object) => !isAdded(object) && anyMatcher(patterns)(object.address));
  const { language, locate, root } = made.project;
  if (language !== "yaml") return { problems: changesByHand(chosen, locate, work) };
  const workspace = diskWorkspace(root);
  const sources = await openSources(workspace, kinds, made.project);
  const proved = await writeAndProve(work, sources, chosen);
  if ("problems" in proved) return proved;
  work.takeOver?.();
  await writeAll(workspace, sources, proved.writes);
  const { refused: _refused, ...written } = proved.writes;
  const { otherEnvironments } = sources;
  return {
    accepted: { ...written, files: [...written.files.keys()].sort(), otherEnvironments },
    drift: findDrift(proved.plan),
  };
}

/** Drift that cannot be accepted, and what to do instead: found by trying, with nothing written. */
export async function driftByHand(
  drift: Drift,
  { kinds, made, inlineValue }: Pick<AcceptWork, "kinds" | "made" | "inlineValue">,
): Promise<readonly ByHand[]> {
  const { project, live } = made;
  const { language, root, tree } = project;
  const chosen = drift.drifted.filter((object) => !isAdded(object));
  if (chosen.length === 0) return [];
  if (language !== "yaml") return chosen.flatMap((object) => programByHand(object, project, { kinds, inlineValue }));
  const sources = await openSources(diskWorkspace(root), kinds, project);
  const { refused } = writeAccepted({ sources, chosen, live, declared: tree, ...nothingLearned });
  return refused.map((each) => refusedByHand(each, project));
}

/** A pattern has to match drift that can be written down; objects that were added outside beside it are ignored. */
function wrongPatterns(drift: Drift, patterns: readonly string[]): readonly Diagnostic[] {
  return patterns.flatMap((pattern) => {
    const isMeant = addressMatcher(pattern);
    const meant = drift.drifted.filter(({ address }) => isMeant(address));
    if (meant.length === 0) return [nothingDrifted(pattern, drift)];
    return meant.every(isAdded) ? meant.map(notDeclared) : [];
  });
}

function isAdded({ action }: DriftedObject): boolean {
  return action === "create";
}

type Proved =
  | { readonly writes: AcceptWrites; readonly plan: NonNullable<AcceptProof["plan"]> }
  | { readonly problems: readonly Diagnostic[] };

type Learned = Pick<AcceptRequest, "whole" | "wide" | "shared">;

const nothingLearned: Learned = { whole: new Set(), wide: new Set(), shared: new Set() };

/**
 * Further attempts write values as a whole that were not read back when little was changed, accept everything that the
 * service has set where rules refuse a part, and write out values that others share with an accepted one.
 */
async function writeAndProve(
  work: AcceptWork,
  sources: AcceptSources,
  chosen: readonly DriftedObject[],
): Promise<Proved> {
  const { project, live, state } = work.made;
  const last = { declared: project.tree, state, fingerprint: work.fingerprint };
  let learned = nothingLearned;
  for (;;) {
    const request = { sources, chosen, live, declared: project.tree };
    const writes = await withoutLeftovers(writeAccepted({ ...request, ...learned }), sources, last);
    const place = { ...project, place: work.commandWords };
    if (writes.refused.length > 0) return { problems: writes.refused.map((each) => notAccepted(each, place)) };
    const proof = await proveAccept(writes, { ...work, workspace: sources.workspace });
    const { plan, problems, still, broken } = proof;
    if (plan !== undefined && still.length + broken.length === 0) return { writes, plan };
    const more = learnedFrom(proof, learned, chosen);
    if (more === undefined) return { problems: [...problems, ...unproven(still, broken)] };
    learned = more;
  }
}

/** The findings for the next attempt; undefined when nothing is left to try. */
function learnedFrom(
  { problems, still, broken }: AcceptProof,
  { whole, wide, shared }: Learned,
  chosen: readonly DriftedObject[],
): Learned | undefined {
  const refused = chosen
    .filter(({ address, action }) => action === "update" && problems.some((each) => each.address === address))
    .map(({ address }) => address);
  const fields = broken.filter((each) => each.includes(" "));
  const next = {
    whole: new Set([...whole, ...still]),
    wide: new Set([...wide, ...refused]),
    shared: new Set([...shared, ...fields]),
  };
  const isNew = next.whole.size > whole.size || next.wide.size > wide.size || next.shared.size > shared.size;
  return isNew ? next : undefined;
}

/** All files or none, a crash included: the next command ends it. */
async function writeAll(workspace: Workspace, sources: AcceptSources, { files, deleted }: AcceptWrites): Promise<void> {
  const all = new Map<string, string | Uint8Array | null>([...files, ...deleted.map((path) => [path, null] as const)]);
  for (const [path, text] of sources.texts)
    if (all.has(path) && (await workspace.readText(path)) !== text)
      throw problem(
        "LF3017",
        `${path} changed meanwhile`,
        `Somebody changed ${path} since it was read. Nothing was written; run the command again`,
      );
  await writeTogether(workspace, all);
}
