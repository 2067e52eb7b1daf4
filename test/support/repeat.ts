import { expect } from "vitest";

/** Runs something so many times, a few at a time, and fails with what failed in any round. */
export async function repeat(times: number, atOnce: number, run: (round: number) => Promise<void>): Promise<void> {
  const left = Array.from({ length: times }, (_, round) => round);
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let round = left.shift(); round !== undefined; round = left.shift()) {
      const said = await run(round).then(
        () => undefined,
        (problem: unknown) => String(problem instanceof Error ? (problem.stack ?? problem) : problem),
      );
      if (said !== undefined) failures.push(`round ${round}: ${said}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  expect(failures).toEqual([]);
}
