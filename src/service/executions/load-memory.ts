import type { LoadedIteration } from "../scripts/drive-load.ts";
import type { ScriptFile, ScriptRun } from "../scripts/script-run.ts";
import type { IterationPlace, RunLogRecord, RunTestRecord } from "../store/records/executions.ts";

/** DECISION (API 2, Executions: what is kept of what the scripts of a run that is really made say): the first 1,000 lines, 2,000 tests, and 20 files of together 8 MB. */
const most = { logs: 1_000, tests: 2_000, files: 20, bytes: 8 * 1024 * 1024 } as const;

/** A file that an iteration wrote. */
export interface LoadedFile extends ScriptFile {
  readonly of: IterationPlace;
}

/** Logs, tests and files of the iterations of a load. Times are milliseconds from the start of the run. */
export class LoadMemory {
  readonly logs: RunLogRecord[] = [];
  readonly tests: RunTestRecord[] = [];
  readonly files: LoadedFile[] = [];
  /** Why one of them failed first. */
  failure: string | null = null;
  /** One of them ended the run. */
  isFatal = false;
  #bytes = 0;

  keep({ regionId, user, iteration, startMs }: LoadedIteration, run: ScriptRun): void {
    const of = { regionId, user, iteration };
    const from = startMs;
    for (const { level, message, atMs } of run.logs) this.#log({ level, message, atMs: from + atMs, of });
    for (const test of run.tests) {
      const { startedMs, finishedMs } = test;
      if (this.tests.length < most.tests)
        this.tests.push({ ...test, startedMs: from + startedMs, finishedMs: from + finishedMs, of });
    }
    for (const file of run.files) this.#file({ ...file, atMs: from + file.atMs, of });
    this.failure ??= run.failure;
    this.isFatal ||= run.logs.some(({ level }) => level === "Fatal");
  }

  /** Something of the load itself went wrong. */
  fail(message: string, atMs: number): void {
    this.failure ??= message;
    this.#log({ level: "Error", message, atMs });
  }

  #log(line: RunLogRecord): void {
    if (this.logs.length > most.logs) return;
    const isFull = this.logs.length === most.logs;
    const message = `the log is full: more than ${most.logs} lines; what follows is not kept`;
    this.logs.push(isFull ? { level: "Error", message, atMs: line.atMs } : line);
  }

  #file(file: LoadedFile): void {
    if (this.files.length >= most.files || this.#bytes + file.bytes.length > most.bytes) return;
    this.#bytes += file.bytes.length;
    this.files.push(file);
  }
}
