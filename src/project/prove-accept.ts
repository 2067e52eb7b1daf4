import type { Project } from "../config/load-project.ts";
import { loadProject } from "../config/load-project.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { Plan } from "../plan/plan.ts";
import { plainOptions } from "../plan/plan-input.ts";
import { secretFingerprint, sha256 } from "../state/secret-fingerprint.ts";
import { memoryWorkspace } from "../workspace/memory-workspace.ts";
import { overlayWorkspace } from "../workspace/overlay-workspace.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AcceptWrites } from "./accept-writes.ts";
import { declaredInput } from "./declared-input.ts";
import type { Planned } from "./plan-project.ts";
import type { ProjectFlags, World } from "./world.ts";

/** What a plan says of the changed files. */
export interface AcceptProof {
  readonly plan?: Plan;
  /** Problems with the changed files. */
  readonly problems: readonly Diagnostic[];
  /** Accepted fields, as `address field`, that would still differ, or not be read at all. */
  readonly still: readonly string[];
  /** What would change that did not before. */
  readonly broken: readonly string[];
}

/** What the proof is made with. */
export interface ProofWork {
  readonly workspace: Workspace;
  readonly made: Planned;
  readonly flags: ProjectFlags;
  readonly world: World;
}

/** Plans from the changed files against the same live tree and state. */
export async function proveAccept(writes: AcceptWrites, work: ProofWork): Promise<AcceptProof> {
  const { workspace, made, flags, world } = work;
  const changed = memoryWorkspace(Object.fromEntries(writes.files), workspace.root);
  const project = await loadProject({
    workspace: overlayWorkspace(workspace, changed),
    kinds,
    env: world.env,
    ...(flags.environment === undefined ? {} : { environment: flags.environment }),
    vars: flags.vars,
    unsetEnv: "error",
    hash: sha256,
  });
  const problems = project.diagnostics.filter(({ severity }) => severity === "error");
  const spoiled = fieldsSpoiled(problems, writes);
  if (problems.length > 0) return { problems: spoiled.length > 0 ? [] : problems, still: spoiled, broken: [] };
  const plan = planAgain(project, made, world);
  return { plan, problems: [], ...compare(made.plan, plan, writes) };
}

/** Fields written into files that then are no YAML any more: they did not get there in one piece. */
function fieldsSpoiled(problems: readonly Diagnostic[], { fields }: AcceptWrites): readonly string[] {
  const files = new Set(problems.filter(({ code }) => code === "LF1003").map(({ file }) => file));
  return fields.filter(({ file }) => files.has(file)).map(({ address, field }) => `${address} ${field}`);
}

function planAgain(project: Project, { plan, state, live, known, readAt }: Planned, world: World): Plan {
  return makePlan({
    ...declaredInput(project),
    target: plan.target,
    live,
    known,
    state,
    options: { ...plainOptions, showUnmanaged: plan.unmanaged.length > 0 },
    fingerprint: secretFingerprint(state, world.deriveKey),
    now: readAt,
    history: new Map(),
  });
}

function compare(before: Plan, after: Plan, writes: AcceptWrites): Pick<AcceptProof, "still" | "broken"> {
  const accepted = new Set(writes.fields.map(({ address, field }) => `${address} ${field}`));
  const gone = new Set(writes.removed.map(({ address }) => address));
  const known = new Set(differences(before));
  const found = differences(after);
  return {
    still: found.filter((each) => accepted.has(each)),
    broken: found.filter((each) => !known.has(each) && !accepted.has(each) && !gone.has(each)),
  };
}

/** Every difference of a plan: fields as `address field`, objects by their address; what is only forgotten is none. */
function differences({ changes }: Plan): readonly string[] {
  return changes.flatMap(({ action, address, fields }) => {
    if (action === "forget") return [];
    return action === "update" || action === "replace" ? fields.map(({ field }) => `${address} ${field}`) : [address];
  });
}
