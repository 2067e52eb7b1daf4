import type { ApplyEvent } from "../../src/apply/events.ts";
import { type Client, createClient, type Transport } from "../../src/client/index.ts";
import type { Target } from "../../src/model/target.ts";
import type { Tree } from "../../src/model/tree.ts";
import type { Move } from "../../src/plan/match-moves.ts";
import type { PlanOptions } from "../../src/plan/plan-input.ts";
import { type ApplyOutcome, applyConnected } from "../../src/project/apply-project.ts";
import type { Connection } from "../../src/project/connect.ts";
import { serviceTransport } from "../../src/project/open-client.ts";
import type { LoadedProject } from "../../src/project/open-project.ts";
import { freshState } from "../../src/project/open-state.ts";
import { type PlanOutcome, planOpened } from "../../src/project/plan-opened.ts";
import { optionsOf } from "../../src/project/plan-project.ts";
import { applySavedConnected } from "../../src/project/saved/apply-saved.ts";
import { openPlan, savedProject } from "../../src/project/saved/saved-plan.ts";
import type { System } from "../../src/project/system.ts";
import { createService, type Fault } from "../../src/service/index.ts";
import type { LockHolder } from "../../src/state/lock-holder.ts";
import type { StateStore, StoredState } from "../../src/state/store.ts";
import { localStore } from "../../src/stores/local/local-store.ts";
import type { StateFiles } from "../../src/stores/local/state-files.ts";
import { crashDisk, Gone } from "./crash-files.ts";

type Service = ReturnType<typeof createService>;
type ServiceOptions = NonNullable<Parameters<typeof createService>[0]>;

/** The moment at which every rig starts. */
export const rigStart = Date.parse("2026-11-20T10:00:00.000Z");

/** The engine against a bundled service in this process, in virtual time. */
export interface Rig {
  readonly service: Service;
  readonly system: System;
  readonly plan: (tree: Tree, asked?: Asked) => Promise<PlanOutcome>;
  readonly apply: (tree: Tree, asked?: Asked) => Promise<Applied>;
  /** Carries out the text of a saved plan. */
  readonly applySaved: (text: string) => Promise<ApplyOutcome>;
  /** A client of somebody else: edits outside. */
  readonly outside: Client;
  readonly stored: () => Promise<StoredState | undefined>;
  readonly store: StateStore;
  /** Another process on the same service and, when given, another disk; it can die like the first. */
  readonly restart: (files?: StateFiles, power?: Pick<RigOptions, "isDead" | "step">) => Rig;
  /** Plans faults, and answers how often those before were hit. */
  readonly setFaults: (faults: readonly Fault[]) => Promise<number>;
  /** Writes that reached the service since the last call. */
  readonly takeWrites: () => number;
}

/** What is asked of one plan or apply. */
export interface Asked extends Partial<PlanOptions> {
  readonly moved?: readonly Move[];
  readonly removed?: LoadedProject["removed"];
  readonly signal?: AbortSignal;
  /** The plan is rehearsed. */
  readonly rehearsal?: boolean;
  /** Asks before it applies; what happens meanwhile happens outside. */
  readonly confirm?: () => Promise<boolean>;
  /** Called as each event is told; the request that the event announces leaves when the answer's promise has ended. */
  readonly onEvent?: (event: ApplyEvent) => unknown;
  readonly parallelism?: number;
  readonly environment?: string;
  /** Another service or organization than the rig's own, by name only. */
  readonly target?: Target;
}

/** An apply with what it told. */
export interface Applied extends ApplyOutcome {
  readonly events: readonly ApplyEvent[];
}

/** What a rig is built with. */
export interface RigOptions {
  readonly files?: StateFiles;
  readonly service?: Service;
  /** The time of the service, shared by all rigs on it. */
  readonly time?: { now: number };
  /** The process is gone: not even a request leaves it any more. */
  readonly isDead?: () => boolean;
  /** Called before a request leaves and after its answer came; may throw a {@link Crash}. */
  readonly step?: (label: string) => void;
  /** The service outlives the process. */
  readonly outlives?: boolean;
  readonly settings?: ServiceOptions["settings"];
  /** Where the service listens: requests travel over HTTP. */
  readonly url?: string;
}

