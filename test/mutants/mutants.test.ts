// merge: mutants of the sources
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { allocatorVariables } from "../../src/cli/prepare-engine.ts";
import { isDeep, seed } from "../support/deep.ts";
import { repository } from "../support/source-files.ts";
import { allMutants } from "./all-mutants.ts";
import { mutantLocator } from "./locate-mutant.ts";
import type { Mutant } from "./mutant.ts";

interface Line {
  readonly mutant: string;
  readonly test: string;
  readonly state: string;
}

/** Mutants that are run together in the deep run, and how many are run before a merge: the seed is the same, so they are the same ones each time. */
const atOnce = 12;
const few = 3;

/** Runs the tests that are to notice, each against its own mutant, and answers how every test ended. */
async function run(mutants: readonly Mutant[]): Promise<readonly Line[]> {
  const folder = mkdtempSync(join(tmpdir(), "loadform-mutants-"));
  const out = join(folder, "results.jsonl");
  const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--config", join(repository, "test", "mutants", "vitest.config.ts")];
  const { PATH = "", HOME = "" } = process.env;
  const chosenNames = mutants.map(({ name }) => name).join("|");
  const env = {
    PATH,
    HOME,
    ...allocatorVariables,
    LOADFORM_TESTS: "all",
    LOADFORM_MUTANTS: chosenNames,
    LOADFORM_MUTANTS_OUT: out,
  };
  try {
    await promisify(execFile)(process.execPath, args, { cwd: repository, env, maxBuffer: 1 << 26 }).catch(
      () => undefined,
    );
    const lines = readFileSync(out, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Line);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Mutants that no named test noticed, with what was seen instead. */
function survivors(mutants: readonly Mutant[], lines: readonly Line[]): readonly unknown[] {
  return mutants.flatMap(({ name, by: [, named] }) => {
    const own = lines.filter(({ mutant }) => mutant === name);
    const isNoticed = own.some(({ test: title, state }) => state === "failed" && title.includes(named));
    if (isNoticed) return [];
    const failed = own.filter(({ state }) => state === "failed").map((each) => each.test);
    return [{ name, named, tests: own.filter((each) => each.test.includes(named)).length, failed }];
  });
}

/** All of them in the deep run, else every so many from the seed on. */
function chosen(): readonly Mutant[] {
  const step = Math.ceil(allMutants.length / few);
  const all = isDeep || process.env.LOADFORM_RUNS !== undefined;
  return all ? allMutants : allMutants.filter((_, index) => index % step === seed % step);
}

describe("a guard", () => {
  const locate = mutantLocator();
  const named = allMutants.map((mutant) => [mutant.name, mutant] as const);

  test.each(named)("can be taken out: %s", (_, mutant) => {
    expect(locate(mutant)).toMatchObject({ file: expect.any(String) });
  });

  test("is named once, with a test file that is there", () => {
    const wrong = allMutants.filter(({ name, by }, index) => {
      const isTwice = allMutants.findIndex((each) => each.name === name) !== index;
      return isTwice || !existsSync(join(repository, "test", by[0]));
    });
    expect(wrong.map(({ name, by }) => [name, by[0]])).toEqual([]);
  });

  test("that is taken out is missed by a test (P10)", { timeout: 1_200_000 }, async () => {
    const mutants = chosen();
    console.log(`P10: ${mutants.length} of ${allMutants.length} mutants, seed ${seed}`);
    const found: unknown[] = [];
    for (let start = 0; start < mutants.length; start += atOnce) {
      const part = mutants.slice(start, start + atOnce);
      found.push(...survivors(part, await run(part)));
    }
    expect(found).toEqual([]);
  });
});
