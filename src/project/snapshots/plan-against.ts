import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { orExplained } from "../../apply/explain-failure.ts";
import { kinds } from "../../kinds/index.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import { isSameService } from "../../model/target.ts";
import type { Tree } from "../../model/tree.ts";
import { makePlan } from "../../plan/make-plan.ts";
import type { Plan } from "../../plan/plan.ts";
import type { PlanInput } from "../../plan/plan-input.ts";
import { declaredInput } from "../../plan/plan-input.ts";
import { readableValue } from "../../report/readable-value.ts";
import { readSnapshot, unusable } from "../../snapshot/read-snapshot.ts";
import type { RestoredSides } from "../../snapshot/restore-snapshot.ts";
import { restoreSnapshot } from "../../snapshot/restore-snapshot.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { secretFingerprint } from "../../state/secret-fingerprint.ts";
import { limitFindings } from "../limit-findings.ts";
import type { LoadedProject } from "../open-project.ts";
import { commandPlace, loadFolder } from "../open-project.ts";
import { hiddenValues } from "../plan-digest.ts";
import type { PlanOutcome } from "../plan-opened.ts";
import { failedPlan, planFindings } from "../plan-opened.ts";
import type { PlanFlags } from "../plan-project.ts";
import { optionsOf } from "../plan-project.ts";
import { wantedKinds, withKindsBelow } from "../read-live.ts";
import type { System } from "../system.ts";

/** Says what apply would have done when a snapshot was taken. It needs no key, and opens neither the service nor the state. */
export async function planAgainst(file: string, flags: PlanFlags, system: System): Promise<PlanOutcome> {
  return orExplained(async () => {
    const snapshot = readSnapshot(await snapshotFile(resolve(system.cwd, file), file), file);
    const project = await loadFolder(flags, system, "warning");
    if (hasErrors(project.diagnostics)) return failedPlan(project.diagnostics);
    refuseOther(snapshot, project, file);
    return planned({ snapshot, project, file }, flags, system);
  }, failedPlan);
}

/** More than any organization has. */
const largest = 256 * 1024 * 1024;

async function snapshotFile(path: string, file: string): Promise<string> {
  const status = await stat(path).catch(() => undefined);
  if (status === undefined) throw unusable(`There is no file ${file}`);
  if (!status.isFile()) throw unusable(`${file} is no file`);
  if (status.size > largest)
    throw unusable(`${file} has ${status.size} bytes, more than the ${largest} of any snapshot`);
  return readFile(path, "utf8");
}

/** Another project, environment or target has other objects. */
function refuseOther(snapshot: Snapshot, project: LoadedProject, file: string): void {
  const { target, organization } = snapshot;
  const { url, organization: declared } = project.service;
  const pairs: readonly (readonly [string, string, string])[] = [
    ["project", snapshot.project, project.name],
    ["environment", snapshot.environment ?? "(none)", project.environment ?? "(none)"],
    ...(isSameService(target.url, String(readableValue(url))) ? [] : ([["service", target.url, url]] as const)),
    ...(declared === undefined || declared === organization || declared === target.organization
      ? []
      : ([["organization", String(organization ?? target.organization), String(declared)]] as const)),
  ];
  const found = pairs
    .filter(([, taken, own]) => taken !== own)
    .map(([what, taken, own]) => `${what} ${taken}, not ${own}`);
  if (found.length > 0) throw unusable(`${file} is of ${found.join("; ")}`);
}

/** A project and the snapshot that it is planned against. */
interface Against {
  readonly snapshot: Snapshot;
  readonly project: LoadedProject;
  readonly file: string;
}

