import type { WatchConfig } from "../../config/watch/read-watch-config.ts";
import { Problem } from "../../model/diagnostic.ts";
import { redactor } from "../../model/redact.ts";
import type { Notification } from "../../watch/notifications.ts";
import { listenProblem } from "../../watch/status/listen-address.ts";
import { notificationSender } from "../../watch/status/send-notifications.ts";
import type { WatcherView } from "../../watch/watcher-view.ts";
import type { System } from "../system.ts";
import type { Watching } from "./watching.ts";

/** A watcher as others meet it: its status server, and the notifications that it sends. */
export interface Outside {
  /** Of the status page; absent where none is served. */
  readonly url?: string;
  readonly tell: (notification: Notification) => void;
  /** From now on the server shows this watcher. */
  readonly show: (watcher: WatcherView) => void;
  /** Sends what waits, for five seconds at most, and ends the server. */
  readonly close: () => Promise<void>;
}

/**
 * Begins to listen before the first check: a port that is taken is an error before anything was done. Nobody looks at a watcher that
 * ends by itself (`once`), so none is served.
 */
export async function openOutside(
  { config, once, warn }: Pick<Watching, "config" | "once" | "warn">,
  system: System,
): Promise<Outside> {
  const { listen, notify } = config;
  const { now, sleep } = system;
  let watcher: WatcherView | undefined;
  const view: WatcherView = {
    projects: () => watcher?.projects() ?? [],
    ask: (name, options) => watcher?.ask(name, options),
    suspend: (name, until) => watcher?.suspend(name, until),
    resume: (name) => watcher?.resume(name),
  };
  // A file that is checked with --once is one that is fit to be served from.
  const refused = once && listen && listenProblem(listen.address, { hasToken: (listen.token ?? "") !== "" });
  if (refused) throw new Problem([refused]);
  const server =
    listen === undefined || once
      ? undefined
      : await (await import("../../watch/status/serve-status.ts")).serveStatus({
          view,
          now: () => (watcher?.now ?? now)(),
          ...listen,
        });
  const sender = notificationSender(notify, { fetch, redact: redactor(secretsOf(config, system)), warn, sleep });
  return {
    ...(server !== undefined && { url: server.url }),
    tell: sender.tell,
    show: (shown) => {
      watcher = shown;
    },
    async close() {
      await sender.close();
      await server?.close();
    },
  };
}

/** Every secret that the watcher has been given, its own and those of its projects. */
function secretsOf(config: WatchConfig, { env }: System): readonly string[] {
  const { listen, notify, queue, projects } = config;
  const own = [listen?.token, listen?.hookSecret, queue, env["LOADFORM_API_KEY"]];
  const passed = projects.flatMap(({ variables }) => (variables.is === "pass" ? Object.values(variables.pass) : []));
  return [...own, ...notify.map(({ webhook }) => webhook), ...passed].filter((each) => each !== undefined);
}
