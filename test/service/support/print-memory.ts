import fc from "fast-check";
import { makeFullShop } from "./full-shop.ts";
import { randomCall, requestOf } from "./random-calls.ts";
import type { Rig } from "./rig.ts";

interface Rounds {
  readonly rounds: number;
  /** Requests of a round. */
  readonly each: number;
  readonly seed: number;
}

/** Prints the heap in megabytes after each round of random requests, collected; to be run with --expose-gc. */
async function printMemory(way: string, { rounds, each, seed }: Rounds): Promise<void> {
  const heap: number[] = [];
  let rig = await makeFullShop();
  const whole = rig.service.snapshot();
  for (let round = 0; round < rounds; round++) {
    await answer(rig, fc.sample(randomCall, { numRuns: each, seed: seed + round }));
    await rig.service.advance(60_000);
    if (way === "many") {
      await rig.close();
      rig = await makeFullShop();
    } else {
      await rig.service.restore(whole);
      await rig.ok("DELETE", "/_loadform/requests");
    }
    globalThis.gc?.();
    heap.push(process.memoryUsage().heapUsed / 1e6);
  }
  await rig.close();
  process.stdout.write(JSON.stringify(heap));
}

async function answer({ service }: Rig, calls: readonly Parameters<typeof requestOf>[0][]): Promise<void> {
  for (const call of calls) {
    const answered = await service.handle({ ...requestOf(call), headers: { "x-api-key": "local" } });
    answered.body();
  }
}

const [way = "many", rounds, each, seed] = process.argv.slice(2);
await printMemory(way, { rounds: Number(rounds), each: Number(each), seed: Number(seed) });
