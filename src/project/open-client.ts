import { resolve } from "node:path";
import { type Client, createClient, type Transport, type TransportAnswer, TransportError } from "../client/index.ts";
import { heldBack } from "../client/transport.ts";
import type { Project } from "../config/load-project.ts";
import { problem, thrownWords } from "../model/diagnostic.ts";
import type { Service, ServiceAnswer, Settings } from "../service/index.ts";
import { StateLocked, type StateStore } from "../state/store.ts";
import { bundledKey } from "./known-secrets.ts";
import type { System } from "./system.ts";

/** The check before a write to the service. */
interface WriteFence {
  /** Resolves when a write may be sent; if it throws, the write is stopped. */
  readonly prove: () => Promise<void>;
  /** True while a write may leave, at the moment of its first byte. */
  readonly mayWrite: () => boolean;
}

/** A client of a project's service. */
export interface OpenClient {
  readonly client: Client;
  /** Sets the check before each write from now on; undefined for none. */
  readonly fence?: (fence: WriteFence | undefined) => void;
  /** Carries one run of the bundled service through the next `ms` of a clock of its own; absent where runs take real time or nothing is stored. */
  readonly advanceRun?: (executionId: number, ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A project as far as it names its service. */
export type ServiceOwner = Pick<Project, "service" | "live" | "secrets">;

export interface ConnectOptions {
  readonly root: string;
  readonly system: System;
  /** Requests that may be under way at a time. */
  readonly parallelism?: number | undefined;
  /** Of a command that takes the lock of the state. */
  readonly patience?: FilePatience;
  /** Runs of a bundled service make their load for real. */
  readonly makesLoad?: boolean;
}

/** The way to a service: its transport and the key for it. Several projects of one service may share it. */
export interface ServiceWay extends Pick<OpenClient, "advanceRun" | "close"> {
  readonly apiKey: string;
  /** Default: HTTP to the service's address. */
  readonly transport?: Transport;
}

/** Opens a client for a project's service, without a request yet. */
export async function openClient(project: ServiceOwner, at: ConnectOptions): Promise<OpenClient> {
  return clientOf(await openWay(project, at), project, at);
}

/** Opens the way to a project's service; throws where there is no key for it. */
export async function openWay(project: ServiceOwner, at: ConnectOptions): Promise<ServiceWay> {
  const { url, targets } = project.service;
  const apiKey = serviceKey(project.service, at.system.env) ?? (project.live ? undefined : bundledKey);
  if (apiKey === undefined) {
    // On this machine it is most likely `loadform serve`.
    const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
    const hint = isHere ? `. For loadform serve it is ${bundledKey}, unless it was started with --api-key` : "";
    const detail = `Set $${keyVariable(project.service)} to a key for ${url}${hint}`;
    throw problem("LF2006", "no key for the service", detail);
  }
  if (project.live) return { apiKey, close: async () => undefined };
  const bundled = await openBundled(url, { ...at, apiKey, ...(targets && { targets }) });
  const isVirtual = url !== "memory:" && at.makesLoad !== true;
  return {
    apiKey,
    transport: serviceTransport(bundled),
    close: bundled.close,
    ...(isVirtual && { advanceRun: bundled.advanceRun }),
  };
}

/** A client of a project by a way to its service, which closes with it. */
export function clientOf(way: ServiceWay, project: ServiceOwner, at: ConnectOptions): OpenClient {
  const { system } = at;
  let fenced: WriteFence | undefined;
  const client = createClient({
    url: project.live ? project.service.url : "http://bundled",
    apiKey: way.apiKey,
    auth: project.service.auth,
    secrets: project.secrets,
    env: system.env,
    clock: { now: system.now, sleep: system.sleep },
    ...(way.transport && { transport: way.transport }),
    beforeWrite: async () => fenced?.prove(),
    mayWrite: () => fenced?.mayWrite() ?? true,
    ...(system.log && { log: system.log }),
    ...(system.givenUp && { signal: system.givenUp }),
    ...(system.watch && { watch: system.watch }),
    ...(system.requestTimeoutMs === undefined ? {} : { timeoutMs: system.requestTimeoutMs }),
    ...(at.parallelism === undefined ? {} : { parallelism: at.parallelism }),
  });
  const close = async () => {
    await client.close();
    await way.close();
  };
  const fence = (next: typeof fenced) => {
    fenced = next;
  };
  return { client, close, fence, ...(way.advanceRun && { advanceRun: way.advanceRun }) };
}

/** The environment variable that has the key of a service. */
export function keyVariable({ apiKey = "${env:LOADFORM_API_KEY}" }: ServiceOwner["service"]): string {
  return apiKey.slice("${env:".length, -1);
}

/**
 * The key of a service as the environment has it; undefined where that has none. The key alone: a line feed at its end belongs to the
 * file or the secret that it was read from.
 */
export function serviceKey(service: ServiceOwner["service"], env: System["env"]): string | undefined {
  const variable = keyVariable(service);
  const key = Object.hasOwn(env, variable) ? env[variable]?.trim() : undefined;
  if (key === undefined || key === "") return undefined;
  if (!/[^ -~\u00A0-\u00FF]/.test(key)) return key;
  const detail = "Its value (not shown) has line feeds or other characters that no key has. Set it to the key alone";
  throw problem("LF2006", `$${variable} is not a key`, detail);
}

/** The part of a bundled service in this process that the engine uses. */
export type BundledService = Pick<Service, "handle" | "apiKey" | "advanceRun">;

const retryMs = 50;

type Waiting = Pick<ConnectOptions, "patience"> & { readonly system: Pick<System, "now" | "sleep" | "locks"> };

/** Opens the bundled service of a `memory:` address in this process. */
export async function openBundled(
  url: string,
  place: Waiting &
    Pick<ConnectOptions, "root" | "makesLoad"> & {
      readonly apiKey: string;
      /** Answers to simulated requests instead of the defaults. */
      readonly targets?: ServiceOwner["service"]["targets"];
    },
): Promise<BundledService & { readonly close: () => Promise<void> }> {
  const file = url.slice("memory:".length);
  const { createService } = await import("../service/index.ts");
  const data = file === "" ? {} : { data: resolve(place.root, file) };
  // The schema of projects has checked what they are.
  const targets = place.targets as unknown as Settings["targets"] | undefined;
  const { apiKey, makesLoad = false } = place;
  const settings = { ...(targets && { targets }), ...(makesLoad && { engine: "live" as const }) };
  const options = { apiKey, clock: "real" as const, live: makesLoad, settings, ...data };
  return openWhenFree(() => createService(options), file, place);
}

async function openWhenFree<T>(open: () => T, file: string, { system, patience = usualPatience }: Waiting): Promise<T> {
  const since = system.now();
  for (;;) {
    try {
      return open();
    } catch (thrown) {
      const refused = problem("LF2001", "the bundled service could not be opened", `${file}: ${thrownWords(thrown)}`);
      // Another process has the file.
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EBUSY")) throw refused;
      const waited = system.now() - since;
      await patience.check(waited);
      if (waited >= patience.mostMs || system.locks?.signal.aborted) throw refused;
    }
    await system.sleep(retryMs);
  }
}

/** The way to the bundled service without a socket, and without JSON text in between. */
export function serviceTransport(service: Pick<BundledService, "handle">): Transport {
  return {
    async send({ method, path, query, headers, body, mayLeave }) {
      if (mayLeave?.() === false) throw heldBack();
      try {
        const answer = await service.handle({ method, path, query, headers, body });
        const { status, headers: answered } = answer;
        return { status, headers: answered, body: () => answerBytes(answer), json: () => jsonOf(answer) };
      } catch (thrown) {
        if (thrown instanceof Error && "code" in thrown && thrown.code === "ECONNRESET")
          throw new TransportError(thrown.message, "maybe-done", { cause: thrown });
        throw thrown;
      }
    },
  };
}

function answerBytes(answer: ServiceAnswer): Uint8Array {
  const body = answer.body();
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

function jsonOf(answer: ServiceAnswer): ReturnType<TransportAnswer["json"]> {
  if (answer.json !== undefined) return answer.json;
  const body = answer.body();
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as unknown;
}

/** Patience with another process that has the file of the bundled service, which one at a time may open. */
export interface FilePatience {
  readonly mostMs: number;
  /** Throws where waiting on makes no sense. */
  readonly check: (waitedMs: number) => Promise<void>;
}

const patienceMs = 10_000;

/** Most commands are done with the file in a moment: one that only reads waits for it. */
const usualPatience: FilePatience = { mostMs: patienceMs, check: async () => undefined };

/** Of a command that takes the lock: the process that has the file is waited for as long as a lock. `place` says which state. */
export function patienceForLock(store: StateStore, lockTimeoutSecs: number, place: string): FilePatience {
  const timeoutMs = lockTimeoutSecs * 1000;
  return {
    mostMs: Math.max(patienceMs, timeoutMs),
    async check(waitedMs) {
      const holder = waitedMs < timeoutMs ? undefined : await store.holder?.();
      if (holder !== undefined) throw new StateLocked(holder, place);
    },
  };
}
