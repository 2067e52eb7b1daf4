import { once } from "node:events";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { thrownWords } from "../../model/diagnostic.ts";
import type { System } from "../../project/system.ts";
import type { CheckTalk } from "../../project/watch/check-project.ts";
import type { CheckResult, Found } from "../../watch/check-result.ts";
import type { CheckLine } from "../../watch/process/check-lines.ts";
import type { CheckRequest } from "../../watch/process/check-request.ts";
import { writeCodeCache } from "../code-cache.ts";
import { type Interrupt, listenForInterrupts } from "../interrupt.ts";
import { forgetAllocator, prepareEngine, versionIn } from "../prepare-engine.ts";

/** The descriptor of the pipe to the watcher: what a project's program prints is not on it. */
const pipe = 3;

/** Checks one project for a watcher and ends the process; `home` is the package's folder. */
export async function runCheckProcess(host: NodeJS.Process, home: URL): Promise<void> {
  forgetAllocator(host.env);
  const version = () => versionIn(home);
  await prepareEngine(host, { name: "watch-check", home, version, env: host.env });
  const interrupt = listenForInterrupts(host);
  const lines = createInterface({ input: host.stdin })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? "null") as unknown;
  const toWatcher = new Socket({ fd: pipe, readable: false, writable: true });
  // Without a watcher nobody answers, and nobody needs the result.
  toWatcher.on("error", () => host.exit(1));
  const say = (line: CheckLine) =>
    new Promise<void>((resolve) => toWatcher.write(`${JSON.stringify(line)}\n`, () => resolve()));
  const { request } = (await next()) as { readonly request: CheckRequest };
  const talk: CheckTalk = {
    async compared(found: Found) {
      await say({ says: "compared", found });
      const answer = (await next()) as { readonly heal: readonly string[] } | null;
      return answer?.heal ?? [];
    },
    signal: interrupt.signal,
    beforeWrites: interrupt.takeOver,
  };
  const result = await checkOrFail(request, await checkSystem(host, { request, interrupt, version: version() }), talk);
  await say({ says: "ended", result });
  if (result.is === "checked") await writeCodeCache();
  toWatcher.end();
  await once(toWatcher, "close").catch(() => undefined);
  host.exit(interrupt.code() ?? 0);
}

async function checkOrFail(request: CheckRequest, system: System, talk: CheckTalk): Promise<CheckResult> {
  try {
    const { checkProject } = await import("../../project/watch/check-project.ts");
    return await checkProject(request, system, talk);
  } catch (thrown) {
    const words = thrownWords(thrown);
    const detail = `This is a defect in loadform: ${words}. Please report it with the output of loadform plan`;
    return { is: "failed", diagnostics: [{ severity: "error", code: "LF9002", summary: "the check failed", detail }] };
  }
}

/** The code of the engine is asked for here and not before, so that it comes from the code cache. */
async function checkSystem(
  host: NodeJS.Process,
  {
    request: { dir, isCheckout, requestTimeoutMs },
    interrupt,
    version,
  }: { readonly request: CheckRequest; readonly interrupt: Interrupt; readonly version: string },
): Promise<System> {
  const { processSystem } = await import("../../project/system.ts");
  const { programName } = await import("../system-of.ts");
  const none = () => undefined;
  return {
    ...processSystem(version, {
      locks: { signal: interrupt.signal, hold: interrupt.beforeExit, notice: none, waiting: none },
      ...programName(),
    }),
    env: host.env,
    // Commands in messages name a folder as whoever reads them would.
    cwd: isCheckout ? dir : host.cwd(),
    givenUp: interrupt.givenUp,
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  };
}