async function planned(against: Against, flags: PlanFlags, system: System): Promise<PlanOutcome> {
  const { snapshot, project } = against;
  const options = optionsOf(flags);
  const isUnlimited = options.destroy || flags.unlimited === true;
  const limits = isUnlimited ? { blocked: [], warnings: [] } : await limitFindings(project, system);
  const desired = options.destroy ? { nodes: new Map(), contents: project.tree.contents } : project.tree;
  const fingerprint = secretFingerprint({ lineage: snapshot.lineage, salt: "" }, system.deriveKey);
  const inputOf = (sides: RestoredSides): PlanInput => {
    const known = withKindsBelow(wantedKinds({ desired: project.tree, stored: { state: sides.state, intents: [] } }));
    return {
      ...declaredInput(kinds, project),
      ...commandPlace(project, system),
      target: { url: project.service.url, organization: snapshot.target.organization },
      ...{ desired, known, options, fingerprint },
      live: ofKinds(sides.live, known),
      state: sides.state,
      now: Date.parse(snapshot.takenAt),
      history: new Map(),
    };
  };
  const restored = (moves: typeof project.moved) =>
    restoreSnapshot(snapshot, { desired: project.tree, moves, fingerprint });
  let sides = restored(project.moved);
  let plan = makePlan(inputOf(sides));
  // Hidden values of a renamed object are those of its new address.
  if (plan.foundMoves.length > 0) {
    sides = restored([...project.moved, ...plan.foundMoves]);
    plan = makePlan(inputOf(sides));
  }
  const input = inputOf(sides);
  const shown = plan.changes.map(({ address }) => address);
  const addresses = new Set([...project.tree.nodes.keys(), ...Object.keys(sides.state.resources), ...shown]);
  const { choices, unincluded } = await planFindings(project, plan, { input, addresses });
  const why = whyNoDigest(plan, project, sides.undecided);
  return {
    plan,
    diagnostics: [
      ...project.diagnostics,
      ...unincluded,
      ...choices,
      ...plan.diagnostics,
      ...limits.warnings,
      ageNotice(against, why, system.now()),
    ],
    blocked: [...plan.guards.map(({ diagnostic }) => diagnostic), ...limits.blocked],
    requests: 0,
    contents: (hash) => project.tree.contents.get(hash) ?? sides.live.contents.get(hash),
    made: {
      ...{ plan, project, options, state: sides.state, live: input.live, known: input.known, readAt: input.now },
      isInterrupted: false,
    },
    ...(why !== undefined && { isUndigested: true }),
  };
}

/** The tree as a live plan of the project would read it. */
function ofKinds({ nodes, contents }: Tree, known: ReadonlySet<string>): Tree {
  return { nodes: new Map([...nodes].filter(([, { kind }]) => known.has(kind))), contents };
}

/** The first reason why a live plan of the same moment could be another one, in words. */
function whyNoDigest({ changes }: Plan, { tree }: LoadedProject, undecided: readonly string[]): string | undefined {
  const ending = changes.find(({ action }) => action === "delete" || action === "replace");
  if (ending) return `it ${ending.action}s ${ending.address}, and the snapshot does not have what would be lost`;
  const taken = changes.find(({ importing }) => importing);
  if (taken) return `it adopts ${taken.address}, and the snapshot does not have its values`;
  const setting = changes.find((change) => hiddenValues(tree.nodes, [change]).length > 0);
  if (setting) return `it sets or changes a secret or a value from the environment of ${setting.address}`;
  const [first] = undecided;
  return first && `the snapshot does not show a value of ${first}, because it has a secret in it`;
}

function ageNotice({ snapshot, file }: Against, why: string | undefined, now: number): Diagnostic {
  const detail = `${file} shows the service as it was at ${snapshot.takenAt}. What has changed since is not in this plan`;
  const without = why === undefined ? "" : `. The plan has no digest: ${why}. Plan where the key is to get one`;
  return {
    severity: "warning",
    code: "LF5012",
    summary: `planned against a snapshot that is ${ageWords(now - Date.parse(snapshot.takenAt))} old`,
    detail: `${detail}${without}`,
  };
}

function ageWords(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const [count, unit] =
    minutes < 120
      ? [minutes, "minute"]
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), "hour"]
        : [Math.floor(minutes / 1440), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
