import { AsyncLocalStorage } from "node:async_hooks";
import * as nodeCrypto from "node:crypto";
import type { ScriptPhase } from "../script-run.ts";
import type { LoadTask, WorkerReport } from "../worker-task.ts";
import { RecordedIteration } from "./iteration.ts";
import { MemoryFiles } from "./memory-files.ts";
import { Network } from "./network/network.ts";
import { timerFunctions } from "./patch-time.ts";
import { Recorder } from "./recorder.ts";
import { callScript, compileScript, makeRoom, outputDir, type ScriptRoom } from "./script-room.ts";
import { Suites } from "./suites.ts";
import { TimerQueue } from "./timer-queue.ts";

const realTimeout = setTimeout;
const lookEveryMs = 2;
/** Compression and the like take no connection and no timer: so long a script may wait for such work. */
const longestSilenceMs = 1_000;
const longestMs = 30_000;

/** One iteration among others in its thread. */
export class LoadIteration extends RecordedIteration {
  readonly reports: readonly WorkerReport[];
  readonly #task: LoadTask;
  protected override network: Network;
  readonly #suites: Suites;

  constructor(task: LoadTask) {
    const reports: WorkerReport[] = [];
    const timers = new TimerQueue("exact");
    super(new Recorder({ postMessage: (report: WorkerReport) => void reports.push(report) }, timers), timers);
    this.reports = reports;
    this.#task = task;
    this.network = new Network(task, this);
    this.#suites = new Suites(this, task.input.seed);
  }

  /** Runs one of the texts until nothing of it remains. */
  async run(phase: ScriptPhase, dataTable: unknown): Promise<void> {
    this.recorder.begin(phase);
    const files = new MemoryFiles(outputDir, this.recorder);
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    current.run(this, () => {
      this.#work(phase, files, dataTable).then(settle, (thrown: unknown) => this.fail(thrown));
    });
    let busyAt = this.timers.now();
    while (!this.hasEnded) {
      if (this.timers.isBusy || this.network.isBusy) busyAt = this.timers.now();
      else if (isSettled) break;
      else if (this.timers.now() - busyAt > longestSilenceMs)
        this.end(`${phase} waits for a promise that nothing settles any more`);
      if (this.timers.now() > longestMs) this.end(`the iteration was ended after ${longestMs / 1000} s`);
      await new Promise((resolve) => realTimeout(resolve, lookEveryMs));
    }
    files.report();
    this.stop();
    this.recorder.begin("end");
  }

  /** The globals and the `require` of this iteration's script. */
  room(files: MemoryFiles, dataTable: unknown): ScriptRoom {
    const suites = this.#suites;
    const timers = timerFunctions(this.timers);
    const parts = { iteration: this, network: this.network, files, suites, dataTable };
    const room = makeRoom(this.#task, { ...parts, timers, crypto: { module: nodeCrypto } });
    // `require` is a parameter of the text by itself.
    const { require: _, ...globals } = room.globals;
    return { ...room, globals: { ...globals, ...timers } };
  }

  async #work(phase: ScriptPhase, files: MemoryFiles, dataTable: unknown): Promise<void> {
    const room = this.room(files, dataTable);
    const text = this.#task.input[phase] ?? "";
    const script = compiledOf(text, phase, Object.keys(room.globals));
    if (text !== "") await callScript(script(...Object.values(room.globals)), room);
    await this.#suites.run();
  }
}

/** Whose iteration it is that something happens in. */
export const current = new AsyncLocalStorage<LoadIteration>();

type Compiled = ReturnType<typeof compileScript>;

/** Each text is compiled once in its thread. */
const compiledTexts = new Map<ScriptPhase, Compiled>();

function compiledOf(text: string, phase: ScriptPhase, names: readonly string[]): Compiled {
  const known = compiledTexts.get(phase) ?? compileScript(text, phase, names);
  compiledTexts.set(phase, known);
  return known;
}
