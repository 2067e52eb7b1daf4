import { resolve } from "node:path";
import { kinds } from "../../kinds/index.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import type { Tree } from "../../model/tree.ts";
import { makePlan } from "../../plan/make-plan.ts";
import { declaredInput, type PlanInput } from "../../plan/plan-input.ts";
import { type RestoredSides, restoreSnapshot } from "../../snapshot/restore-snapshot.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { secretFingerprint } from "../../state/secret-fingerprint.ts";
import { sha256 } from "../../workspace/hash.ts";
import { orExplained } from "../explain-failure.ts";
import { planLimits } from "../limit-findings.ts";
import { type LoadedProject, loadFolder } from "../open-project.ts";
import { failedPlan, type PlanOutcome, planFindings } from "../plan-opened.ts";
import { optionsOf, type PlanFlags } from "../plan-project.ts";
import { wantedKinds, withKindsBelow } from "../read-live.ts";
import { commandPlace, type System } from "../system.ts";
import { openSnapshot, refuseOther } from "./open-snapshot.ts";
import { snapshotNotice, whyNoDigest } from "./snapshot-notice.ts";

/** Says what apply would have done when a snapshot was taken. It needs no key, and opens neither the service nor the state. */
export async function planAgainst(file: string, flags: PlanFlags, system: System): Promise<PlanOutcome> {
  return orExplained(async () => {
    const snapshot = await openSnapshot(resolve(system.cwd, file), file);
    const project = await loadFolder(flags, system, { unsetEnv: "warning" });
    if (hasErrors(project.diagnostics)) return failedPlan(project.diagnostics);
    refuseOther(snapshot, project, file);
    return planned({ snapshot, project, file }, flags, system);
  }, failedPlan);
}

async function planned(
  { snapshot, project, file }: { readonly snapshot: Snapshot; readonly project: LoadedProject; readonly file: string },
  flags: PlanFlags,
  system: System,
): Promise<PlanOutcome> {
  const options = optionsOf(flags);
  const limits = await planLimits(project, system, { ...options, unlimited: flags.unlimited });
  const fingerprint = secretFingerprint({ lineage: snapshot.lineage, salt: "" }, system.deriveKey);
  const inputOf = (sides: RestoredSides): PlanInput => {
    const reading = { desired: project.tree, stored: { state: sides.state, intents: [] } };
    const readKinds = withKindsBelow(wantedKinds(reading));
    return {
      ...declaredInput(kinds, project),
      ...commandPlace(project, system),
      target: { url: project.service.url, organization: snapshot.target.organization },
      ...{ readKinds, options, fingerprint },
      live: ofKinds(sides.live, readKinds),
      state: sides.state,
      now: Date.parse(snapshot.takenAt),
      history: new Map(),
    };
  };
  const restored = (moves: typeof project.moved) =>
    restoreSnapshot(snapshot, { desired: project.tree, moves, fingerprint, hash: sha256, kinds });
  let sides = restored(project.moved);
  let plan = makePlan(inputOf(sides));
  // Hidden values of a renamed object are those of its new address.
  if (plan.foundMoves.length > 0) {
    sides = restored([...project.moved, ...plan.foundMoves]);
    plan = makePlan(inputOf(sides));
  }
  const input = inputOf(sides);
  const { choices, unincluded } = await planFindings(project, plan, input);
  const why = whyNoDigest(plan, project, sides.undecided);
  return {
    plan,
    diagnostics: [
      ...project.diagnostics,
      ...unincluded,
      ...choices,
      ...plan.diagnostics,
      ...limits.warnings,
      snapshotNotice({ file, takenAt: snapshot.takenAt }, why, system.now()),
    ],
    blocked: [...plan.guards.map(({ diagnostic }) => diagnostic), ...limits.blocked],
    requests: 0,
    contents: (hash) => project.tree.contents.get(hash) ?? sides.live.contents.get(hash),
    made: {
      ...{ plan, project, options, state: sides.state },
      ...{ live: input.live, readKinds: input.readKinds, readAt: input.now },
      isInterrupted: false,
    },
    ...(why !== undefined && { isUndigested: true }),
  };
}

/** The tree as a live plan of the project would read it. */
function ofKinds({ nodes, contents }: Tree, kept: ReadonlySet<string>): Tree {
  return { nodes: new Map([...nodes].filter(([, { kind }]) => kept.has(kind))), contents };
}
