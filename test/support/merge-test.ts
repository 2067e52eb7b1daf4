import { type TestContext, test } from "vitest";
import { isDeep, isVerify } from "./deep.ts";

/**
 * A test that only a merge needs, in a file whose other tests are its sample in `npm test`, where it is absent: not even counted as
 * skipped. Where all tests of a file are such ones, the file begins with `// merge: WHY` instead.
 */
export function mergeTest(title: string, run: (context: TestContext) => unknown): void {
  if (isDeep || isVerify) test(title, run);
}
