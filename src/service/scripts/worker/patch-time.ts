import { promisify } from "node:util";
import type { Random } from "./random.ts";
import type { Timer, TimerQueue } from "./timer-queue.ts";

type Callback = (...args: unknown[]) => void;

/** Timers, Date, performance and Math.random of a script. Random is drawn from the seed, dates begin when the run begins. */
export function patchTime(timers: TimerQueue, startedAt: number, random: Random): Readonly<Record<string, unknown>> {
  const now = () => Math.floor(startedAt + timers.read());
  Object.assign(globalThis, { Date: patchedDate(now) });
  Math.random = random;
  const performanceNow = () => timers.read();
  Object.defineProperty(performance, "now", { value: performanceNow, configurable: true, writable: true });
  Object.defineProperty(performance, "timeOrigin", { value: startedAt, configurable: true });
  const functions = timerFunctions(timers);
  Object.assign(globalThis, functions);
  AbortSignal.timeout = (ms: number) => {
    const controller = new AbortController();
    const reason = () => new DOMException("The operation was aborted due to timeout", "TimeoutError");
    timers.add(() => controller.abort(reason()), delayOf(ms)).unref();
    return controller.signal;
  };
  return functions;
}

/** Dates without arguments are of the service's time; all others as ever. */
function patchedDate(now: () => number): DateConstructor {
  const Real = Date;
  const Patched = new Proxy(Real, {
    construct: (target, args: readonly unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new Real(now()).toString(),
    get: (target, name, receiver) => (name === "now" ? now : (Reflect.get(target, name, receiver) as unknown)),
  });
  Object.defineProperty(Real.prototype, "constructor", { value: Patched, configurable: true, writable: true });
  return Patched;
}

/** The timers of a script. */
export function timerFunctions(timers: TimerQueue): Readonly<Record<string, unknown>> {
  const start =
    (repeats: boolean) =>
    (callback: unknown, ms?: unknown, ...args: unknown[]): Timer => {
      const work = functionOf(callback);
      return timers.add(() => work(...args), delayOf(ms), { repeats });
    };
  const stop = (timer: unknown) => {
    const known = typeof timer === "object" ? timer : timers.find(Number(timer));
    if (known !== undefined && known !== null && "close" in known) (known as Timer).close();
  };
  const setTimeout = Object.assign(start(false), {
    [promisify.custom]: (ms: unknown, value?: unknown) =>
      new Promise((resolve) => timers.add(() => resolve(value), delayOf(ms))),
  });
  const setImmediate = Object.assign(
    (callback: unknown, ...args: unknown[]) => {
      const work = functionOf(callback);
      return timers.add(() => work(...args), 0);
    },
    { [promisify.custom]: (value?: unknown) => new Promise((resolve) => timers.add(() => resolve(value), 0)) },
  );
  return {
    setTimeout,
    setInterval: start(true),
    setImmediate,
    clearTimeout: stop,
    clearInterval: stop,
    clearImmediate: stop,
  };
}

function functionOf(callback: unknown): Callback {
  if (typeof callback === "function") return callback as Callback;
  throw new TypeError(`found ${typeof callback} as the callback of a timer; expected a function`);
}

/** As Node does: at least a millisecond. */
function delayOf(ms: unknown): number {
  const delay = Number(ms);
  return delay >= 1 ? Math.trunc(delay) : 1;
}
