import type { Reporter, SerializedError, TestModule } from "vitest/node";

/**
 * Ends the output with one line, "N passed, N failed". A test file that does not load and an error outside
 * every test count as failures too, so that the line never looks better than the exit code.
 */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const passed = states.filter((state) => state === "passed").length;
    const failed = states.filter((state) => state === "failed").length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    process.stdout.write(`\n${passed} passed, ${failed + broken + unhandledErrors.length} failed\n`);
  }
}

export default CountReporter;
