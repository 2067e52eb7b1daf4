import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../support/deep.ts";
import { allHazards, anyRun } from "../support/hostile/hazards.ts";
import { met } from "../support/hostile/hostile-service.ts";
import { runHostile } from "../support/hostile/run.ts";

const hours = 6 * 3_600_000;

describe("a hostile world", () => {
  test("of kills, faults, senseless answers and edits outside: one clean apply ends every run as the documents say", {
    timeout: hours,
  }, async () => {
    await check(
      "hostile runs",
      fc.asyncProperty(anyRun(allHazards), async (run) => {
        expect(await runHostile(run)).toEqual([]);
      }),
      { few: 15, deep: 2_000 },
    );
    console.log(`hostile runs met ${JSON.stringify(Object.fromEntries(met))}`);
  });
});
