import { describe, expect, it } from "vitest";
import { type Limiter, makeLimiter, type Slot } from "../../src/client/limit-requests.ts";

/** Asks for more slots than there are; answers those that were granted. */
async function grantedSlots(limiter: Limiter, wanted = 40): Promise<Slot[]> {
  const slots: Slot[] = [];
  for (let count = 0; count < wanted; count++) void limiter.acquire().then((slot) => slots.push(slot));
  await new Promise((resolve) => setImmediate(resolve));
  return slots;
}

async function cleanAnswers(limiter: Limiter, count: number): Promise<void> {
  for (let index = 0; index < count; index++) (await limiter.acquire()).release("clean");
}

describe("the adaptive limit", () => {
  it("lets eight through and the next one when one is done", async () => {
    const slots = await grantedSlots(makeLimiter());
    expect(slots).toHaveLength(8);
    slots[0]?.release("clean");
    await new Promise((resolve) => setImmediate(resolve));
    expect(slots).toHaveLength(9);
  });

  it.each([
    [49, 8],
    [50, 9],
    [399, 15],
    [400, 16],
    [5000, 16],
  ])("after %i clean answers is %i", async (count, expected) => {
    const limiter = makeLimiter();
    await cleanAnswers(limiter, count);
    expect(limiter.limit()).toBe(expected);
  });

  it("halves once for answers of the same moment, and again for a later one", async () => {
    const limiter = makeLimiter();
    for (const slot of await grantedSlots(limiter, 8)) slot.release("busy");
    expect(limiter.limit()).toBe(4);
    (await limiter.acquire()).release("busy");
    expect(limiter.limit()).toBe(2);
    for (let count = 0; count < 5; count++) (await limiter.acquire()).release("busy");
    expect(limiter.limit()).toBe(1);
  });

  it("starts to count clean answers anew after a halving, and failures count neither way", async () => {
    const limiter = makeLimiter();
    await cleanAnswers(limiter, 49);
    (await limiter.acquire()).release("busy");
    await cleanAnswers(limiter, 49);
    (await limiter.acquire()).release("other");
    expect(limiter.limit()).toBe(4);
    await cleanAnswers(limiter, 1);
    expect(limiter.limit()).toBe(5);
  });

  it("takes fewer after a halving although many wait", async () => {
    const limiter = makeLimiter();
    const slots = await grantedSlots(limiter);
    for (const slot of slots.slice(0, 5)) slot.release("busy");
    await new Promise((resolve) => setImmediate(resolve));
    expect(slots).toHaveLength(9);
  });
});

describe("a fixed limit", () => {
  it("stays, whatever is answered", async () => {
    const limiter = makeLimiter(3);
    await cleanAnswers(limiter, 200);
    (await limiter.acquire()).release("busy");
    expect(limiter.limit()).toBe(3);
    expect(await grantedSlots(limiter)).toHaveLength(3);
  });
});
