import type { ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type Diagnostic, unlessThrown } from "../../model/diagnostic.ts";
import { redactor } from "../../model/redact.ts";
import type { CheckResult, Found } from "../check-result.ts";
import { type CheckLine, readCheckLine } from "./check-lines.ts";
import type { CheckRequest } from "./check-request.ts";
import { keptOutput } from "./kept-output.ts";

/** The process of a check, and what it is given. */
export interface CheckStart {
  readonly spawn: typeof spawn;
  /** The file that is started with this version of Node. */
  readonly entry: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Values that no message may show. */
  readonly secrets: readonly string[];
  readonly request: CheckRequest;
  readonly timeoutSecs: number;
  /** Is told what was found, and answers the addresses to heal. */
  readonly compared: (found: Found) => readonly string[] | Promise<readonly string[]>;
  /** Aborted: the process ends after the write that is under way. */
  readonly signal: AbortSignal;
}

/** Time between the request to end and the end, in which a write under way is finished and journalled. */
const graceMs = 9_000;
/** Timers cannot wait longer. */
const longestMs = 2 ** 31 - 1;
/** Time for the pipes to be read to their ends once the process has ended. */
const drainMs = 2_000;
/** Bytes that a process may say: the findings of a project of 50,000 objects. */
const mostSaid = 16_000_000;

/**
 * Runs a check in a process of its own, with an environment, a process group and pipes of its own and nothing else of the watcher. It is
 * ended with all that it started after its time, and never throws: whatever goes wrong with it is the result.
 */
export async function runCheck(start: CheckStart): Promise<CheckResult> {
  const { entry, env, request, timeoutSecs, signal } = start;
  if (signal.aborted) return endedEarly("the watcher is ending", "The check was not begun");
  const child = unlessThrown(() =>
    start.spawn(process.execPath, [entry], {
      env: { ...env },
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      windowsHide: true,
    }),
  );
  if (child === undefined) return endedEarly("the check could not be started", unstarted);
  endWithThis(child);
  const [out, err] = [keptOutput(), keptOutput()];
  child.stdout?.on("data", out.add);
  child.stderr?.on("data", err.add);
  child.stdin?.on("error", () => undefined);
  let why: string | undefined;
  const end = (reason: string) => {
    why ??= reason;
    signalGroup(child, "SIGTERM");
    timers.push(setTimeout(() => signalGroup(child, "SIGKILL"), graceMs));
  };
  const timers = [
    setTimeout(
      () => end(`It took longer than ${timeoutSecs} s (timeoutSecs)`),
      Math.min(timeoutSecs * 1000, longestMs),
    ),
  ];
  const onAbort = () => end("The watcher is ending");
  signal.addEventListener("abort", onAbort, { once: true });
  let result: CheckResult | undefined;
  let isAnswered = false;
  const take = async (line: CheckLine | undefined) => {
    if (line?.says === "ended") result = line.result;
    else if (line === undefined || isAnswered) end("It said something that is no part of a check");
    else {
      isAnswered = true;
      child.stdin?.write(`${JSON.stringify({ heal: await start.compared(line.found) })}\n`);
    }
  };
  readLines(child.stdio[3] as Readable | null | undefined, {
    line: (text) => void take(readCheckLine(text)),
    tooMuch: end,
  });
  child.stdin?.write(`${JSON.stringify({ request })}\n`);
  const ended = await processEnd(child);
  for (const timer of timers) clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  return result ?? endedEarly("the check ended without a result", `${why ?? ended}.${lastWords(err.text(), start)}`);
}

/** The message of the system is not repeated: it can have a value in it. */
const unstarted =
  "The system started no process: it has no memory for it, or the values under pass are too large or contain null bytes";

/** Signals the process and everything that it started, as far as that remained in its group. */
function signalGroup({ pid }: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // All of it has ended.
  }
}

/** Checks that run. */
const running = new Set<ChildProcess>();

/** Ends a check with this process, which leaves its own group: one that computes for ever takes no other signal than the last. */
function endWithThis(child: ChildProcess): void {
  if (running.size === 0) process.on("exit", endRunning);
  running.add(child);
  child.once("close", () => {
    running.delete(child);
    if (running.size === 0) process.off("exit", endRunning);
  });
}

function endRunning(): void {
  for (const each of running) signalGroup(each, "SIGKILL");
}

/** The words for the end of the process, once its pipes were read; what it started is ended with it. */
function processEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let words = "";
    child.once("error", (problem) => resolve(`It could not be started: ${problem.message}`));
    child.once("exit", (code, name) => {
      words = name === null ? `Its process ended with code ${code}` : `Its process was ended by ${name}`;
      signalGroup(child, "SIGKILL");
      setTimeout(() => {
        for (const pipe of child.stdio) pipe?.destroy();
      }, drainMs).unref();
    });
    child.once("close", () => resolve(words));
  });
}

function readLines(
  stream: Readable | null | undefined,
  { line, tooMuch }: { readonly line: (text: string) => void; readonly tooMuch: (reason: string) => void },
): void {
  let [parts, size]: [Buffer[], number] = [[], 0];
  stream?.on("error", () => undefined);
  stream?.on("data", (part: Buffer) => {
    size += part.length;
    if (size > mostSaid) {
      parts = [];
      return tooMuch(`It said more than ${mostSaid / 1_000_000} MB`);
    }
    let rest = part;
    for (let at = rest.indexOf("\n"); at >= 0; at = rest.indexOf("\n")) {
      line(Buffer.concat([...parts, rest.subarray(0, at)]).toString("utf8"));
      [parts, rest] = [[], rest.subarray(at + 1)];
    }
    if (rest.length > 0) parts.push(rest);
  });
}

/** The last line that it wrote to stderr, without what it was passed. */
function lastWords(text: string, { secrets }: CheckStart): string {
  const line = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : ` Its last words: ${redactor(secrets)(line.slice(0, 1000)).slice(0, 300)}`;
}

function endedEarly(summary: string, detail: string): CheckResult {
  const diagnostic: Diagnostic = { severity: "error", code: "LF8004", summary, detail };
  return { is: "failed", diagnostics: [diagnostic] };
}
