import { findUnincluded } from "../config/find-unincluded.ts";
import { kinds } from "../kinds/index.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { Plan } from "../plan/plan.ts";
import { declaredInput, type PlanInput, type PlanOptions, planElsewhere } from "../plan/plan-input.ts";
import { narrowTargets, unmatchedChoices } from "../plan/select-targets.ts";
import { secretFingerprint } from "../state/secret-fingerprint.ts";
import { boundByKind, type IdsByKind, type State } from "../state/state.ts";
import type { StoredState } from "../state/store.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { sha256 } from "../workspace/hash.ts";
import { type Connection, type OpenProject, planPlace } from "./connect.ts";
import { planLimits } from "./limit-findings.ts";
import type { LoadedProject } from "./open-project.ts";
import { boundElsewhere, noStateHint, previousStateProblems } from "./other-states.ts";
import { previewRecovery } from "./preview-recovery.ts";
import { type LiveRead, type LiveReader, readHistory, readLive, withContents, withShown } from "./read-live.ts";
import { rehearsedBefore, rehearsePlanned } from "./rehearsal/rehearse-planned.ts";

/** A plan with everything to show it, save it and carry it out. */
export interface PlanOutcome {
  /** Absent when the project or the service did not allow a plan. */
  readonly plan?: Plan;
  /** All problems, warnings too; with an error among them nothing may be applied. */
  readonly diagnostics: readonly Diagnostic[];
  /** Guards that the plan hits: nothing may be written. */
  readonly blocked: readonly Diagnostic[];
  /** Requests that planning made. */
  readonly requests: number;
  /** Text or bytes by hash, of both sides. */
  readonly contents: (hash: string) => string | Uint8Array | undefined;
  /** The service that was planned against; `embedded` is the bundled one in this process. */
  readonly service?: { readonly url: string; readonly organization: number; readonly embedded: boolean };
  /** A live plan of the same moment could differ in what is not shown, so it has no digest; a diagnostic says why. */
  readonly isUndigested?: true;
  /** The plan was carried out on a fork of the bundled service; what that found is among the diagnostics. */
  readonly rehearsed?: true;
  /** The plan with everything it was made from; absent where none was made. */
  readonly made?: Planned;
  /** The state, where the plan was known to be unchanged and none was made. */
  readonly stored?: () => Promise<StoredState>;
  /** What that state binds alone, known without reading it. */
  readonly bound?: IdsByKind;
}

interface Planned extends Pick<PlanInput, "options" | "state" | "live" | "readKinds"> {
  readonly plan: Plan;
  readonly project: LoadedProject;
  readonly readAt: number;
  /** The state has creates or pauses that an apply ends first. */
  readonly isInterrupted: boolean;
  /** Hashes of all answers of the service, where they were collected. */
  readonly answers?: NonNullable<LiveRead["answers"]>;
}

/** A plan that could not be made. */
export function failedPlan(diagnostics: readonly Diagnostic[]): PlanOutcome {
  return { diagnostics, blocked: [], requests: 0, contents: () => undefined };
}

/** The objects that only one project can bind: a tag, which is created by use, is bound by each that declares it. */
export function boundAlone(state: State): IdsByKind {
  const isShared = new Set(kinds.flatMap(({ name, createdByUse }) => (createdByUse ? [name] : [])));
  const alone = [...boundByKind(state)].filter(([kind]) => !isShared.has(kind));
  return Object.fromEntries(alone.map(([kind, all]) => [kind, all.map(({ id }) => id)]));
}

/** The opened project, as planning uses it. */
export interface PlanWork extends Pick<OpenProject, "connection" | "project" | "system"> {
  readonly stored: StoredState;
  readonly options: PlanOptions;
}

/** Departures of a plan from the usual course. */
interface PlanStart {
  readonly everything?: boolean;
  /** The limits are not checked, as for a report on live objects. */
  readonly unlimited?: boolean;
  /** The plan is rehearsed. */
  readonly rehearsal?: boolean;
  /** An outcome that was rehearsed: its plan is not rehearsed again. */
  readonly rehearsed?: PlanOutcome | undefined;
  /** Default: {@link readLive}. */
  readonly read?: LiveReader | undefined;
  /** Requests of the connection before the live tree was read; default: so many as now. */
  readonly requests?: number;
  /** When that was; default: now. */
  readonly readAt?: number;
}

