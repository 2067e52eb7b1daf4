import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import type { History } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { emptyTree, liveHandle } from "../model/tree.ts";
import { historyToCount } from "../plan/find-losses.ts";
import { planElsewhere } from "../plan/guard-target.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { Change, Plan } from "../plan/plan.ts";
import type { PlanInput, PlanOptions } from "../plan/plan-input.ts";
import { plainOptions } from "../plan/plan-input.ts";
import { randomHex, secretFingerprint } from "../state/secret-fingerprint.ts";
import type { State } from "../state/state.ts";
import { newState } from "../state/state.ts";
import type { StoredState } from "../state/store.ts";
import type { BoundElsewhere } from "./bound-elsewhere.ts";
import { boundElsewhere } from "./bound-elsewhere.ts";
import { commandPlace } from "./command-place.ts";
import type { Connection } from "./connect.ts";
import { withConnection } from "./connect.ts";
import { declaredInput } from "./declared-input.ts";
import { leftBehind, noStateHint } from "./left-behind.ts";
import type { OpenProject } from "./load-folder.ts";
import { loadFolder } from "./load-folder.ts";
import { matchIntents } from "./match-intents.ts";
import { orExplained } from "./problem.ts";
import { readLive, withContents } from "./read-live.ts";
import { stateAt } from "./state-at.ts";
import { unmatchedChoices } from "./unmatched-choices.ts";
import type { ProjectFlags, World } from "./world.ts";

/** What was asked of a plan. */
export interface PlanFlags extends ProjectFlags, Partial<PlanOptions> {
  readonly parallelism?: number;
}

/** A plan with what is needed to show it, save it and carry it out. */
export interface PlanOutcome {
  /** Absent when the project or the service stood in the way. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** Guards that the plan hits: nothing may be written. */
  readonly blocked: readonly Diagnostic[];
  /** Requests that planning made. */
  readonly requests: number;
  /** Text or bytes by hash, of both sides. */
  readonly contents: (hash: string) => string | Uint8Array | undefined;
  readonly service?: { readonly url: string; readonly organization: number; readonly embedded: boolean };
  readonly made?: Planned;
}

/** What a plan was made from. */
export interface Planned {
  readonly plan: Plan;
  readonly project: OpenProject;
  readonly options: PlanOptions;
  readonly state: State;
  readonly live: Tree;
  /** Top-level kinds that were read. */
  readonly known: ReadonlySet<string>;
  readonly readAt: number;
}

/** Says what apply would do; takes no lock and writes nothing. */
export async function planProject(flags: PlanFlags, world: World): Promise<PlanOutcome> {
  return orExplained(async () => {
    const project = await loadFolder(flags, world, "error");
    if (hasErrors(project.diagnostics)) return failedPlan(project.diagnostics);
    const store = stateAt(project, world);
    return withConnection(
      project,
      { root: project.root, world, parallelism: flags.parallelism },
      async (connection) => {
        // Read now: whoever had the bundled service before us has written the state meanwhile.
        const stored = (await store.read()) ?? freshState(project);
        return planWith({ connection, project, stored, options: optionsOf(flags), world });
      },
    );
  }, failedPlan);
}

/** A plan that could not be made. */
function failedPlan(diagnostics: readonly Diagnostic[]): PlanOutcome {
  return { diagnostics, blocked: [], requests: 0, contents: () => undefined };
}

/** The options in a command's flags. */
export function optionsOf(flags: Partial<PlanOptions>): PlanOptions {
  const { targets, replace, adopt, destroy, allowDestroy, forceThreshold, showUnmanaged } = {
    ...plainOptions,
    ...flags,
  };
  return { targets, replace, destroy, allowDestroy, forceThreshold, showUnmanaged, ...(adopt && { adopt }) };
}

/** The state of a project that has none yet. */
export function freshState(project: Pick<OpenProject, "name" | "environment">): StoredState {
  return { state: newState(project.name, project.environment, randomHex), intents: [] };
}

/** What planning works on, once everything is open. */
export interface PlanWork {
  readonly connection: Connection;
  readonly project: OpenProject;
  readonly stored: StoredState;
  readonly options: PlanOptions;
  readonly world: World;
}

