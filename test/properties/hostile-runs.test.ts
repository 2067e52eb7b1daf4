import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../support/deep.ts";
import { found } from "../support/hostile/found-runs.ts";
import { allHazards, anyRun } from "../support/hostile/hazards.ts";
import { met } from "../support/hostile/hostile-service.ts";
import { runHostile } from "../support/hostile/run.ts";

describe("a hostile world", () => {
  test("of kills, faults, senseless answers and edits outside: one clean apply ends every run as the documents say", async () => {
    await check(
      "hostile runs",
      fc.asyncProperty(anyRun(allHazards), async (run) => {
        expect(await runHostile(run)).toEqual([]);
      }),
      { few: 10, deep: 2_000, examples: found.map((run) => [run]) },
    );
    console.log(`hostile runs met ${JSON.stringify(Object.fromEntries(met))}`);
  });
});
