import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freshFolder, runCli, startCli } from "./run-cli.ts";

/** What `serve --json` says first. */
interface Ready {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
}

/** Starts `loadform serve` on a free port and waits until it listens. */
export async function startService(...args: string[]) {
  const child = await startCli(["serve", "--port", "0", "--json", ...args]);
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const ready = JSON.parse(line) as Ready;
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { "X-Api-Key": ready.apiKey, "content-type": "application/json", connection: "close" };
    const response = await fetch(`${ready.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as unknown };
  };
  const stop = async (signal: NodeJS.Signals) => {
    const closed = once(child, "close");
    child.kill(signal);
    return ((await closed) as [number | null])[0];
  };
  return { child, ready, call, stop };
}

/** A service that listens. */
export type RunningService = Awaited<ReturnType<typeof startService>>;

/** A fresh folder with a project that is kept at a service. */
export function servedProject(service: RunningService, text: string, more: Readonly<Record<string, string>> = {}) {
  const cwd = freshFolder();
  const env = { LOADFORM_URL: service.ready.url, LOADFORM_API_KEY: service.ready.apiKey, ...more };
  const write = (next: string) => writeFileSync(join(cwd, "loadform.yaml"), next);
  write(text);
  return {
    cwd,
    write,
    run: (...args: string[]) => runCli(args, { cwd, env }),
    feed: (input: string, ...args: string[]) => runCli(args, { cwd, env, input }),
    start: (...args: string[]) => startCli(args, { cwd, env }),
  };
}