/** Reads the live tree, makes the plan, counts what would be lost, and fetches the texts that are to be shown. */
export async function planOpened(work: PlanWork, start: PlanStart = {}): Promise<PlanOutcome> {
  const { connection, project, options, system } = work;
  const limits = await planLimits(project, system, { ...options, unlimited: start.unlimited });
  const before = start.requests ?? connection.client.stats().requests;
  const readAt = start.readAt ?? system.now();
  const left =
    options.adopt === undefined ? await previousStateProblems(project, { ...work, target: connection.target }) : [];
  if (left.length > 0) return failedPlan([...project.diagnostics, ...left]);
  const elsewhere = planElsewhere({ ...planPlace(work), state: work.stored.state });
  const requests = () => connection.client.stats().requests - before + connection.openingRequests;
  if (elsewhere) return refusedElsewhere(work, elsewhere, { readAt, requests: requests() });
  const { everything = false, read: reader = (of) => readLive(connection, of) } = start;
  const read = await reader({ desired: project.tree, stored: work.stored, everything });
  const matched = previewRecovery(work.stored, read.tree);
  const { state, diagnostics } = matched;
  // An adoption compares the texts of unbound objects, too.
  const also = options.adopt && new Set(matched.live.nodes.keys());
  const live = also ? await withContents(connection, matched.live, { state, also }) : matched.live;
  const input: PlanInput = {
    ...declaredInput(kinds, project),
    ...planPlace(work),
    live,
    readKinds: read.readKinds,
    state,
    options,
    fingerprint: secretFingerprint(state, system.deriveKey),
    now: readAt,
    history: new Map(),
  };
  const { plan, elsewhere: others } = await withOwners(work, input);
  const shown = await withShown(connection, live, { plan, state });
  const hints = others.owners.size > 0 ? [] : noStateHint(project, { ...work, found: plan.diagnostics });
  const { choices, unincluded } = await planFindings(project, plan, input);
  const outcome: PlanOutcome = {
    plan,
    diagnostics: [
      ...project.diagnostics,
      ...unincluded,
      ...diagnostics,
      // The cause of collisions among the plan's own.
      ...hints,
      ...choices,
      ...plan.diagnostics,
      ...others.diagnostics,
      ...limits.warnings,
    ],
    blocked: [...plan.guards.map(({ diagnostic }) => diagnostic), ...limits.blocked],
    requests: requests(),
    contents: (hash) => project.tree.contents.get(hash) ?? shown.contents.get(hash),
    service: { ...connection.target, embedded: connection.embedded },
    made: {
      ...{ plan, project, options, state, live: shown, readKinds: read.readKinds, readAt },
      isInterrupted: work.stored.intents.length > 0,
      ...(read.answers !== undefined && { answers: read.answers }),
    },
  };
  if (!start.rehearsal) return outcome;
  const known = rehearsedBefore(outcome, start.rehearsed);
  return known ?? rehearsePlanned(outcome, { ...input, live: shown }, project.secrets);
}

/** Nothing was read: another service does not have the bound objects. */
function refusedElsewhere(
  { connection, project, options, stored }: PlanWork,
  plan: Plan,
  { readAt, requests }: Required<Pick<PlanStart, "readAt" | "requests">>,
): PlanOutcome {
  const { state } = stored;
  return {
    plan,
    diagnostics: project.diagnostics,
    blocked: plan.guards.map(({ diagnostic }) => diagnostic),
    requests,
    contents: () => undefined,
    service: { ...connection.target, embedded: connection.embedded },
    made: {
      ...{ plan, project, options, state, live: { nodes: new Map(), contents: new Map() } },
      ...{ readKinds: new Set(), readAt },
      isInterrupted: stored.intents.length > 0,
    },
  };
}

/** Plans, and again without the objects that other environments bind, when one of them would be adopted or is proposed. */
async function withOwners({ connection, project, system }: PlanWork, input: PlanInput) {
  const plan = await withHistory(connection, input);
  const isTaking = plan.changes.some(({ importing }) => importing) || plan.diagnostics.some(isCollision);
  if (!isTaking) return { plan, elsewhere: { owners: new Map(), diagnostics: [] } };
  const { target } = connection;
  const elsewhere = await boundElsewhere(project, { system, target, live: input.live });
  const { owners } = elsewhere;
  if (owners.size === 0) return { plan, elsewhere };
  return { plan: await withHistory(connection, { ...input, boundElsewhere: owners }), elsewhere };
}

const isCollision = ({ code }: Diagnostic) => code === "LF3001";

/** Plans, and again once it is known which history the deletes would destroy. */
async function withHistory(connection: Connection, input: PlanInput): Promise<Plan> {
  const plan = makePlan(input);
  const history = await readHistory(connection, plan, input.live);
  return history.size === 0 ? plan : makePlan({ ...input, history });
}

/** Further messages about a plan. */
export async function planFindings(
  project: LoadedProject,
  plan: Plan,
  input: PlanInput,
): Promise<{ readonly choices: readonly Diagnostic[]; readonly unincluded: readonly Diagnostic[] }> {
  const { options, state } = input;
  const isChosen = options.targets.length + options.replace.length > 0;
  const all = isChosen
    ? [project.tree.nodes.keys(), Object.keys(state.resources), plan.changes.map(({ address }) => address)]
    : [];
  const addresses = new Set(all.flatMap((each) => [...each]));
  let left: ReadonlySet<string> | undefined;
  const narrow = hasErrors(plan.diagnostics)
    ? []
    : narrowTargets(options, addresses, () => (left ??= changesLeftOut(input, plan)));
  return {
    choices: [...unmatchedChoices(options, addresses), ...narrow],
    unincluded: options.destroy ? [] : await unincludedFiles(project, plan),
  };
}

/** Changes that a plan without targets would make besides. */
function changesLeftOut(input: PlanInput, { changes }: Plan): ReadonlySet<string> {
  const planned = new Set(changes.map(({ address }) => address));
  const whole = makePlan({ ...input, options: { ...input.options, targets: [] } });
  return new Set(whole.changes.flatMap(({ address }) => (planned.has(address) ? [] : [address])));
}

/** Warns of files that were moved out of every include, where the plan deletes their objects. */
async function unincludedFiles({ language, root, environment = "" }: LoadedProject, { changes }: Plan) {
  const isMissing = ({ action, reason }: Plan["changes"][number]) => action === "delete" && reason !== "unmanaged";
  const missing = new Set(changes.filter(isMissing).map(({ address }) => address));
  if (language !== "yaml" || missing.size === 0) return [];
  return findUnincluded(missing, { workspace: diskWorkspace(root), kinds, hash: sha256, environment });
}
