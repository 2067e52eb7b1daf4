/** A number of 32 bits for a text. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mixed(hash);
}

/** 32 random bits that depend on all of these and on nothing else. */
export function draw(seed: number, user: number, step: number): number {
  return mixed(mixed(seed ^ Math.imul(user + 1, 0x9e3779b1)) ^ Math.imul(step + 1, 0x85ebca77));
}

/** Other 32 bits of the same origin. */
export function mixed(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Makes UUIDs of one purpose: each depends on its seed text, the user and the step, and on nothing else. */
export function uuidDraws(seed: string): (user: number, step: number) => string {
  const [first = 0, second = 0, third = 0, fourth = 0] = ["a", "b", "c", "d"].map((part) => seedOf(`${seed} ${part}`));
  return (user, step) => {
    const middle = hex(draw(second, user, step));
    const rest = hex(draw(third, user, step));
    const parts = [hex(draw(first, user, step)), middle.slice(0, 4), `4${middle.slice(5)}`, `8${rest.slice(1, 4)}`];
    return `${parts.join("-")}-${rest.slice(4)}${hex(draw(fourth, user, step))}`;
  };
}

const pairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Eight digits; half of the time of `toString(16)`, for a download has hundreds of thousands. */
function hex(bits: number): string {
  return `${pairs[bits >>> 24]}${pairs[(bits >>> 16) & 255]}${pairs[(bits >>> 8) & 255]}${pairs[bits & 255]}`;
}

const steps = 1024;
/** Standard deviations that 99 percent of a normal distribution lie below. */
const ninetyNinth = 2.3263478740408408;

/** Latencies by a log-normal distribution with this median and 99th percentile, as a table over equal shares. */
export function latencyTable({ p50, p99 }: { readonly p50: number; readonly p99: number }): Float64Array {
  const median = Math.max(p50, 0.001);
  const spread = Math.log(Math.max(p99, median) / median) / ninetyNinth;
  return Float64Array.from({ length: steps + 1 }, (_, index) => {
    const share = Math.min(Math.max(index / steps, 0.25 / steps), 1 - 0.25 / steps);
    return median * Math.exp(spread * normalQuantile(share));
  });
}

/** The latency that 32 random bits select, in milliseconds, rounded to microseconds. */
export function latencyOf(table: Float64Array, bits: number): number {
  const index = bits >>> 22;
  const rest = ((bits >>> 2) & 0xfffff) / 0x100000;
  const low = table[index] ?? 0;
  const high = table[index + 1] ?? low;
  return Math.round((low + (high - low) * rest) * 1000) / 1000;
}

/** The inverse of the normal distribution, by Acklam's rational approximation: off by at most 1.2e-9 of its value. */
function normalQuantile(share: number): number {
  if (share > 0.5) return -normalQuantile(1 - share);
  if (share < 0.02425) {
    const root = Math.sqrt(-2 * Math.log(share));
    return polynomial(tail, root) / (polynomial(tailDivisor, root) * root + 1);
  }
  const centred = share - 0.5;
  const square = centred * centred;
  return (polynomial(middle, square) * centred) / (polynomial(middleDivisor, square) * square + 1);
}

function polynomial(factors: readonly number[], at: number): number {
  return factors.reduce((sum, factor) => sum * at + factor, 0);
}

const middle = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
];
const middleDivisor = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1,
];
const tail = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const tailDivisor = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416];
