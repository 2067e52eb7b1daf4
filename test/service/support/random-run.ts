import fc from "fast-check";

/** Something that a script does. */
type Step =
  | {
      readonly kind: "fetch";
      readonly urls: readonly string[];
      readonly mark: "markAsSuccess" | "markAsFailure" | undefined;
    }
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "report"; readonly call: string; readonly times: number }
  | { readonly kind: "text"; readonly text: string };

/** Something that is done to a run, so long after it was created. */
interface RunAction {
  readonly atMs: number;
  readonly path: string;
  readonly method: "POST" | "PUT";
  readonly body?: object;
}

/** A script, a configuration, targets, and what is done to the run of it. */
export interface RandomRun {
  readonly main: string;
  readonly conf: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly actions: readonly RunAction[];
  /** When it is looked at while it runs: at the end of an interval. */
  readonly middleMs: number;
  /** Lengths of the steps in which time passes, one after the other and again. */
  readonly stepsMs: readonly number[];
}

const hosts = ["a", "b", "c"] as const;
const url = fc
  .tuple(fc.constantFrom(...hosts), fc.constantFrom("", "x", "y?z=1"))
  .map(([host, path]) => `http://${host}.test/${path}`);
const mark = fc.option(fc.constantFrom("markAsSuccess" as const, "markAsFailure" as const), {
  nil: undefined,
  freq: 4,
});

const report = fc.oneof(
  fc.integer({ min: 0, max: 50 }).map((value) => `counter('hits', ${value})`),
  fc.integer({ min: 0, max: 20_000 }).map((value) => `timing('wait', ${value / 8})`),
  fc
    .tuple(fc.constantFrom("x", "y"), fc.integer({ min: 1, max: 5 }))
    .map(([key, value]) => `histogram('kinds', '${key}', ${value})`),
  fc
    .tuple(fc.constantFrom("k", "l"), fc.integer({ min: 1, max: 99 }))
    .map(([key, value]) => `metered('heap', '${key}', ${value}, 'MB')`),
  fc.integer({ min: 1, max: 9 }).map((value) => `counter({ namespace: 'Shop', name: 'hits', val: ${value} })`),
);

const tests = ["() => {}", "() => { throw new Error('broken') }"].map(
  (body) => `describe('suite', () => { it('test', ${body}) })`,
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("fetch" as const),
      urls: fc.array(url, { minLength: 1, maxLength: 4 }),
      mark,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, 1, 400, 1_000, 4_999, 5_000, 10_000).map((ms) => ({ kind: "sleep" as const, ms })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("report" as const), call: report, times: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("log.info('here')", ...tests).map((text) => ({ kind: "text" as const, text })),
  },
);
const broken: fc.Arbitrary<Step> = fc
  .constantFrom("throw new Error('broken')", "log.fatal('broken')")
  .map((text) => ({ kind: "text", text }));

/** The script of some steps, in one row or in two at the same time. */
function scriptOf(rows: readonly (readonly Step[])[]): string {
  const text = (each: Step): string => {
    if (each.kind === "text") return `${each.text};`;
    if (each.kind === "sleep") return `await new Promise((resolve) => setTimeout(resolve, ${each.ms}));`;
    if (each.kind === "report") return Array(each.times).fill(`results().${each.call};`).join(" ");
    const all = `await Promise.all([${each.urls.map((one) => `fetch('${one}')`).join(", ")}])`;
    return each.mark ? `results((${all})[0]).${each.mark}();` : `${all};`;
  };
  const bodies = rows.map((steps) => `(async () => { ${steps.map(text).join(" ")} })()`);
  return `await Promise.all([${bodies.join(", ")}]);`;
}

const target = (host: string) =>
  fc.record({
    match: fc.constant(`* http://${host}.test/*`),
    latencyMs: fc.constantFrom(
      { p50: 20, p99: 90 },
      { p50: 100, p99: 100 },
      { p50: 1_000, p99: 1_000 },
      { p50: 700, p99: 15_000 },
      { p50: 5_000, p99: 5_000 },
    ),
    errorRate: fc.constantFrom(0, 0, 0.2, 1),
    capacity: fc.option(fc.record({ users: fc.integer({ min: 0, max: 8 }), slope: fc.constantFrom(0.5, 2) }), {
      freq: 1,
    }),
  });

