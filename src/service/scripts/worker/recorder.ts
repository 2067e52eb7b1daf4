import type { MessagePort } from "node:worker_threads";
import type { CustomMetric, ScriptLog, ScriptPhase, ScriptRequest, ScriptTest } from "../script-run.ts";
import type { WorkerReport } from "../worker-task.ts";
import type { TimerQueue } from "./timer-queue.ts";

/** Most of each that a run reports; more is counted and not kept. */
const most = {
  lines: 1_000,
  characters: 256 * 1024,
  lineLength: 10_000,
  requests: 10_000,
  metrics: 10_000,
  tests: 2_000,
};

const full = `the log is full: more than ${most.lines} lines or ${most.characters / 1024} KB; what follows is not kept`;

/** Reports what a script does as it does it, within bounds; nothing of a phase that has ended. */
export class Recorder {
  phase: ScriptPhase = "init";
  isOpen = true;
  failure: string | undefined;
  readonly #timers: TimerQueue;
  readonly #post: (report: WorkerReport) => void;
  #lines = 0;
  #characters = 0;
  #counts = { requests: 0, metrics: 0, tests: 0 };

  constructor(port: Pick<MessagePort, "postMessage">, timers: TimerQueue) {
    this.#post = port.postMessage.bind(port);
    this.#timers = timers;
  }

  /** Whole milliseconds since the run began. */
  now(): number {
    return this.#timers.whole();
  }

  begin(name: ScriptPhase | "end"): void {
    if (name !== "end") this.phase = name;
    this.isOpen = name !== "end";
    this.#post({ kind: "phase", value: { name, atMs: this.now() } });
  }

  /** DECISION (API 1, Script validation result: logs): the log of a run ends after 1,000 lines or 256 KB, and says so. */
  log(level: ScriptLog["level"], message: string): void {
    if (!this.isOpen || this.#lines > most.lines || this.#characters > most.characters) return;
    const line = message.length > most.lineLength ? `${message.slice(0, most.lineLength)}… (cut)` : message;
    this.#lines++;
    this.#characters += line.length;
    const isFull = this.#lines > most.lines || this.#characters > most.characters;
    this.#line(isFull ? "Error" : level, isFull ? full : line);
  }

  #line(level: ScriptLog["level"], message: string): void {
    this.#post({ kind: "log", value: { level, message, atMs: this.now() } });
  }

  /** A request again replaces what was said of its connection. */
  request(value: ScriptRequest, { order, isNew }: { readonly order: number; readonly isNew: boolean }): void {
    if (isNew && !this.#hasRoom("requests")) return;
    this.#post({ kind: "request", value, order });
  }

  metric(value: CustomMetric): void {
    if (this.isOpen && this.#hasRoom("metrics")) this.#post({ kind: "metric", value });
  }

  test(value: ScriptTest): void {
    if (this.isOpen && this.#hasRoom("tests")) this.#post({ kind: "test", value });
  }

  file(name: string, bytes: Uint8Array, atMs: number): void {
    this.#post({ kind: "file", value: { name, bytes, atMs } });
  }

  /** Why the iteration ended before its end: the first reason holds. */
  fail(text: string, level: ScriptLog["level"] = "Error"): void {
    if (level === "Error") this.#line(level, text);
    if (this.failure !== undefined) return;
    this.failure = text;
    this.#post({ kind: "failure", value: text });
  }

  /** Counts one more; false once there is no room for it. */
  #hasRoom(name: "requests" | "metrics" | "tests"): boolean {
    this.#counts[name]++;
    if (this.#counts[name] === most[name] + 1)
      this.log("Error", `more than ${most[name]} ${name} in one iteration; what follows is not kept`);
    return this.#counts[name] <= most[name];
  }
}
