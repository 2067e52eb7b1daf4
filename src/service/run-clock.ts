import type { Instance } from "./instance.ts";

/** Moves the clock forward, carries out all that falls due, and returns when it has settled and is durable (service.md 7.6). */
export async function advance({ clock, due }: Instance, ms: number): Promise<void> {
  due.settle();
  clock.move(ms);
  due.settle();
  await due.settled();
}
