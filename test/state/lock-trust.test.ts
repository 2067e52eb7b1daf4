import { afterAll, describe, expect, test, vi } from "vitest";
import { trustLock } from "../../src/state/lock-trust.ts";

/** It never goes back, from one test to the next; whole, so that spans add up exactly. */
let steady = Math.ceil(performance.now());
const spy = vi.spyOn(performance, "now").mockImplementation(() => steady);
afterAll(() => spy.mockRestore());

/** A trust whose clocks the test moves: both, or the wall clock alone. */
function trusting(forMs: number) {
  const clocks = { wall: 1_000_000 };
  const trust = trustLock(() => clocks.wall, forMs);
  const pass = (ms: number) => {
    steady += ms;
    clocks.wall += ms;
  };
  return { trust, clocks, pass };
}

describe("trust in a lock", () => {
  test("begins with the first proof, and ends so long after it began", () => {
    const { trust, pass } = trusting(1_000);
    expect(trust.isYoung()).toBe(false);
    const at = trust.moment();
    pass(400);
    trust.proved(at);
    pass(600);
    expect(trust.isYoung()).toBe(true);
    pass(1);
    expect(trust.isYoung()).toBe(false);
    trust.proved(trust.moment());
    expect(trust.isYoung()).toBe(true);
  });

  test("is not made longer by a proof that began earlier", () => {
    const { trust, pass } = trusting(1_000);
    const early = trust.moment();
    pass(800);
    trust.proved(trust.moment());
    trust.proved(early);
    pass(900);
    expect(trust.isYoung()).toBe(true);
  });

  test("does not outlive a process that stood still for more than a second, however long it lasts", () => {
    const { trust, pass } = trusting(5_000);
    trust.proved(trust.moment());
    pass(900);
    expect(trust.isYoung()).toBe(true);
    const during = trust.moment();
    pass(1_100);
    expect(trust.isYoung()).toBe(false);
    trust.proved(during);
    expect(trust.isYoung()).toBe(false);
    trust.proved(trust.moment());
    expect(trust.isYoung()).toBe(true);
  });

  test.each([
    { title: "forward, as after a machine's sleep", ms: 1_500 },
    { title: "back", ms: -1_500 },
  ])("does not outlive a wall clock that jumped $title", ({ ms }) => {
    const { trust, clocks, pass } = trusting(60_000);
    trust.proved(trust.moment());
    pass(100);
    clocks.wall += ms;
    expect(trust.isYoung()).toBe(false);
    pass(100);
    expect(trust.isYoung()).toBe(false);
    trust.proved(trust.moment());
    expect(trust.isYoung()).toBe(true);
  });

  test("is asked anew after a SIGCONT", async () => {
    const { trust, pass } = trusting(60_000);
    trust.proved(trust.moment());
    pass(1);
    process.kill(process.pid, "SIGCONT");
    await vi.waitFor(async () => expect(await trust.isSure()).toBe(false), 20_000);
    pass(1);
    trust.proved(trust.moment());
    expect(await trust.isSure()).toBe(true);
  });
});
