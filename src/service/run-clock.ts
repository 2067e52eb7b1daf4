import { setImmediate as others } from "node:timers/promises";
import { Refusal } from "./core/refusal.ts";
import type { Instance } from "./instance.ts";

/** As long as events are carried out at once; then whoever else called is answered. */
const sliceMs = 20;
const mostRuns = 100_000;
const lastMoment = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Moves the clock forward, carries out all that falls due, and returns when it has settled and is durable.
 * Time moves from event to event, so that calls that come meanwhile see whole moments; closing the service ends it.
 */
export async function advance(instance: Instance, ms: number): Promise<void> {
  const { clock, due } = instance;
  due.settle();
  refuseFar(instance, ms);
  let began = performance.now();
  for (let left = ms; left > 0 && !due.isClosed; ) {
    const step = Math.min(left, Math.max(1, due.msToNext()));
    clock.move(step);
    left -= step;
    due.settle();
    if (performance.now() - began < sliceMs) continue;
    await others();
    began = performance.now();
  }
  await due.settled();
}

/** DECISION (seed 1, Schedule: how many runs fall due at once is not bounded): one call of advance carries out at most 100,000 scheduled runs, and ends before the year 10000; more is 400, and nothing moves. */
function refuseFar({ clock, due }: Instance, ms: number): void {
  const runs = due.mostRuns(ms);
  if (runs > mostRuns)
    throw farther(`found ${ms}, in which up to ${runs} scheduled runs fall due; expected at most ${mostRuns} at once`);
  if (clock.wall() + ms > lastMoment)
    throw farther(`found ${ms}, which leads beyond ${new Date(lastMoment).toISOString()}; expected a moment before`);
}

function farther(message: string): Refusal {
  const whole = `${message}: advance in smaller steps`;
  return new Refusal(400, `ms: ${whole}`, { errors: [{ field: "ms", message: whole }] });
}
