import type { Project } from "../config/load-project.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { SecretFingerprint } from "../model/fingerprint.ts";
import { type Json, sameJson } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { Plan } from "../plan/plan.ts";
import { declaredInput, type PlanInput, plainOptions } from "../plan/plan-input.ts";
import { memoryWorkspace, overlayWorkspace } from "../workspace/memory-workspace.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AcceptWrites } from "./accept-writes.ts";

/** The proof of an acceptance: a plan of the edited files. */
export interface AcceptProof {
  readonly plan?: Plan;
  readonly problems: readonly Diagnostic[];
  /** Accepted fields, as `address field`, that would still differ, or not be read at all; addresses of objects that are still declared. */
  readonly still: readonly string[];
  /** Changes that the edits cause. */
  readonly broken: readonly string[];
}

export interface ProofWork {
  readonly kinds: readonly AnyKind[];
  readonly workspace: Workspace;
  /** The plan that shows the drift, and its inputs. */
  readonly made: Pick<PlanInput, "state" | "live" | "readKinds"> & { readonly plan: Plan; readonly readAt: number };
  /** Loads the project from other files. */
  readonly load: (workspace: Workspace) => Promise<Project>;
  readonly fingerprint: SecretFingerprint;
}

/** Plans from the changed files against the same live tree and state. */
export async function proveAccept(writes: AcceptWrites, work: ProofWork): Promise<AcceptProof> {
  const { workspace, made } = work;
  const changed = memoryWorkspace(Object.fromEntries(writes.files), workspace.root);
  const project = await work.load(overlayWorkspace(workspace, changed, new Set(writes.deleted)));
  const problems = project.diagnostics.filter(({ severity }) => severity === "error");
  const spoiled = spoiledWrites(problems, writes);
  if (problems.length > 0) return { problems: spoiled.length > 0 ? [] : problems, still: spoiled, broken: [] };
  const { state, live, readKinds, readAt } = made;
  const plan = makePlan({
    ...declaredInput(work.kinds, project),
    target: made.plan.target,
    live,
    readKinds,
    state,
    options: { ...plainOptions, showUnmanaged: made.plan.unmanaged.length > 0 },
    fingerprint: work.fingerprint,
    now: readAt,
    history: new Map(),
  });
  return { plan, problems: [], ...compareDifferences(made.plan, plan, writes) };
}

/** Fields written into files, and objects removed from files, that are no longer YAML: they did not arrive in one piece. */
function spoiledWrites(problems: readonly Diagnostic[], { fields, removed }: AcceptWrites): readonly string[] {
  const files = new Set(problems.filter(({ code }) => code === "LF1003").map(({ file }) => file));
  const written = fields.map(({ file, address, field }) => ({ file, what: `${address} ${field}` }));
  const all = [...written, ...removed.map(({ file, address }) => ({ file, what: address }))];
  return all.filter(({ file }) => files.has(file)).map(({ what }) => what);
}

function compareDifferences(before: Plan, after: Plan, writes: AcceptWrites): Pick<AcceptProof, "still" | "broken"> {
  const accepted = new Set(writes.fields.map(({ address, field }) => `${address} ${field}`));
  const gone = new Set(writes.removed.map(({ address }) => address));
  const known = new Map(differences(before));
  const found = differences(after);
  // What differed before still may, with the same declaration.
  const isKnown = ([each, declared]: Difference) => known.has(each) && sameJson(known.get(each), declared);
  const isMeant = (each: string) => accepted.has(each) || gone.has(each.split(" ")[0] ?? "");
  return {
    still: found.map(([each]) => each).filter((each) => accepted.has(each) || gone.has(each)),
    broken: found.filter((each) => !isKnown(each) && !isMeant(each[0])).map(([each]) => each),
  };
}

type Difference = readonly [what: string, declared: Json | undefined];

/** Every difference of a plan: fields as `address field`, objects by their address; a forgotten one is none. */
function differences({ changes }: Plan): readonly Difference[] {
  return changes.flatMap(({ action, address, fields, after }): readonly Difference[] => {
    if (action === "forget") return [];
    if (action === "update" || action === "replace")
      return fields.map((each) => [`${address} ${each.field}`, each.after]);
    const declared = Object.entries(after ?? {}).map(([field, value]): Difference => [`${address} ${field}`, value]);
    return [[address, undefined], ...declared];
  });
}
