import type { Api } from "../api/routes.ts";
import { applyPlan } from "../apply/apply-plan.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { type Hash, isContentMark } from "../model/fingerprint.ts";
import { valueAt } from "../model/json.ts";
import type { Rule } from "../model/kind.ts";
import type { Tree } from "../model/tree.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { Plan } from "../plan/plan.ts";
import type { PlanInput } from "../plan/plan-input.ts";
import { fillContents } from "../remote/fill-contents.ts";
import { readTree } from "../remote/read-tree.ts";
import { memoryStore } from "../state/store.ts";
import { liveRecords, type Records, type StandIns, standIns } from "./live-records.ts";
import { type ChoosePart, touchedPart, withPart } from "./loaded-part.ts";

/** A bundled service of its own. */
export interface Forked {
  readonly api: Api;
  /** Origin of the rule by which the last write was refused, told once; undefined when it was not refused. */
  readonly takeRefusal: () => Rule["origin"] | undefined;
}

/** Opens a bundled service that has these records, at a moment (epoch milliseconds) that does not move; ids of new objects are from `firstId` on. */
export type Fork = (records: Records, at: { readonly now: number; readonly firstId: number }) => Promise<Forked>;

/** The surroundings of a rehearsal. */
export interface Rehearsing {
  /** Everything the plan was made from. */
  readonly input: PlanInput;
  readonly fork: Fork;
  /** Text or bytes by hash, as far as they were read. */
  readonly contents: (hash: string) => string | Uint8Array | undefined;
  readonly hash: Hash;
  /** Nobody can say that the target has the rules that we decided: what is found by them is a warning. */
  readonly isLive: boolean;
  /** Default: what the plan can touch. */
  readonly part?: ChoosePart;
}

/** One rehearsal under way. */
interface Stage extends Rehearsing {
  readonly api: Api;
  readonly takeRefusal: Forked["takeRefusal"];
  readonly standIns: StandIns;
  /** The live objects that the fork has. */
  readonly loaded: Tree;
  /** The moment at which everything in it happens. */
  readonly now: number;
}

/**
 * Carries a plan out on a bundled service that has the part of the live tree that matters to it. Answers what was refused there, and else what a plan after it
 * would still change. Neither the target nor the plan is touched.
 */
export async function rehearsePlan(plan: Plan, rehearsing: Rehearsing): Promise<readonly Diagnostic[]> {
  const { input } = rehearsing;
  const stage = await openStage(plan, rehearsing);
  const store = memoryStore();
  const documented = new Set<Diagnostic>();
  const failures = await carryOut(plan, stage, { store, documented });
  if (hasErrors(failures)) return failures.flatMap((each) => refusedChange(stage, each, documented.has(each)));
  const state = (await store.read())?.state ?? input.state;
  const options = { ...input.options, replace: [] };
  const live = withPart(input.live, stage.loaded, await readFork(stage));
  const after = makePlan({ ...input, live, state, options, history: new Map() });
  return leftOver(stage, after);
}

async function openStage(plan: Plan, rehearsing: Rehearsing): Promise<Stage> {
  const { input, hash, contents, fork, part = touchedPart } = rehearsing;
  const texts = standIns(hash, contents);
  // Later than every write that was read, so that what the plan writes can be told from what it leaves alone.
  const now = input.now + 1;
  const loaded = part(plan, input);
  const records = liveRecords({ ...input, live: loaded }, texts.content);
  const forked = await fork(records, { now, firstId: 1 + greatestId(input.live, records) });
  return { ...rehearsing, ...forked, loaded, standIns: texts, now };
}

/** New objects have ids beyond those of the objects that were not loaded, too. */
function greatestId({ nodes }: Tree, records: Records): number {
  let greatest = 0;
  for (const { identity } of nodes.values()) greatest = Math.max(greatest, identity?.id ?? 0);
  for (const rows of Object.values(records)) for (const { id } of rows) greatest = Math.max(greatest, Number(id));
  return greatest;
}

