import type { buildConnector, Dispatcher } from "undici";
import { watchSocket } from "./last-look.ts";

/** Below the idle time after which servers hang up, so that a POST rarely meets a dead connection (docs/engine.md, Retries). */
const keepAliveMs = 4_000;

/** Which connections to open. */
export interface DispatcherSettings {
  readonly origin: string;
  readonly connections: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Loads undici and opens connections to one origin, through the environment's proxy when it names one. */
export async function openDispatcher({ origin, connections, env }: DispatcherSettings): Promise<Dispatcher> {
  const options = {
    connections,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const proxy = proxyFor(origin, env);
  if (proxy === undefined) {
    const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
    return new Pool(origin, { ...options, connect: await watchedConnector() });
  }
  // Tunnels need methods that undici adds to its dispatchers only as a whole; a bundle has them under `default`.
  const { EnvHttpProxyAgent } = (await import("undici")).default;
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: lookUp(env, "NO_PROXY") ?? "",
  });
}

/** Opens connections as undici does, and watches what is written to them. */
async function watchedConnector(): Promise<buildConnector.connector> {
  const { default: build } = await import("undici/lib/core/connect.js");
  const connect = build({});
  return (options, callback) =>
    connect(options, (...[problem, socket]) =>
      socket ? callback(null, watchSocket(socket)) : callback(problem ?? new Error("no connection"), null),
    );
}

function proxyFor(origin: string, env: DispatcherSettings["env"]): string | undefined {
  return lookUp(env, origin.startsWith("https:") ? "HTTPS_PROXY" : "HTTP_PROXY");
}

/** The lower-case spelling counts first, as in other tools; empty means unset. */
function lookUp(env: DispatcherSettings["env"], name: string): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined;
}
