import { stripVTControlCharacters } from "node:util";
import {
  DefaultReporter,
  type SerializedError,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
  type Vitest,
} from "vitest/node";

/**
 * One line for each file, with how many are done, the failures, what was skipped and why, what passed only when tried again, and as the very last line
 * "N passed, N failed". A test file that does not load and an error outside every test count as failures too, so that
 * the line never looks better than the exit code.
 */
export class CountReporter extends DefaultReporter {
  #files = 0;
  #ended = 0;
  readonly #remarks = new Set<string>();

  override onInit(vitest: Vitest): void {
    if (!process.stdout.isTTY) for (const stream of [process.stdout, process.stderr]) writePlain(stream);
    super.onInit(vitest);
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
    super.onTestRunStart(specifications);
  }

  override printTestModule(module: TestModule): void {
    this.#ended++;
    const tests = [...module.children.allTests()];
    const count = (wanted: string) => tests.filter((test) => test.result().state === wanted).length;
    const failed = count("failed") + module.errors().length;
    const skipped = count("skipped");
    const notes = [
      `${tests.length} tests`,
      ...(failed > 0 ? [`${failed} FAILED`] : []),
      ...(skipped > 0 ? [`${skipped} SKIPPED`] : []),
      `${(module.diagnostic().duration / 1000).toFixed(1)} s`,
    ];
    this.log(
      `[${this.#ended}/${this.#files}] ${module.project.name} ${this.relative(module.moduleId)}: ${notes.join(", ")}`,
    );
    for (const test of module.children.allTests("failed")) this.log(`    FAILED ${test.fullName}`);
    for (const test of tests) if (test.diagnostic()?.flaky === true) this.#remarks.add(flakyRemark(test));
    if (skipped > 0) this.#remarks.add(`SKIPPED: ${skipped} tests of ${this.relative(module.moduleId)}`);
  }

  override onUserConsoleLog({ content }: { readonly content: string }): void {
    const text = content.trim();
    if (text.startsWith("SKIPPED:")) this.#remarks.add(text);
    else this.log(text.replaceAll(/^/gm, "    "));
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, unhandledErrors, reason);
    for (const remark of this.#remarks) this.log(remark);
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const passed = states.filter((state) => state === "passed").length;
    const failed = states.filter((state) => state === "failed").length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    process.stdout.write(`\n${passed} passed, ${failed + broken + unhandledErrors.length} failed\n`);
  }
}

/** A test that passed on its second try, with why its first one failed: that is a defect to be mended. */
function flakyRemark(test: TestCase): string {
  const reasons = (test.result().errors ?? []).map(({ message, diff = "" }) => `${message}\n${diff}`.trimEnd());
  return [`FLAKY: passed on the second try: ${test.fullName}`, ...reasons].join("\n").replaceAll(/\n/g, "\n    ");
}

/** Colours belong on a terminal, not into a file; vitest asks for none of this. */
function writePlain(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === "string" ? stripVTControlCharacters(chunk) : chunk, ...rest);
}

export default CountReporter;
