/** Any JSON: the laws look into answers as they please. */
type Json = ReturnType<typeof JSON.parse>;

/** What a run answers, as it is compared. */
export interface RunAnswers {
  readonly execution: Json;
  readonly intervals: readonly Json[];
  /** Of each region, in their order. */
  readonly regionIntervals: readonly (readonly Json[])[];
  readonly resources: readonly Json[];
  readonly results: readonly Json[];
  readonly suites: readonly Json[];
  readonly suiteSummaries: readonly Json[];
}

/** A metric of one part of a run, by namespace and name. */
type Metrics = ReadonlyMap<string, Json>;

/** Every law of conservation that the answers of a run break, in words. */
export function brokenLaws(answers: RunAnswers): readonly string[] {
  const { execution, intervals, regionIntervals, resources } = answers;
  const whole = execution.summary;
  const regions: readonly Json[] = execution.regions.map(({ summary }: Json) => summary);
  return [
    ...compareParts("intervals", whole, intervals),
    ...compareParts("regions", whole, regions),
    ...regions.flatMap((summary, index) =>
      compareParts(`intervals of region ${index}`, summary, regionIntervals[index] ?? []),
    ),
    ...compareResources(whole, resources),
    ...compareRows(whole, answers.results),
    ...comparePeaks(whole, regions),
    ...compareIterations(answers),
  ];
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

function metricsOf(part: Json): Metrics {
  return new Map(part.metrics.map((each: Json) => [`${each.namespace}/${each.metricDef}`, each]));
}

/** Counters that say how many users there are, at a moment or at most, are no sums. */
const moments = new Set(["System/actualConcurrentClients", "System/maxConcurrentClients", "System/breakingPoint"]);

function compareParts(name: string, whole: Json, parts: readonly Json[]): readonly string[] {
  const all = parts.map(metricsOf);
  const counts = ["count", "iterationsExecuted"].flatMap((field) =>
    differing(`${name}: ${field}`, whole[field], sumOf(parts.map((part) => part[field]))),
  );
  const metrics = [...metricsOf(whole)].filter(([key]) => !moments.has(key));
  return [
    ...counts,
    ...metrics.flatMap(([key, metric]) =>
      compareMetric(
        `${name}: ${key}`,
        metric,
        all.flatMap((part) => part.get(key) ?? []),
      ),
    ),
  ];
}

function compareMetric(name: string, whole: Json, parts: readonly Json[]): readonly string[] {
  switch (whole.metricType) {
    case "Counter":
      return differing(name, whole.metricValue, sumOf(parts.map((each) => each.metricValue)));
    case "Histogram":
      return compareBuckets(
        name,
        whole.metricValueMap,
        parts.map((each) => each.metricValueMap),
      );
    case "Timing":
      return compareTimings(
        name,
        whole.metricValueMap,
        parts.map((each) => each.metricValueMap),
      );
    default:
      return [];
  }
}

function compareBuckets(name: string, whole: Json, parts: readonly Json[]): readonly string[] {
  const keys = new Set([whole, ...parts].flatMap((each) => Object.keys(each)));
  return [...keys].flatMap((key) =>
    differing(`${name}[${key}]`, whole[key] ?? 0, sumOf(parts.map((each) => each[key] ?? 0))),
  );
}

/** What follows from the time to the first byte is rounded to microseconds in each part. */
function compareTimings(name: string, whole: Json, parts: readonly Json[]): readonly string[] {
  const used = parts.filter(({ count }) => count > 0);
  const within = 0.001 * (used.length + 1) * 20;
  return [
    ...differing(`${name}: count`, whole.count, sumOf(used.map(({ count }) => count))),
    ...differing(`${name}: sum`, whole.sum, sumOf(used.map(({ sum }) => sum)), within),
    ...(used.length === 0 ? [] : differing(`${name}: min`, whole.min, Math.min(...used.map(({ min }) => min)), 0.001)),
    ...(used.length === 0 ? [] : differing(`${name}: max`, whole.max, Math.max(...used.map(({ max }) => max)), 0.001)),
  ];
}

function compareResources(whole: Json, resources: readonly Json[]): readonly string[] {
  const all = resources.map(metricsOf);
  const summary = metricsOf(whole);
  // The summary of a run that never began has no metrics.
  const names = summary.size === 0 ? [] : [...new Set(all.flatMap((metrics) => [...metrics.keys()]))];
  const parts = (key: string) => all.flatMap((metrics) => metrics.get(key) ?? []);
  return [
    ...differing("resources: count", whole.count, sumOf(resources.map(({ count }) => count))),
    ...names.flatMap((key) => compareMetric(`resources: ${key}`, summary.get(key), parts(key))),
  ];
}

const counters = ["count", "bandwidth", "bytesSent", "bytesReceived"];
const timings = ["dnsLookupMs", "connectionOpenMs", "firstReceivedMs", "connectionCloseMs"];
const histograms = ["outcome", "responseCode", "httpContentType"];

/** Raw results are one by one what the summary counts. */
function compareRows(whole: Json, rows: readonly Json[]): readonly string[] {
  const metrics = metricsOf(whole);
  const of = (name: string) => metrics.get(`System/${name}`) ?? {};
  const values = (name: string): readonly number[] => rows.flatMap((row) => row[name] ?? []);
  return [
    ...counters.flatMap((name) => differing(`rows: ${name}`, of(name).metricValue ?? 0, sumOf(values(name)))),
    ...timings.flatMap((name) => {
      const { count = 0, sum = 0 } = of(name).metricValueMap ?? {};
      // A time that is told is rounded to half a microsecond.
      return [
        ...differing(`rows: ${name}: count`, count, values(name).length),
        ...differing(`rows: ${name}: sum`, sum, sumOf(values(name)), 0.001 * (rows.length + 1)),
      ];
    }),
    ...histograms.flatMap((name) => {
      const tally: Record<string, number> = {};
      for (const row of rows) if (row[name] !== null) tally[row[name]] = (tally[row[name]] ?? 0) + 1;
      return compareBuckets(`rows: ${name}`, of(name).metricValueMap ?? {}, [tally]);
    }),
  ];
}

/** Each runner has its own peak: the total is the sum of those of the regions, the largest the largest of theirs. */
function comparePeaks(whole: Json, regions: readonly Json[]): readonly string[] {
  return [...metricsOf(whole)].flatMap(([key, { metricType, namespace, metricValueMap: all }]) => {
    if (metricType !== "Metered" || namespace === "System") return [];
    const parts = regions.flatMap((part) => metricsOf(part).get(key)?.metricValueMap ?? []);
    return [
      ...differing(`${key}: total`, all.total, sumOf(parts.map(({ total }) => total))),
      ...differing(`${key}: largest`, all.largest, Math.max(0, ...parts.map(({ largest }) => largest))),
    ];
  });
}

function compareIterations({ execution, suites, suiteSummaries }: RunAnswers): readonly string[] {
  const { iterationsExecuted } = execution.summary;
  const chunks: readonly Json[] = execution.regions.flatMap((each: Json) => each.chunks);
  const users: readonly number[] = chunks.map(({ concurrentClients }) => concurrentClients);
  return [
    ...differing(
      "chunks: completedIterations",
      iterationsExecuted,
      sumOf(chunks.map((each) => each.completedIterations)),
    ),
    ...differing("chunks: concurrentClients", execution.concurrentClients, sumOf(users)),
    ...(execution.completed ? differing("users at the end", 0, execution.actualConcurrentClients) : []),
    ...differing("suites: total", suites.length, sumOf(suiteSummaries.map(({ total }) => total))),
  ];
}

function differing(name: string, expected: number, found: number, within = 1e-6): readonly string[] {
  return Math.abs(expected - found) <= within ? [] : [`${name}: the whole is ${expected}, its parts are ${found}`];
}
