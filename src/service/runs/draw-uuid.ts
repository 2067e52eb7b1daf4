import { draw, seedOf } from "./draw.ts";

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
