import fc from "fast-check";

/** Whether `npm run test:deep` is running: the full numbers of engine.md 3. */
export const isDeep = process.env.LOADFORM_DEEP === "1";

/** A seed for this run: given by LOADFORM_SEED to repeat one. */
export const seed = Number(process.env.LOADFORM_SEED ?? Date.now() % 2_147_483_647);

/**
 * Runs an asynchronous property `few` times, `deep` times in the deep run, or LOADFORM_RUNS times, and prints its seed:
 * another one every time, unless the few are to be the same ones.
 */
export async function check<T>(
  name: string,
  property: fc.IAsyncProperty<T>,
  runs: { readonly few: number; readonly deep: number; readonly seed?: number },
): Promise<void> {
  const isGiven = isDeep || process.env.LOADFORM_SEED !== undefined || runs.seed === undefined;
  const ownSeed = isGiven ? seed : runs.seed;
  const numRuns = Number(process.env.LOADFORM_RUNS ?? (isDeep ? runs.deep : runs.few));
  console.log(`${name}: ${numRuns} runs, seed ${ownSeed}`);
  await fc.assert(property, { numRuns, seed: ownSeed, endOnFailure: isDeep ? false : numRuns > 500 });
}
