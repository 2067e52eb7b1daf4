import type { Dispatcher } from "undici";
import { advance } from "./agenda.ts";
import { isLoopback } from "./allowed-hosts.ts";
import { type ClockOption, ServiceClock } from "./clock.ts";
import type { ServiceAnswer } from "./core/answer.ts";
import type { ServiceRequest } from "./core/request.ts";
import { advanceRun } from "./executions/execution-steps.ts";
import { fetchService } from "./http/fetch-service.ts";
import type { Listening } from "./http/listen-http.ts";
import { serviceDispatcher } from "./http/service-dispatcher.ts";
import { Instance } from "./instance.ts";
import type { RequestEntry } from "./request-log.ts";
import { processRequest } from "./requests/process-request.ts";
import { defaultKey, type Settings, settingsOf } from "./settings.ts";
import { DataFile } from "./store/data-file.ts";
import { freshState, makeSalt } from "./store/fresh-state.ts";
import { fromSnapshot, type Snapshot } from "./store/snapshot.ts";

/** Options of a bundled service. */
export interface ServiceOptions {
  /** Real time by default; `frozen` does not move until `advance`. */
  readonly clock?: ClockOption;
  /** The key of its user; `local` by default. */
  readonly apiKey?: string;
  /** Source of keys and digests: the same seed and the same calls make the same bytes. */
  readonly seed?: string | number;
  /** File that keeps the state (`memory:FILE`, `serve --data`); without it everything ends with the service. */
  readonly data?: string;
  /** State to begin with, and to come back to on reset. */
  readonly state?: Snapshot | string;
  /** Other answers to what the documents of the API leave open; each has a default. */
  readonly settings?: Partial<Settings> & Readonly<Record<string, unknown>>;
  /** Fields and parameters that nothing reads are 400 instead of being recorded. */
  readonly strict?: boolean;
  /** Scripts are run although it listens beyond loopback. */
  readonly allowScripts?: boolean;
  /** Runs may make real load. */
  readonly live?: boolean;
}

/** The bundled service in this process. */
export interface Service {
  /** The pure core: no socket, no text unless asked for. Rejects with ConnectionCut where a planned fault cuts. */
  readonly handle: (request: ServiceRequest) => Promise<ServiceAnswer>;
  /** Standard fetch against this service; takes a path alone. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** An undici Dispatcher against this service. */
  readonly dispatcher: Dispatcher;
  /** The ordered request log. */
  readonly requests: readonly RequestEntry[];
  /** The key that it accepts. */
  readonly apiKey: string;
  /** Serves it over HTTP; port 0 picks a free one. Beyond loopback a key other than the default is needed. */
  readonly listen: (port?: number, host?: string) => Promise<{ readonly url: string; readonly port: number }>;
  /** The whole state as plain sorted JSON. */
  readonly snapshot: () => Snapshot;
  /** Replaces the whole state; what was restored is what `snapshot` answers, byte for byte. */
  readonly restore: (snapshot: Snapshot | string) => Promise<void>;
  /** Wipes the state back to its beginning, with faults and log. */
  readonly reset: () => Promise<void>;
  /** Makes a state what `reset` restores; default: the present one. */
  readonly keepAsSeed: (state?: Snapshot) => void;
  /** An independent service with the same state and time, kept in memory only. */
  readonly fork: () => Service;
  /** Moves time forward; resolves when all that fell due is done. */
  readonly advance: (ms: number) => Promise<void>;
  /** Carries one modelled run through the next `ms` of a clock of its own, alone: the service's clock remains, nothing else happens. */
  readonly advanceRun: (executionId: number, ms: number) => Promise<void>;
  /** Stops listening and lets the data file go, folded into one snapshot. */
  readonly close: () => Promise<void>;
  /** After `close`: ends the threads of scripts; false where one in a native call would hold up the end of this process. */
  readonly endThreads: () => Promise<boolean>;
}

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

/** A key that no client could send. */
export class WrongKey extends Error {
  override readonly name = "WrongKey";
}

