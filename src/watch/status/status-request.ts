import type { WatcherView } from "../watcher-view.ts";
import type { Headers } from "./hooks.ts";
import type { Metrics } from "./metrics.ts";
import { Refusal } from "./refusal.ts";
import type { StatusPage } from "./status-page.ts";

/** A request as the routes see it. */
export interface StatusRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: Headers;
  /** The bytes of the body; refuses a longer one. */
  readonly readBody: (limit: number) => Promise<Uint8Array>;
}

/** An answer before it is sent. */
export interface StatusAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** All that answers are made of. */
export interface StatusSources {
  readonly view: WatcherView;
  readonly token: string | undefined;
  /** Hooks are answered with 404 without it. */
  readonly hookSecret: string | undefined;
  readonly now: () => number;
  readonly metrics: () => Promise<Metrics>;
  readonly page: () => StatusPage;
}

/** One request on its way to an answer; `name` is what its path names: a project, or the sender of a hook. */
export interface Asked {
  readonly request: StatusRequest;
  readonly sources: StatusSources;
  readonly name: string;
}

/** A JSON document as an answer. */
export function jsonAnswer(status: number, document: object, headers: StatusAnswer["headers"] = {}): StatusAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: `${JSON.stringify(document)}\n` };
}

/** An answer of the watcher; it cannot always be asked, as when the queue's database is away. */
export async function fromWatcher<Value>(ask: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch {
    throw new Refusal(503, "The watcher cannot be asked now; its log says why. Try again later", {
      "retry-after": "5",
    });
  }
}