/** Carries the plan out; failures by a rule that the API's documents state are added to `documented`. */
async function carryOut(
  plan: Plan,
  stage: Stage,
  { store, documented }: { readonly store: ReturnType<typeof memoryStore>; readonly documented: Set<Diagnostic> },
): Promise<readonly Diagnostic[]> {
  const { api, input, standIns: texts, loaded } = stage;
  const { kinds, state, desired } = input;
  let { now } = stage;
  const session = await store.lock({ operation: "rehearsal", timeoutMs: 0 });
  const { diagnostics, unsaved } = await applyPlan(plan, {
    ...{ api, kinds, session, state, pendingIntents: [], live: loaded, readAt: now },
    reread: () => readFork(stage),
    reveal: (address, path) => valueAt(desired.nodes.get(address)?.fields, path),
    contents: texts.content,
    clock: {
      now: () => now,
      async sleep(ms) {
        now += ms;
      },
    },
    hash: texts.hash,
    signal: new AbortController().signal,
    // One after the other: the same plan always ends the same.
    parallelism: 1,
    emit(event) {
      if (event.type === "apply_errored" && stage.takeRefusal() === "documented") documented.add(event.diagnostic);
    },
  });
  if (unsaved !== undefined) throw unsaved;
  return diagnostics;
}

/** The live tree of the fork, with texts as far as the plan compares them. */
async function readFork({ api, input, standIns: texts }: Stage): Promise<Tree> {
  const { kinds, live, readKinds, target } = input;
  const scope = { api, kinds, organization: target.organization, hash: texts.hash };
  const wanted = new Set([...readKinds].filter((name) => kinds.some((kind) => kind.name === name && !kind.parent)));
  const tree = await readTree({ ...scope, wanted });
  return fillContents(tree, {
    ...scope,
    known(handle) {
      const [before, after] = [live.nodes.get(handle), tree.nodes.get(handle)];
      const isSame = before !== undefined && before.identity?.updatedAt === after?.identity?.updatedAt;
      if (!isSame) return {};
      const marks = Object.entries(before.fields).flatMap(([name, value]) =>
        isContentMark(value) ? [[name, value.$content] as const] : [],
      );
      return { ...(after?.contentVersion && { seen: after.contentVersion }), content: Object.fromEntries(marks) };
    },
  });
}

/** A failure of the rehearsal in the words of a plan; what merely follows from another one is not repeated. */
function refusedChange(
  { isLive, input }: Stage,
  { severity, code, detail, summary, address }: Diagnostic,
  isDocumented: boolean,
): Diagnostic[] {
  if (severity !== "error") return [];
  const words = code === "LF6001" ? detail : `${summary}: ${detail}`;
  const stated = isDocumented ? ", by a rule that the API's documents state" : "";
  const whose = isLive ? "The bundled service, which follows the same API documents, refuses" : "The service refuses";
  return [
    {
      ...whereDeclared(input, address),
      severity: isLive && !isDocumented ? "warning" : "error",
      code: "LF3019",
      summary: "this change is refused in rehearsal",
      detail: `${whose} it${isLive ? stated : ""}: ${words}. Change what is declared, or plan with --no-rehearsal`,
    },
  ];
}

/** As many are named. */
const mostNamed = 5;

function leftOver({ isLive, input }: Stage, { changes, operations }: Plan): readonly Diagnostic[] {
  const addresses = [...new Set([...changes, ...operations].map(({ address }) => address))];
  if (addresses.length === 0) return [];
  const more = addresses.length > mostNamed ? ` and ${addresses.length - mostNamed} more` : "";
  const named = `${addresses.slice(0, mostNamed).join(", ")}${more}`;
  return [
    {
      ...whereDeclared(input, addresses[0]),
      severity: isLive ? "warning" : "error",
      code: "LF3020",
      summary: "after this plan another one would not be empty",
      detail: `In rehearsal everything was applied, and a plan after it would still change ${named}. This is most likely a defect of loadform: please report it. To plan all the same: --no-rehearsal`,
    },
  ];
}

function whereDeclared({ locate }: PlanInput, address: string | undefined): Partial<Diagnostic> {
  return address === undefined ? {} : { address, ...locate(address, []) };
}
