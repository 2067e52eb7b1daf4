import { type TimingData, TimingHistogram } from "./timing-histogram.ts";

/** A value that a script reported by itself. */
export interface CustomValue {
  readonly metricType: "Counter" | "Timing" | "Histogram" | "Metered";
  readonly namespace: string;
  readonly name: string;
  readonly key: string | null;
  readonly value: number;
  readonly units: string | null;
}

/** Name, unit and type of a metric. */
type CustomName = Omit<CustomValue, "key" | "value" | "units"> & { readonly units: string };

/** Counts of a metric of scripts as plain data. */
export interface CustomData extends CustomName {
  readonly sum: number;
  readonly largest: number;
  /** The largest value of each chunk, by its id; absent in older states. */
  readonly peaks?: Readonly<Record<string, number>>;
  readonly buckets: Readonly<Record<string, number>>;
  readonly timings: TimingData | null;
}

/** Counts of one metric that scripts reported by themselves. */
export class CustomCounts {
  readonly of: CustomName;
  readonly buckets = new Map<string, number>();
  readonly timings = new TimingHistogram();
  sum = 0;
  largest = Number.NEGATIVE_INFINITY;
  readonly #peaks = new Map<number, number>();

  constructor({ metricType, namespace, name, units }: CustomName) {
    this.of = { metricType, namespace, name, units };
  }

  /** The largest values of all runners together (API 2, KPIs: Metered, total). */
  get total(): number {
    return this.#peaks.size === 0 ? this.largest : [...this.#peaks.values()].reduce((sum, each) => sum + each, 0);
  }

  add({ key, value }: Pick<CustomValue, "key" | "value">, chunk: number): void {
    this.sum += value;
    this.largest = Math.max(this.largest, value);
    this.#reach(chunk, value);
    if (this.of.metricType === "Timing") this.timings.add(Math.max(0, value));
    if (this.of.metricType === "Histogram") this.#addTo(key ?? "", value);
  }

  merge(other: CustomCounts): void {
    this.sum += other.sum;
    this.largest = Math.max(this.largest, other.largest);
    this.timings.merge(other.timings);
    for (const [chunk, peak] of other.#peaks) this.#reach(chunk, peak);
    for (const [key, value] of other.buckets) this.#addTo(key, value);
  }

  toData(): CustomData {
    const { of, sum, largest, timings } = this;
    const buckets = Object.fromEntries(this.buckets);
    const peaks = Object.fromEntries(this.#peaks);
    return { ...of, sum, largest, peaks, buckets, timings: timings.count === 0 ? null : timings.toData() };
  }

  static of(data: CustomData): CustomCounts {
    const counts = new CustomCounts(data);
    counts.sum = data.sum;
    counts.largest = data.largest;
    for (const [chunk, peak] of Object.entries(data.peaks ?? {})) counts.#reach(Number(chunk), peak);
    for (const [key, value] of Object.entries(data.buckets)) counts.buckets.set(key, value);
    if (data.timings) counts.timings.merge(TimingHistogram.of(data.timings));
    return counts;
  }

  #reach(chunk: number, value: number): void {
    this.#peaks.set(chunk, Math.max(this.#peaks.get(chunk) ?? value, value));
  }

  #addTo(key: string, value: number): void {
    this.buckets.set(key, (this.buckets.get(key) ?? 0) + value);
  }
}
