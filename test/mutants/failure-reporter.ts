import { appendFileSync } from "node:fs";
import type { Reporter, TestCase } from "vitest/node";

/** Writes every test of every mutant, and how it ended, as lines of JSON. */
export default class FailureReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const line = { mutant: test.project.name, test: test.fullName, state: test.result().state };
    appendFileSync(process.env.LOADFORM_MUTANTS_OUT ?? "/dev/null", `${JSON.stringify(line)}\n`);
  }
}
