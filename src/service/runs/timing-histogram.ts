/** Growth from one bucket to the next: what is read off a bucket is at most one percent off. */
const growth = 1.02;
/** Milliseconds that the first bucket ends at; times above 10,000 hours share the last bucket. */
const lowest = 0.01;
const perLog = 1 / Math.log(growth);
const lastBucket = Math.ceil(Math.log(3.6e10 / lowest) * perLog);
const margin = 32;

/** A histogram as plain data: sums in whole microseconds and in squares of tenths of a millisecond, so that they add up exactly. */
export interface TimingData {
  readonly count: number;
  readonly micros: number;
  readonly squares: number;
  /** Milliseconds. */
  readonly min: number;
  readonly max: number;
  /** The bucket of the first of `counts`. */
  readonly first: number;
  readonly counts: readonly number[];
}

/**
 * Times in milliseconds, counted in buckets that grow by two percent, beside their exact count, sum, minimum and maximum.
 * Merging is associative and commutative, and percentiles are read off merged buckets, never averaged.
 */
export class TimingHistogram {
  count = 0;
  min = Number.POSITIVE_INFINITY;
  max = 0;
  #micros = 0;
  #squares = 0;
  #first = 0;
  #counts = new Uint32Array(0);

  add(ms: number, times = 1): void {
    const bucket = bucketOf(ms);
    const index = bucket - this.#first;
    if (index >= 0 && index < this.#counts.length) this.#counts[index] = (this.#counts[index] ?? 0) + times;
    else this.#grow(bucket, bucket)[bucket - this.#first] = times;
    const tenths = Math.round(ms * 10);
    this.count += times;
    this.#micros += Math.round(ms * 1000) * times;
    this.#squares += tenths * tenths * times;
    if (ms < this.min) this.min = ms;
    if (ms > this.max) this.max = ms;
  }

  merge(other: TimingHistogram): void {
    if (other.count === 0) return;
    const counts = this.#grow(other.#first, other.#first + other.#counts.length - 1);
    const shift = other.#first - this.#first;
    for (let index = 0; index < other.#counts.length; index++)
      counts[index + shift] = (counts[index + shift] ?? 0) + (other.#counts[index] ?? 0);
    this.count += other.count;
    this.#micros += other.#micros;
    this.#squares += other.#squares;
    this.min = Math.min(this.min, other.min);
    this.max = Math.max(this.max, other.max);
  }

  /** Milliseconds; 0 when nothing was added. */
  get sum(): number {
    return this.#micros / 1000;
  }

  /** Undefined when nothing was added. */
  get mean(): number | undefined {
    return this.count === 0 ? undefined : this.sum / this.count;
  }

  /** Of the whole population. */
  get variance(): number | undefined {
    const mean = this.mean;
    return mean === undefined ? undefined : Math.max(0, this.#squares / 100 / this.count - mean * mean);
  }

  /** The time that a share of all times does not exceed; undefined when nothing was added. */
  percentile(percent: number): number | undefined {
    if (this.count === 0) return undefined;
    const rank = Math.max(1, Math.ceil((percent / 100) * this.count - 1e-9));
    let seen = 0;
    for (let index = 0; index < this.#counts.length; index++) {
      seen += this.#counts[index] ?? 0;
      if (seen >= rank) return Math.min(this.max, Math.max(this.min, middleOf(index + this.#first)));
    }
    return this.max;
  }

  /** The same times, each multiplied. */
  scaled(factor: number): TimingHistogram {
    const scaled = new TimingHistogram();
    if (this.count === 0 || factor === 0) return factor === 0 ? zeros(this.count) : scaled;
    const shift = Math.round(Math.log(factor) * perLog);
    scaled.count = this.count;
    scaled.min = this.min * factor;
    scaled.max = this.max * factor;
    scaled.#micros = Math.round(this.#micros * factor);
    scaled.#squares = Math.round(this.#squares * factor * factor);
    const first = this.#first + shift;
    scaled.#first = Math.max(0, first);
    scaled.#counts = first >= 0 ? this.#counts : foldedBelow(this.#counts, -first);
    return scaled;
  }

  toData(): TimingData {
    const used = [...this.#counts];
    const from = used.findIndex((each) => each > 0);
    const counts = from < 0 ? [] : used.slice(from, used.findLastIndex((each) => each > 0) + 1);
    const { count, max } = this;
    const min = count === 0 ? 0 : this.min;
    return {
      count,
      micros: this.#micros,
      squares: this.#squares,
      min,
      max,
      first: this.#first + Math.max(0, from),
      counts,
    };
  }

  static of(data: TimingData): TimingHistogram {
    const timings = new TimingHistogram();
    timings.count = data.count;
    timings.min = data.count === 0 ? Number.POSITIVE_INFINITY : data.min;
    timings.max = data.max;
    timings.#micros = data.micros;
    timings.#squares = data.squares;
    timings.#first = data.first;
    timings.#counts = Uint32Array.from(data.counts);
    return timings;
  }

  /** Makes room for these buckets, and for some more. */
  #grow(from: number, to: number): Uint32Array {
    const end = this.#first + this.#counts.length;
    const isEmpty = this.#counts.length === 0;
    if (!isEmpty && from >= this.#first && to < end) return this.#counts;
    const first = !isEmpty && from >= this.#first ? this.#first : Math.max(0, from - margin);
    const last = !isEmpty && to < end ? end - 1 : to + margin;
    const counts = new Uint32Array(last - first + 1);
    counts.set(this.#counts, isEmpty ? 0 : this.#first - first);
    this.#first = first;
    this.#counts = counts;
    return counts;
  }
}

function bucketOf(ms: number): number {
  if (ms <= lowest) return 0;
  return Math.min(lastBucket, Math.ceil(Math.log(ms / lowest) * perLog));
}

/** The middle of a bucket on the scale of its growth. */
function middleOf(bucket: number): number {
  return bucket === 0 ? 0 : lowest * growth ** (bucket - 0.5);
}

/** Buckets below the first are the first. */
function foldedBelow(counts: Uint32Array<ArrayBuffer>, below: number): Uint32Array<ArrayBuffer> {
  const folded = counts.slice(below);
  const sum = counts.slice(0, below).reduce((total, each) => total + each, 0);
  return folded.length === 0 ? Uint32Array.of(sum) : folded.map((each, index) => (index === 0 ? each + sum : each));
}

function zeros(count: number): TimingHistogram {
  const timings = new TimingHistogram();
  if (count > 0) timings.add(0, count);
  return timings;
}
