import fc from "fast-check";

/** Whether `npm run test:deep` is running: the full numbers of docs/engine.md, Promises. */
export const isDeep = process.env.LOADFORM_DEEP === "1";

/** A seed for this run: given by LOADFORM_SEED to repeat one, another one every deep run, else always the same, so that main is not red by chance. */
export const seed = Number(process.env.LOADFORM_SEED ?? (isDeep ? Date.now() % 2_147_483_647 : 20_261_121));

/** Whether `npm run verify` is running: every test but the deep numbers. */
export const isVerify = process.env.LOADFORM_TESTS === "all";

/** In `npm test`, of what a merge tries so many one is. */
const share = 6;

/** How often something is tried: `few` times before a merge and a sixth as often in `npm test`, `deep` times in the deep run. */
export function timesOf({ few, deep = few }: { readonly few: number; readonly deep?: number }): number {
  if (isDeep) return deep;
  return isVerify ? few : Math.ceil(few / share);
}

/** All of a long list before a merge, every sixth in `npm test`, beginning with one of the first six. */
export function sampleOf<T>(all: readonly T[], first = 0): readonly T[] {
  return isDeep || isVerify ? all : all.filter((_, index) => index % share === first % share);
}

/** Of the runs of a property, one in so many; a mutant is to be missed by half of them. */
const propertyShare = isVerify ? (process.env.LOADFORM_MUTANTS === undefined ? 3 : 2) : share;

/**
 * Runs an asynchronous property `deep` times in the deep run, a third of `few` times before a merge and a sixth in `npm test`, as both
 * have the same seed every time, or LOADFORM_RUNS times, and prints its seed. All examples come before. Answers how often.
 */
export async function check<T>(
  name: string,
  property: fc.IAsyncProperty<T>,
  runs: { readonly few: number; readonly deep: number; readonly examples?: T[] },
): Promise<number> {
  const usual = isDeep ? runs.deep : Math.ceil(runs.few / propertyShare);
  const numRuns = Number(process.env.LOADFORM_RUNS ?? usual);
  console.log(`${name}: ${numRuns} runs, seed ${seed}`);
  const { examples = [] } = runs;
  await fc.assert(property, {
    numRuns: numRuns + examples.length,
    seed,
    examples,
    endOnFailure: isDeep ? false : numRuns > 500,
  });
  return numRuns;
}
