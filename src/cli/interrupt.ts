import type { ExitCode } from "../report/exit-codes.ts";

/** The interrupts by SIGINT and SIGTERM so far. */
export type Interrupt = ReturnType<typeof listenForInterrupts>;

const exitOf = { SIGINT: 130, SIGTERM: 143 } as const;
type SignalName = keyof typeof exitOf;

/** Milliseconds to wait for requests in flight (docs/engine.md, Journal and recovery). */
export const drainMs = 5000;
/** CI kills at about 10 s; a command drains, saves, and has ended after this at the latest (docs/engine.md, Journal and recovery). */
const graceMs = 6500;

/** The last lines of a command that a signal ended: that it was cut off, and what is left. */
export function lastLines(command: string, isCutOff: boolean, left: readonly string[]): string {
  const cutOff = `error LF6005: loadform ${command} was cut off ${graceMs / 1000} s after the signal, while something was in flight. What it did is saved: run it again to continue\n`;
  return [isCutOff ? cutOff : "", ...left.map((each) => `warning LF5001: ${leftLocked}\n  ${each}\n`)].join("");
}

/** The summary of a lock that is left. */
export const leftLocked = "the state remains locked";

type SignalledProcess = Pick<NodeJS.Process, "on" | "exit" | "removeAllListeners" | "kill" | "pid">;

/** Listens to a process's signals: the first is a request, the second ends it at once. */
export function listenForInterrupts(process: SignalledProcess) {
  // A program of a project that is loaded just then has another one put in its place.
  const { exit: end } = process;
  const controller = new AbortController();
  const patience = new AbortController();
  const work = new Map<() => Promise<void>, () => string | undefined>();
  let isTakenOver = false;
  let isForced = false;
  let first: SignalName | undefined;
  let say: (isCutOff: boolean, left: readonly string[]) => void = () => undefined;
  let receiver: ((name: SignalName) => void) | undefined;
  const force = (name: SignalName) => {
    process.removeAllListeners(name);
    process.kill(process.pid, name);
  };
  const interrupted = (name: SignalName) => {
    if (receiver !== undefined) return receiver(name);
    const isFirst = first === undefined;
    first ??= name;
    const exit = (isCutOff = false) => {
      const left = [...work.values()].flatMap((words) => words() ?? []);
      if (isCutOff || !isTakenOver || left.length > 0) say(isCutOff, left);
      if (isForced) force(name);
      else end.call(process, exitOf[name]);
    };
    if (!isFirst || (!isTakenOver && work.size === 0)) exit();
    setTimeout(() => exit(isTakenOver), graceMs);
    setTimeout(() => patience.abort(), drainMs);
    controller.abort();
    if (!isTakenOver)
      void Promise.allSettled([...work.keys()].map((each) => each().then(() => work.delete(each)))).then(() => exit());
  };
  process.on("SIGINT", () => interrupted("SIGINT"));
  process.on("SIGTERM", () => interrupted("SIGTERM"));
  return {
    /** Aborted by the first signal. */
    signal: controller.signal as AbortSignal,
    /** Aborted once the requests in flight at the first signal have had their time: they are to be given up. */
    givenUp: patience.signal as AbortSignal,
    /** The exit code that the first signal asks for. */
    code: (): ExitCode | undefined => first && exitOf[first],
    /**
     * To be done before the first signal ends the process; answers how to take it back. `left` says what remains where a
     * signal ends the process before.
     */
    beforeExit(each: () => Promise<void>, left: () => string | undefined = () => undefined) {
      work.set(each, left);
      return () => void work.delete(each);
    },
    /** Said when a signal ends the process: of a command that has taken over, when its time is over (`isCutOff`) or something is left. */
    lastWords(words: (isCutOff: boolean, left: readonly string[]) => void) {
      say = words;
    },
    /** The exit code of a command that ended by itself: the signal's, unless the command has taken over. */
    orCode: (own: ExitCode): ExitCode => (isTakenOver || first === undefined ? own : exitOf[first]),
    /** From now on the first signal is only noted, and the command ends by itself; until then it ends the process. */
    takeOver() {
      isTakenOver = true;
    },
    /** Ends the process by its first signal, as if nobody listened: at once, where an exit waits for what threads still do. */
    endByForce: () => force(first ?? "SIGTERM"),
    /** From now on the second signal does so too. */
    allowForce() {
      isForced = true;
    },
    /** From now on signals are only passed on, and the command ends by itself. */
    handOver(each: (name: SignalName) => void) {
      receiver = each;
    },
  };
}