/** A fresh service and a fresh state, or those given. */
export function makeRig(options: RigOptions = {}): Rig {
  const service =
    options.service ??
    createService({
      clock: { mode: "frozen", now: rigStart },
      ...(options.settings && { settings: options.settings }),
    });
  const files = options.files ?? crashDisk(() => undefined).files;
  const time = options.time ?? { now: rigStart };
  const system = virtualWorld(service, time);
  const store = localStore({ path: "/state.json", files, holder: virtualHolder(system) });
  const { url } = options;
  const client = (transport: Transport) =>
    createClient({
      ...(url === undefined ? { url: "http://bundled", transport } : { url }),
      ...{ apiKey: "local", clock: system, random: () => 0.5 },
    });
  const connection = (elsewhere?: Target, outside?: Outside): Connection => {
    const api = client(mortal(serviceTransport(service), options, outside));
    const target = elsewhere ?? { url: "memory:", organization: 1 };
    return {
      api,
      client: api,
      target,
      embedded: options.outlives !== true,
      openingRequests: 0,
      close: async () => undefined,
    };
  };
  let seen = 0;
  return {
    service,
    system,
    outside: client(serviceTransport(service)),
    stored: () => store.read(),
    store,
    restart: (other, power) => {
      const { settings, outlives } = options;
      return makeRig({
        ...(settings && { settings }),
        ...(outlives && { outlives }),
        ...power,
        service,
        time,
        ...(other && { files: other }),
      });
    },
    async plan(tree, asked = {}) {
      const project = projectOf(tree, asked);
      const stored = (await store.read()) ?? freshState(project);
      const options = optionsOf({ ...openTo(tree), ...asked });
      const { rehearsal = false } = asked;
      return planOpened({ connection: connection(asked.target), project, stored, options, system }, { rehearsal });
    },
    async apply(tree, asked = {}) {
      const outside: Outside = { under: [] };
      return applyTree({ tree, asked, outside, system, store, connection: connection(asked.target, outside) });
    },
    async applySaved(text) {
      const saved = openPlan(text, "saved.json").saved;
      const project = await savedProject(saved, system);
      const flags = {
        dir: ".",
        vars: {},
        ...saved.options,
        targets: saved.addresses,
        lockTimeoutSecs: 0,
        autoApprove: true,
      };
      return applySavedConnected({ flags, system, ui: silent, project, connection: connection(), store }, saved);
    },
    async setFaults(faults) {
      const headers = { "x-api-key": service.apiKey };
      const before = await service.handle({ method: "GET", path: "/_loadform/faults", headers });
      const answer = await service.handle({ method: "PUT", path: "/_loadform/faults", headers, body: faults as never });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.json));
      return (before.json as { hits?: number }[]).reduce((sum, { hits = 0 }) => sum + hits, 0);
    },
    takeWrites() {
      const log = service.requests.filter(
        ({ method, path }) => !path.startsWith("/_loadform") && method !== "GET" && method !== "HEAD",
      );
      const fresh = log.length - seen;
      seen = log.length;
      return fresh;
    },
  };
}

/** What happens outside before the next request leaves. */
interface Outside {
  readonly under: unknown[];
}

function mortal(transport: Transport, { isDead, step }: RigOptions, outside?: Outside): Transport {
  if (isDead === undefined && outside === undefined) return transport;
  return {
    ...transport,
    async send(request) {
      await Promise.all(outside?.under ?? []);
      if (isDead?.()) throw new Gone("the process is gone");
      step?.("send");
      const answer = await transport.send(request);
      step?.("receive");
      return answer;
    },
  };
}

/** Random edits cross the thresholds all the time; guards have tests of their own. */
const openTo = (tree: Tree) => ({ forceThreshold: true, allowDestroy: ["**"], destroy: tree.nodes.size === 0 });

const silent = {
  confirm: async () => true,
  show: () => undefined,
  emit: () => undefined,
  signal: new AbortController().signal,
};

async function applyTree(of: {
  readonly tree: Tree;
  readonly asked: Asked;
  readonly outside: Outside;
  readonly system: System;
  readonly store: StateStore;
  readonly connection: Connection;
}): Promise<Applied> {
  const { tree, asked, outside, system, store, connection } = of;
  const events: ApplyEvent[] = [];
  const outcome = await applyConnected({
    flags: {
      dir: ".",
      vars: {},
      ...openTo(tree),
      ...asked,
      lockTimeoutSecs: 0,
      autoApprove: asked.confirm === undefined,
      parallelism: asked.parallelism ?? 4,
    },
    system,
    ui: {
      confirm: asked.confirm ?? (async () => true),
      show: () => undefined,
      emit(event) {
        events.push(event);
        outside.under.push(asked.onEvent?.(event));
      },
      signal: asked.signal ?? new AbortController().signal,
    },
    project: projectOf(tree, asked),
    connection,
    store,
  });
  return { ...outcome, events };
}

function projectOf(tree: Tree, asked: Asked): LoadedProject {
  return {
    // A plan that deletes looks through the whole folder for files that are not included.
    root: "/nonexistent",
    name: "random",
    ...(asked.environment === undefined ? {} : { environment: asked.environment }),
    language: "yaml",
    service: { url: "memory:", auth: { header: "X-Api-Key" } },
    state: { backend: "memory" },
    live: false,
    tree,
    moved: asked.moved ?? [],
    removed: asked.removed ?? [],
    gates: [],
    locate: () => undefined,
    secrets: [],
    diagnostics: [],
  };
}

/** Time stands still unless somebody sleeps, and then it is the service's time that moves. */
function virtualWorld(service: Service, time: { now: number }): System {
  return {
    env: {},
    cwd: "/nonexistent",
    now: () => time.now,
    async sleep(ms) {
      time.now += ms;
      await service.advance(ms);
    },
    version: "test",
    deriveKey: (lineage) => new TextEncoder().encode(lineage),
  };
}

function virtualHolder(system: System): LockHolder {
  let next = 0;
  return {
    now: system.now,
    sleep: system.sleep,
    describe: (operation) => ({
      id: `lock-${next++}`,
      operation,
      who: "test",
      created: "",
      host: "test",
      pid: 1,
      process: "gone",
    }),
    isDead: () => true,
  };
}
