import { errorParts } from "./describe-error.ts";
import type { ScriptIteration } from "./iteration.ts";
import { uuidOf } from "./random.ts";

type Work = (this: object, done?: (error?: unknown) => void) => unknown;

interface Case {
  readonly name: string;
  readonly work: Work | undefined;
  readonly isOnly: boolean;
}

interface Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly isSkipped: boolean;
  readonly isOnly: boolean;
  readonly items: (Suite | Case)[];
  readonly hooks: Readonly<Record<Hook, Work[]>>;
}

type Hook = "before" | "after" | "beforeEach" | "afterEach";

const mostDepth = 50;

/** `describe`, `it` and their hooks: collected while the script runs, carried out when it has come to its end. */
export class Suites {
  #current = suiteOf("", undefined, {});
  readonly #root = this.#current;
  readonly #iteration: ScriptIteration;
  readonly #seed: string;
  #count = 0;

  constructor(iteration: ScriptIteration, seed: string) {
    this.#iteration = iteration;
    this.#seed = seed;
  }

  /** The globals of a script. */
  globals(): Readonly<Record<string, unknown>> {
    const describe = (marks: Marks) => (name: unknown, body?: () => void) => this.#describe(String(name), marks, body);
    const it = (marks: Marks) => (name: unknown, work?: Work) => this.#it(String(name), marks, work);
    const hook = (name: Hook) => (first: unknown, second?: unknown) => {
      this.#current.hooks[name].push((typeof first === "function" ? first : second) as Work);
    };
    const both = (make: typeof describe | typeof it) =>
      Object.assign(make({}), { only: make({ only: true }), skip: make({ skip: true }) });
    return {
      describe: both(describe),
      context: both(describe),
      it: both(it),
      specify: both(it),
      xit: it({ skip: true }),
      xdescribe: describe({ skip: true }),
      before: hook("before"),
      after: hook("after"),
      beforeEach: hook("beforeEach"),
      afterEach: hook("afterEach"),
    };
  }

  /** Runs what was collected, in order. */
  async run(): Promise<void> {
    const hasOnly = marked(this.#root);
    await this.#runSuite(this.#root, hasOnly);
    this.#root.items.length = 0;
    for (const works of Object.values(this.#root.hooks)) works.length = 0;
  }

  #describe(name: string, { only = false, skip = false }: Marks, body?: () => void): void {
    const parent = this.#current;
    const isSkipped = skip || parent.isSkipped || body === undefined;
    const suite = suiteOf(name, parent, { isSkipped, isOnly: only || parent.isOnly });
    if (depthOf(suite) > mostDepth) throw new Error(`found more than ${mostDepth} suites in each other`);
    parent.items.push(suite);
    this.#current = suite;
    try {
      body?.call({ timeout: () => undefined });
    } finally {
      this.#current = parent;
    }
  }

  #it(name: string, { only = false, skip = false }: Marks, work?: Work): void {
    const isSkipped = skip || this.#current.isSkipped;
    this.#current.items.push({ name, work: isSkipped ? undefined : work, isOnly: only || this.#current.isOnly });
  }

  async #runSuite(suite: Suite, hasOnly: boolean): Promise<void> {
    const problem = suite.items.length === 0 || suite.isSkipped ? undefined : await this.#hooks(suite.hooks.before);
    const uuid = uuidOf(`${this.#seed} suite ${this.#count++}`);
    for (const item of suite.items) {
      if ("items" in item) await this.#runSuite(item, hasOnly);
      else await this.#runCase(item, suite, { uuid, problem, isLeftOut: hasOnly && !item.isOnly });
    }
    if (suite.items.length === 0 || suite.isSkipped) return;
    const after = await this.#hooks(suite.hooks.after);
    if (after) throw after.thrown;
  }

  async #runCase(item: Case, suite: Suite, at: { uuid: string; problem: Thrown | undefined; isLeftOut: boolean }) {
    const { recorder } = this.#iteration;
    const startedMs = recorder.now();
    const isSkipped = item.work === undefined || at.isLeftOut;
    const thrown = isSkipped ? undefined : (at.problem ?? (await this.#attempt(item.work as Work, suite)));
    const parts = thrown && errorParts(thrown.thrown);
    recorder.test({
      suiteUuid: at.uuid,
      suiteName: fullName(suite),
      uuid: uuidOf(`${this.#seed} test ${this.#count++}`),
      name: item.name,
      state: isSkipped ? "skipped" : thrown ? "failed" : "passed",
      startedMs,
      finishedMs: recorder.now(),
      errorType: parts?.type ?? null,
      error: parts?.error ?? null,
      errorTrace: parts?.trace ?? null,
    });
  }

  async #attempt(work: Work, suite: Suite): Promise<Thrown | undefined> {
    const chain = lineage(suite);
    const before = await this.#hooks(chain.flatMap(({ hooks }) => hooks.beforeEach));
    const own = before ?? (await this.#hooks([work]));
    const after = await this.#hooks(chain.toReversed().flatMap(({ hooks }) => hooks.afterEach));
    return own ?? after;
  }

  async #hooks(works: readonly Work[]): Promise<Thrown | undefined> {
    for (const work of works) {
      try {
        await this.#call(work);
      } catch (thrown) {
        return { thrown };
      }
    }
    return undefined;
  }

  /** A function that takes `done` has ended when it calls it; `this.timeout(ms)` limits it. */
  #call(work: Work): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timeout = (ms: number) => {
        const late = () => reject(new Error(`timeout of ${ms} ms exceeded`));
        this.#iteration.timers.add(late, ms).unref();
      };
      const done = (error?: unknown) => (error === undefined || error === null ? resolve(undefined) : reject(error));
      const self = { timeout };
      if (work.length > 0) work.call(self, done);
      else resolve(work.call(self));
    });
  }
}

interface Marks {
  readonly only?: boolean;
  readonly skip?: boolean;
}

/** A thrown value, which may be anything, undefined too. */
interface Thrown {
  readonly thrown: unknown;
}

function suiteOf(name: string, parent: Suite | undefined, { isSkipped = false, isOnly = false }): Suite {
  const hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
  return { name, parent, isSkipped, isOnly, items: [], hooks };
}

function lineage(suite: Suite): readonly Suite[] {
  return suite.parent ? [...lineage(suite.parent), suite] : [suite];
}

function depthOf(suite: Suite): number {
  return lineage(suite).length;
}

/** Names of the suites around a test, outermost first. */
function fullName(suite: Suite): string {
  return lineage(suite)
    .map(({ name }) => name)
    .filter((name) => name !== "")
    .join(" ");
}

function marked(suite: Suite): boolean {
  return suite.isOnly || suite.items.some((item) => ("items" in item ? marked(item) : item.isOnly));
}