const regions = fc.array(fc.constantFrom("us-east-1", "us-west-2", "eu-west-1", "eu-central-1"), {
  minLength: 1,
  maxLength: 3,
});
const provider = fc
  .record({
    regions: regions.map((names) => [...new Set(names)]),
    users: fc.option(fc.integer({ min: 1, max: 6 })),
    instances: fc.option(fc.integer({ min: 1, max: 5 })),
  })
  .map(({ regions: names, users, instances }) => ({
    providerId: 0,
    params: {
      regions: names.map((name) => `cloud-${name}`).join(","),
      ...(users === null ? {} : { concurrentClients: String(users) }),
      ...(instances === null ? {} : { instances: String(instances) }),
    },
  }));

const condition = fc.oneof(
  fc.record({
    metric: fc.constant("count"),
    operator: fc.constant("GTE"),
    threshold: fc.integer({ min: 0, max: 200 }),
    timePeriod: fc.constantFrom("LastMinute", "Execution"),
  }),
  fc.record({
    metric: fc.constant("outcome"),
    metricKey: fc.constant("failure"),
    operator: fc.constant("GT"),
    threshold: fc.integer({ min: 0, max: 20 }),
    isPercentage: fc.boolean(),
  }),
  fc.record({
    metric: fc.constant("firstReceivedMs"),
    metricKey: fc.constant("p95"),
    operator: fc.constant("GT"),
    threshold: fc.constantFrom(50, 500, 5_000),
  }),
);
const trigger = condition.map((each) => ({ conditions: [each], actions: [{ actionType: "StopExecution" }] }));

const durationSecs = fc.constantFrom(5, 10, 30, 60, 61, 90, 120);
const load = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      profileType: fc.constant("Flat"),
      durationSecs,
      rampupSecs: fc.constantFrom(0, 0, 7, 10, 60),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      profileType: fc.constant("Flat"),
      iterations: fc.integer({ min: 1, max: 6 }),
      rampupSecs: fc.constantFrom(0, 0, 7, 20, 100),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      profileType: fc.constant("Step"),
      durationSecs,
      startConcurrentClients: fc.constant(1),
      step: fc.integer({ min: 3, max: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      profileType: fc.constant("BreakingPoint"),
      durationSecs,
      triggers: trigger.map((one) => [one]),
    }),
  },
);

const conf = fc
  .tuple(
    fc.record({
      concurrentClients: fc.oneof(
        { weight: 12, arbitrary: fc.integer({ min: 1, max: 9 }) },
        { weight: 1, arbitrary: fc.constant(130) },
      ),
      iterationSleepSecs: fc.constantFrom(1, 1, 2, 10),
      providers: fc.array(provider, { minLength: 1, maxLength: 2 }),
      triggers: fc.array(trigger, { maxLength: 1 }),
    }),
    load,
  )
  .map(([common, profile]) => ({ ...common, ...profile }));

const action: fc.Arbitrary<RunAction> = fc
  .record({
    atMs: fc.oneof(fc.integer({ min: 0, max: 130_000 }), fc.constantFrom(0, 10_000, 30_000, 60_000)),
    kind: fc.constantFrom("add", "add", "extend", "stop"),
    size: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ atMs, kind, size }) => {
    if (kind === "add")
      return { atMs, method: "POST", path: "/executions/1/add-users", body: { concurrentClients: size } };
    if (kind === "extend")
      return { atMs, method: "POST", path: "/executions/1/live-extension", body: { durationSecs: size } };
    return { atMs, method: "PUT", path: "/executions/1/stop" };
  });

/** Runs of random scripts and configurations, to which something is done. */
export const randomRun: fc.Arbitrary<RandomRun> = fc
  .record({
    rows: fc.array(fc.array(step, { maxLength: 5 }), { minLength: 1, maxLength: 2 }),
    broken: fc.option(broken, { freq: 20 }),
    conf,
    targets: fc.tuple(...hosts.map(target)),
    allocation: fc.constantFrom("immediate", "immediate", { afterMs: 2_500 }),
    actions: fc.array(action, { maxLength: 2 }),
    middle: fc.integer({ min: 1, max: 14 }),
    stepsMs: fc.array(fc.oneof(fc.integer({ min: 1, max: 12_000 }), fc.constant(10_000)), {
      minLength: 1,
      maxLength: 6,
    }),
  })
  .map(({ rows, broken: end, conf: given, targets, allocation, actions, middle, stepsMs }) => ({
    main: scriptOf(end === null ? rows : [...rows, [end]]),
    conf: given,
    settings: { targets, allocation, accountMaximum: 60 },
    actions: [...actions].sort((left, right) => left.atMs - right.atMs),
    middleMs: middle * 10_000 + (allocation === "immediate" ? 0 : 2_500),
    stepsMs,
  }));
