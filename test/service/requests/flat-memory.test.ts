// merge: thousands of requests, twice.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isDeep, seed } from "../../support/deep.ts";
import { bundleProgram, type Program } from "../support/bundle-program.ts";

const eachShop = 200;

describe("the memory of a process in which they are answered", () => {
  let program: Program;
  beforeAll(async () => {
    program = await bundleProgram("print-memory.ts");
  });
  afterAll(() => program.remove());

  const rounds = isDeep ? 100 : 12;
  const mostMb = 6;

  it.each([
    ["many", "one service after the other, each closed"],
    ["one", "one service, its state restored and its log cleared again and again"],
  ])("is flat: %s, %s", { timeout: 1_200_000 }, async (way) => {
    const args = [way, String(rounds), String(eachShop), String(seed)];
    const heap = JSON.parse(await program.run(args, ["--expose-gc"])) as readonly number[];
    const third = Math.floor(rounds / 3);
    // What is compiled and filled once happens in the first rounds.
    const growth = median(heap.slice(-third)) - median(heap.slice(2, 2 + third));
    expect(growth, `heap in MB after each round: ${heap.map((each) => each.toFixed(1)).join(" ")}`).toBeLessThan(
      mostMb,
    );
  });
});

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