/**
 * Makes a bundled service in this process: without a socket until `listen`, without a file unless `data` names one. Throws where an option or the data file
 * cannot be used. `close` it when it listens or keeps a file.
 */
export function createService(options: ServiceOptions = {}): Service {
  const { apiKey = defaultKey, strict = false, allowScripts = false, live = false } = options;
  if (typeof apiKey !== "string" || apiKey.trim() === "")
    throw new WrongKey("found an empty apiKey; expected a text, or none for the default key");
  // A header loses blanks around its value, and has no other characters.
  if (apiKey !== apiKey.trim() || /[^ -~\u00A0-\u00FF]/.test(apiKey))
    throw new WrongKey(
      "found an apiKey (not shown) that no header can carry; expected letters, digits and signs alone",
    );
  const allowed = { scripts: allowScripts, live };
  const settings = settingsOf(options.settings ?? {});
  const file = options.data === undefined ? undefined : new DataFile(options.data);
  try {
    const stored = file?.opened.snapshot === undefined ? undefined : fromSnapshot(file.opened.snapshot);
    const { changes = [] } = file?.opened ?? {};
    const keptClock = changes.length > 0 ? file?.opened.clock : stored?.clock;
    const clock = new ServiceClock(options.clock, keptClock);
    const fresh = () =>
      options.state === undefined
        ? { data: freshState(clock.iso()), salt: makeSalt(options.seed, file !== undefined) }
        : fromSnapshot(options.state);
    const { data, salt } = stored ?? fresh();
    const parts = { data, salt, clock, keptClock, settings, apiKey, strict, allowed, baseline: fresh };
    const instance = new Instance({ ...parts, ...(file && { file }) });
    for (const each of changes) instance.store.apply(each);
    return serviceOf(instance);
  } catch (thrown) {
    file?.release();
    throw thrown;
  }
}

function serviceOf(instance: Instance): Service {
  const handle = (request: ServiceRequest) => processRequest(instance, request);
  const listeners: Listening[] = [];
  let dispatcher: Dispatcher | undefined;
  return {
    handle,
    fetch: (input, init) => fetchService(handle, input, init),
    get dispatcher() {
      dispatcher ??= serviceDispatcher(handle);
      return dispatcher;
    },
    get requests() {
      return instance.log.entries;
    },
    apiKey: instance.apiKey,
    async listen(port = 0, host = "127.0.0.1") {
      refuseOpenDoor(instance.apiKey, host);
      if (!isLoopback(host)) instance.isExposed = true;
      const { listenHttp } = await import("./http/listen-http.ts");
      const { serveProxy } = await import("./proxy/serve-proxy.ts");
      const proxy = serveProxy(instance);
      const way = { isOnLoopback: isLoopback(host) };
      const listening = await listenHttp((request) => processRequest(instance, request, way), { port, host, proxy });
      listeners.push(listening);
      instance.agenda.attend();
      return { url: listening.url, port: listening.port };
    },
    snapshot: () => instance.snapshot(),
    restore: (snapshot) => instance.restore(snapshot),
    reset: () => instance.reset(),
    keepAsSeed: (state = instance.snapshot()) => instance.keepAsBaseline(state),
    fork: () => serviceOf(instance.fork()),
    advance: (ms) => advance(instance, ms),
    advanceRun: (executionId, ms) => advanceRun(instance, executionId, ms),
    async close() {
      instance.turns.close();
      await Promise.all(listeners.splice(0).map((listening) => listening.close()));
      instance.agenda.close();
      await instance.agenda.idle();
      await instance.closeFile();
    },
    endThreads: () => instance.threads.end(),
  };
}

/** Listening beyond loopback needs a key other than the default. */
function refuseOpenDoor(apiKey: string, host: string): void {
  if (apiKey === defaultKey && !loopback.has(host))
    throw new Error(
      `found host ${host} with the default key; expected a key of your own beyond loopback: set apiKey (--api-key)`,
    );
}
