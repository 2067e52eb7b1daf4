import { CustomCounts, type CustomData, type CustomValue } from "./custom-counts.ts";
import { type TimingData, TimingHistogram } from "./timing-histogram.ts";

/** Measurements of one resource beside the times to the first byte. */
export class AnswerCounts {
  bytesSent = 0;
  bytesReceived = 0;
  readonly opens = new TimingHistogram();
  readonly closes = new TimingHistogram();

  merge(other: AnswerCounts): void {
    this.bytesSent += other.bytesSent;
    this.bytesReceived += other.bytesReceived;
    this.opens.merge(other.opens);
    this.closes.merge(other.closes);
  }
}

export class ResourceCounts {
  /** Times to the first byte, of successes and failures. */
  timings = new TimingHistogram();
  failures = 0;
  /** Absent where it follows from the model. */
  answers: AnswerCounts | undefined;

  merge(other: ResourceCounts): void {
    this.timings.merge(other.timings);
    this.failures += other.failures;
    if (other.answers) this.measured.merge(other.answers);
  }

  /** Its answers, which are counted from now on. */
  get measured(): AnswerCounts {
    this.answers ??= new AnswerCounts();
    return this.answers;
  }

  toData(): ResourceData {
    const { answers, failures } = this;
    const counted = { timings: this.timings.toData(), failures };
    if (answers === undefined) return counted;
    const { bytesSent, bytesReceived, opens, closes } = answers;
    return { ...counted, answers: { bytesSent, bytesReceived, opens: opens.toData(), closes: closes.toData() } };
  }

  static of({ timings, failures, answers }: ResourceData): ResourceCounts {
    const counts = new ResourceCounts();
    counts.timings = TimingHistogram.of(timings);
    counts.failures = failures;
    if (answers === undefined) return counts;
    counts.measured.bytesSent = answers.bytesSent;
    counts.measured.bytesReceived = answers.bytesReceived;
    counts.measured.opens.merge(TimingHistogram.of(answers.opens));
    counts.measured.closes.merge(TimingHistogram.of(answers.closes));
    return counts;
  }
}

/** Counts of a part of a run: an interval, a region, all of it. Merging is associative and commutative. */
export class RunCounts {
  iterations = 0;
  /** Iterations by the id of the chunk whose users made them: of the runners that were at work. */
  readonly runners = new Map<number, number>();
  /** By the index of the request in the iteration. */
  readonly resources: readonly ResourceCounts[];
  /** Metrics that scripts reported by themselves, where they were measured. */
  readonly custom = new Map<string, CustomCounts>();
  readonly #resources: ResourceCounts[];

  constructor(resources: number) {
    this.#resources = Array.from({ length: resources }, () => new ResourceCounts());
    this.resources = this.#resources;
  }

  /** Those of a request, which may be a new one. */
  resource(index: number): ResourceCounts {
    while (this.#resources.length <= index) this.#resources.push(new ResourceCounts());
    return this.#resources[index] as ResourceCounts;
  }

  /** An iteration of a user of a chunk ended. */
  iterated(chunk: number, times = 1): void {
    this.iterations += times;
    this.runners.set(chunk, (this.runners.get(chunk) ?? 0) + times);
  }

  /** Counts a value that a script of a chunk reported by itself. */
  report(value: CustomValue, chunk: number): void {
    this.#customOf({ ...value, units: value.units ?? "" }).add(value, chunk);
  }

  merge(other: RunCounts): void {
    this.iterations += other.iterations;
    for (const [chunk, times] of other.runners) this.runners.set(chunk, (this.runners.get(chunk) ?? 0) + times);
    for (const [index, each] of other.resources.entries()) this.resource(index).merge(each);
    for (const each of other.custom.values()) this.#customOf(each.of).merge(each);
  }

  get requests(): number {
    return this.resources.reduce((sum, each) => sum + each.timings.count, 0);
  }

  get failures(): number {
    return this.resources.reduce((sum, each) => sum + each.failures, 0);
  }

  toData(): CountsData {
    const resources = this.resources.map((each) => each.toData());
    const custom = [...this.custom.values()].map((each) => each.toData());
    const runners = Object.fromEntries(this.runners);
    return { iterations: this.iterations, runners, resources, ...(custom.length > 0 && { custom }) };
  }

  static of(data: CountsData): RunCounts {
    const counts = new RunCounts(0);
    counts.iterations = data.iterations;
    for (const [chunk, times] of Object.entries(data.runners ?? {})) counts.runners.set(Number(chunk), times);
    for (const each of data.resources) counts.#resources.push(ResourceCounts.of(each));
    for (const each of data.custom ?? []) counts.#customOf(each).merge(CustomCounts.of(each));
    return counts;
  }

  #customOf(of: ConstructorParameters<typeof CustomCounts>[0]): CustomCounts {
    const id = `${of.namespace}/${of.name}`;
    const known = this.custom.get(id) ?? new CustomCounts(of);
    this.custom.set(id, known);
    return known;
  }
}

interface ResourceData {
  readonly timings: TimingData;
  readonly failures: number;
  readonly answers?: {
    readonly bytesSent: number;
    readonly bytesReceived: number;
    readonly opens: TimingData;
    readonly closes: TimingData;
  };
}

/** Counts as plain data. */
export interface CountsData {
  readonly iterations: number;
  /** Iterations by the id of a chunk; absent in older states. */
  readonly runners?: Readonly<Record<string, number>>;
  readonly resources: readonly ResourceData[];
  readonly custom?: readonly CustomData[];
}

/** All of these together. */
export function merged(all: readonly RunCounts[], resources: number): RunCounts {
  const sum = new RunCounts(resources);
  for (const each of all) sum.merge(each);
  return sum;
}
