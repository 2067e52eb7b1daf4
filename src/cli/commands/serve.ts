import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Diagnostic, errorOf, hasErrors } from "../../model/diagnostic.ts";
import { seedService, seedSettings, settingProblems } from "../../project/seed-service.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import { createService, type Service, type Settings, WrongKey, WrongSettings } from "../../service/index.ts";
import type { Command, CommandInput } from "../command.ts";
import { usageProblem } from "../flag-table.ts";
import type { Interrupt } from "../interrupt.ts";
import { systemOf } from "../system-of.ts";
import { printJsonLine } from "../views/json-output.ts";
import { withoutSecrets } from "../views/redact-output.ts";
import { reportRefusal } from "../views/report-refusal.ts";

const defaults = { host: "127.0.0.1", port: 8080, apiKey: "local" };

/** `loadform serve`: the bundled service over HTTP, until a signal ends it. */
export const serve: Command = async (input) => {
  const { flags, terminal, argv, interrupt } = input;
  const exposed = openToOthers(flags.host ?? defaults.host, flags.apiKey ?? defaults.apiKey);
  if (exposed) return reportRefusal(terminal, argv, [exposed]);
  interrupt.takeOver();
  interrupt.allowForce();
  try {
    return await run(input);
  } catch (thrown) {
    const diagnostic = serveProblem(input, thrown);
    if (diagnostic === undefined) throw thrown;
    return reportRefusal(terminal, argv, [diagnostic]);
  }
};

async function run(input: CommandInput): Promise<ExitCode> {
  const { flags, terminal, argv, cwd, interrupt } = input;
  const { host = defaults.host, port = defaults.port, apiKey = defaults.apiKey } = flags;
  const data = flags.data === undefined ? undefined : resolve(cwd, flags.data);
  const isOld = data !== undefined && existsSync(data);
  const settings = await seedSettings(flags.seed, systemOf(input));
  const service = await open(input, { data, settings });
  if (!("handle" in service)) return reportRefusal(terminal, argv, service);
  try {
    if (flags.seed !== undefined) {
      // What an earlier start stored remains as it is.
      const seeded = isOld ? createService({ apiKey, settings }) : service;
      const { diagnostics } = await seedService(seeded, flags.seed, systemOf(input));
      const problems = withoutSecrets(diagnostics, undefined, input.env);
      if (hasErrors(problems)) return reportRefusal(terminal, argv, problems);
      service.keepAsSeed(seeded.snapshot());
      // Its schedules would run there.
      if (isOld) await seeded.close();
    }
    const { url } = await service.listen(port, host);
    announce(input, url, apiKey);
    if (isOld && flags.seed && !flags.json) terminal.out(`${flags.data} ${keptData}`);
    await untilInterrupted(interrupt);
  } finally {
    await service.close();
  }
  await terminal.flush();
  if (!(await service.endThreads())) interrupt.endByForce();
  return interrupt.code() ?? 0;
}

/** The service, or why it cannot be made: wrong settings, a data file that is locked by another process, damaged, of another format. */
async function open(
  input: CommandInput,
  { data, settings }: { readonly data: string | undefined; readonly settings: Partial<Settings> },
): Promise<Service | readonly Diagnostic[]> {
  const { flags } = input;
  const { apiKey = defaults.apiKey, clock = "real", strict = false, allowScripts = false, live = false } = flags;
  const options = {
    ...{ clock, apiKey, strict, allowScripts, live },
    // What is no mapping is refused as it is.
    settings: live && typeof settings === "object" ? { engine: "live" as const, ...settings } : settings,
  };
  try {
    return createService({ ...options, ...(data === undefined ? {} : { data }) });
  } catch (thrown) {
    if (thrown instanceof WrongKey) return [usageProblem("--api-key cannot be used", thrown.message)];
    if (thrown instanceof WrongSettings && flags.seed !== undefined)
      return settingProblems(flags.seed, thrown, systemOf(input));
    if (data === undefined || !(thrown instanceof Error)) throw thrown;
    const detail = `${flags.data}: ${thrown.message}. It was left alone; name another file, or omit --data to store nothing`;
    return [errorOf("LF5003", "the data file cannot be used", detail)];
  }
}

const simulated = "Runs are simulated; with --live they make real load.\n";
const realLoad =
  "Runs make real load (--live): against this machine and allowedHosts, at most 50 users for 60 seconds; a larger run is refused. The header X-Loadform-Engine: model computes one instead.\n";

const keptData =
  "was there: it is served as it is. The seed is what POST /_loadform/reset restores; to begin with it, remove the file.\n";

function announce({ flags, terminal }: CommandInput, url: string, apiKey: string): void {
  if (flags.json) printJsonLine(terminal, { url, apiKey, pid: process.pid });
  else {
    const key = apiKey === defaults.apiKey ? apiKey : "as given with --api-key";
    const pages = `Console: ${url}/_loadform/console, docs: ${url}/_loadform/docs`;
    terminal.out(`The bundled service listens at ${url} (key: ${key}). ${pages}\n${flags.live ? realLoad : simulated}`);
  }
}

/** Beyond loopback the well-known key would be no key at all. */
function openToOthers(host: string, apiKey: string): Diagnostic | undefined {
  const isLoopback = host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
  if (isLoopback || apiKey !== defaults.apiKey) return undefined;
  const detail = `With --host ${host} others can reach it, and the key is the default one. Set a secret key with --api-key`;
  return usageProblem("listening beyond loopback needs its own key", detail);
}

function untilInterrupted({ signal }: Interrupt): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Why a server cannot start, or its data cannot be folded at the end, and what to do; undefined for a defect. */
function serveProblem({ flags }: CommandInput, thrown: unknown): Diagnostic | undefined {
  if (thrown instanceof Error && thrown.name === "NotFolded")
    return { severity: "error", code: "LF5003", summary: "the data file cannot be written", detail: thrown.message };
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const host = flags.host ?? defaults.host;
  const port = flags.port ?? defaults.port;
  const taken = `Another program listens at ${host}:${port}. Name a free port with --port, or --port 0 for any`;
  const reserved = "You have no permission for ports below 1024. Name a higher one, as in --port 8080";
  const absent = "This machine has no such address. Name one of its own, as in --host 127.0.0.1";
  if (code === "EADDRINUSE") return usageProblem(`port ${port} is taken`, taken);
  if (code === "EACCES" && port < 1024) return usageProblem(`port ${port} cannot be used`, reserved);
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(code))
    return usageProblem(`cannot listen at ${host}`, absent);
  return undefined;
}
