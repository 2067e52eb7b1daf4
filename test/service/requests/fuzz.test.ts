import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDeep, seed } from "../../support/deep.ts";
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
