import type { TimingData } from "./timing-histogram.ts";
import { TimingHistogram } from "./timing-histogram.ts";

/** What was counted of one resource. */
export class ResourceCounts {
  /** Times to the first byte, of successes and failures. */
  timings = new TimingHistogram();
  failures = 0;

  merge(other: ResourceCounts): void {
    this.timings.merge(other.timings);
    this.failures += other.failures;
  }
}

/** What was counted in a part of a run: an interval, a region, all of it. Merging is associative and commutative. */
export class RunCounts {
  iterations = 0;
  readonly resources: readonly ResourceCounts[];

  constructor(resources: number) {
    this.resources = Array.from({ length: resources }, () => new ResourceCounts());
  }

  merge(other: RunCounts): void {
    this.iterations += other.iterations;
    for (const [index, each] of this.resources.entries()) each.merge(other.resources[index] ?? new ResourceCounts());
  }

  get requests(): number {
    return this.resources.reduce((sum, each) => sum + each.timings.count, 0);
  }

  get failures(): number {
    return this.resources.reduce((sum, each) => sum + each.failures, 0);
  }

  toData(): CountsData {
    const resources = this.resources.map(({ timings, failures }) => ({ timings: timings.toData(), failures }));
    return { iterations: this.iterations, resources };
  }

  static of(data: CountsData): RunCounts {
    const counts = new RunCounts(data.resources.length);
    counts.iterations = data.iterations;
    for (const [index, each] of counts.resources.entries()) {
      const { timings, failures } = data.resources[index] ?? {};
      each.failures = failures ?? 0;
      if (timings) each.timings = TimingHistogram.of(timings);
    }
    return counts;
  }
}

/** Counts as plain data. */
export interface CountsData {
  readonly iterations: number;
  readonly resources: readonly { readonly timings: TimingData; readonly failures: number }[];
}

/** All of these together. */
export function merged(all: readonly RunCounts[], resources: number): RunCounts {
  const sum = new RunCounts(resources);
  for (const each of all) sum.merge(each);
  return sum;
}
