import { once } from "node:events";
import { join } from "node:path";
import { program, start } from "./measure.ts";

/** The bundled service in a process of its own. */
export interface BenchService {
  readonly url: string;
  /** Calls its API and gives the answer's body. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>;
  /** Ends it, and answers what it used. */
  readonly stop: () => Promise<{ readonly cpuMs: number }>;
}

/** Starts `loadform serve` on a free port; resolves when it accepts connections. */
export async function startService(): Promise<BenchService> {
  const report = join(import.meta.dirname, "report-usage.cjs");
  const child = start(process.execPath, ["--require", report, program, "serve", "--port", "0", "--json"]);
  const ended = once(child, "close");
  let used = "";
  child.stdio[3]?.on("data", (part: Buffer) => {
    used += part.toString("utf8");
  });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const { url } = JSON.parse(line.toString("utf8")) as { url: string };
  return {
    url,
    async call(method, path, body) {
      const headers = { "X-Api-Key": "local", "Content-Type": "application/json" };
      const answer = await fetch(url + path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
      return JSON.parse(used) as { cpuMs: number };
    },
  };
}