/** Reads the live tree, makes the plan, counts what would be lost, and fetches the texts that are to be shown. */
export async function planWith(work: PlanWork): Promise<PlanOutcome> {
  const { connection, project, options, world } = work;
  const before = connection.client.stats().requests;
  const readAt = world.now();
  const left = options.adopt === undefined ? await leftBehind(project, { ...work, target: connection.target }) : [];
  if (left.length > 0) return failedPlan([...project.diagnostics, ...left]);
  const elsewhere = planElsewhere({ ...placeOf(work), state: work.stored.state });
  if (elsewhere) return refusedElsewhere(work, elsewhere, readAt);
  const desired = options.destroy ? { nodes: new Map(), contents: project.tree.contents } : project.tree;
  const read = await readLive(connection, { desired: project.tree, stored: work.stored });
  const matched = matchIntents(work.stored, read.tree);
  const { state, diagnostics } = matched;
  const live =
    options.adopt === undefined ? matched.live : await withAdopted({ connection, state, live: matched.live });
  const input: PlanInput = {
    ...declaredInput(project),
    ...placeOf(work),
    desired,
    live,
    known: read.known,
    state,
    options,
    fingerprint: secretFingerprint(state, world.deriveKey),
    now: readAt,
    history: new Map(),
  };
  const { plan, elsewhere: others } = await withOwners(work, input);
  const shown = await withShownContents({ connection, plan, live, state });
  const shownAddresses = plan.changes.map(({ address }) => address);
  const addresses = new Set([...project.tree.nodes.keys(), ...Object.keys(state.resources), ...shownAddresses]);
  const hints = others.owners.size > 0 ? [] : noStateHint(project, { ...work, found: plan.diagnostics });
  const choices = unmatchedChoices(options, addresses);
  const all = [
    ...project.diagnostics,
    ...diagnostics,
    ...choices,
    ...plan.diagnostics,
    ...others.diagnostics,
    ...hints,
  ];
  return {
    plan,
    diagnostics: all,
    blocked: plan.guards.map(({ diagnostic }) => diagnostic),
    requests: connection.client.stats().requests - before + connection.openingRequests,
    contents: (hash) => project.tree.contents.get(hash) ?? shown.contents.get(hash),
    service: { ...connection.target, embedded: connection.embedded },
    made: { plan, project, options, state, live: shown, known: read.known, readAt },
  };
}

/** Which project it is, where its commands act, and what it is about. */
function placeOf({ project, world, connection }: PlanWork) {
  return { project: project.name, ...commandPlace(project, world), target: connection.target };
}

/** Nothing was read: what is at another service says nothing about what the state binds. */
function refusedElsewhere({ connection, project, options, stored }: PlanWork, plan: Plan, readAt: number): PlanOutcome {
  const { state } = stored;
  return {
    plan,
    diagnostics: project.diagnostics,
    blocked: plan.guards.map(({ diagnostic }) => diagnostic),
    requests: connection.openingRequests,
    contents: () => undefined,
    service: { ...connection.target, embedded: connection.embedded },
    made: { plan, project, options, state, live: emptyTree, known: new Set(), readAt },
  };
}

/** Plans, and plans again without what other environments bind, when something would be taken over or that is proposed. */
async function withOwners(
  { connection, project, world }: PlanWork,
  input: PlanInput,
): Promise<{ readonly plan: Plan; readonly elsewhere: BoundElsewhere }> {
  const plan = await withHistory(connection, input);
  const isTaking = plan.changes.some(({ importing }) => importing) || plan.diagnostics.some(isCollision);
  if (!isTaking) return { plan, elsewhere: { owners: new Map(), diagnostics: [] } };
  const { target } = connection;
  const elsewhere = await boundElsewhere(project, { world, target, live: input.live });
  const { owners } = elsewhere;
  if (owners.size === 0) return { plan, elsewhere };
  return { plan: await withHistory(connection, { ...input, boundElsewhere: owners }), elsewhere };
}

const isCollision = ({ code }: Diagnostic) => code === "LF3001";

/** Plans, and plans again once it is known what the deletes would take with them. */
async function withHistory(connection: Connection, input: PlanInput): Promise<Plan> {
  const plan = makePlan(input);
  const nodes = historyToCount(plan.changes, input.live, kinds);
  if (nodes.length === 0) return plan;
  const counted = await Promise.all(nodes.map((node) => countHistory(connection, node)));
  return makePlan({ ...input, history: new Map(counted.flat()) });
}

async function countHistory(connection: Connection, node: TreeNode): Promise<readonly (readonly [string, History])[]> {
  const kind = kindsByName(kinds).get(node.kind);
  const id = node.identity?.id ?? 0;
  const history = await kind?.history?.({
    api: connection.api,
    organization: connection.target.organization,
    id,
    address: node.handle,
  });
  return history ? [[node.handle, history]] : [];
}

interface Shown {
  readonly connection: Connection;
  readonly plan: Plan;
  readonly live: Tree;
  readonly state: State;
}

/** Texts that an update replaces are fetched, so that the plan can show them line by line. */
function withShownContents({ connection, plan, live, state }: Shown): Promise<Tree> {
  const show = new Set(plan.changes.filter(replacesContent).map(({ kind, id }) => liveHandle(kind, id ?? 0)));
  return show.size === 0 ? Promise.resolve(live) : withContents(connection, live, { state, show });
}

function replacesContent({ kind, action, fields }: Change): boolean {
  const contents = kindsByName(kinds).get(kind)?.fields ?? {};
  return action === "update" && fields.some(({ field }) => contents[field]?.content !== undefined);
}

/** An adoption compares texts too, so those of unbound objects are read. */
function withAdopted({ connection, state, live }: Omit<Shown, "plan">): Promise<Tree> {
  return withContents(connection, live, { state, also: new Set(live.nodes.keys()) });
}
