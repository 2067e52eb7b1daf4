import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isDeep, seed } from "../../support/deep.ts";
import type { Program } from "../support/bundle-program.ts";
import { bundleProgram } from "../support/bundle-program.ts";
import { makeFullShop } from "../support/full-shop.ts";
import { randomCall, requestOf } from "../support/random-calls.ts";

const requests = isDeep ? 20_000 : 600;
const eachShop = 200;

describe("every route, with random and mutated requests", () => {
  it(`answers ${requests} of them without a defect, and the state remains whole`, { timeout: 1_200_000 }, async () => {
    const calls = fc.sample(randomCall, { numRuns: requests, seed });
    const broken: unknown[] = [];
    for (let start = 0; start < calls.length; start += eachShop) {
      const { service } = await makeFullShop();
      for (const each of calls.slice(start, start + eachShop)) {
        const request = requestOf(each);
        const answer = await service.handle({ ...request, headers: { "x-api-key": "local" } });
        if (answer.status >= 500) broken.push([request, answer.json]);
      }
      await service.advance(60_000);
      const whole = service.snapshot();
      await service.restore(whole);
      expect(service.snapshot()).toEqual(whole);
      await service.close();
    }
    expect(broken).toEqual([]);
  });
});

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
