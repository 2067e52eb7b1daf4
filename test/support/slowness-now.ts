import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What a start of Node takes on a quiet machine of two cores, in milliseconds. */
const quietStartMs = 60;

/**
 * How many times longer something takes on this machine now than on a quiet one of two cores, never less than 1: the slowest of three
 * starts of Node, or LOADFORM_SLOW. A limit that a user would notice is multiplied by it, as a test shares its machine with others.
 */
export async function slownessNow(): Promise<number> {
  const given = process.env["LOADFORM_SLOW"];
  if (given !== undefined) return Number(given);
  let slowest = quietStartMs;
  for (let start = 0; start < 3; start++) {
    const from = performance.now();
    await promisify(execFile)(process.execPath, ["-e", "0"]);
    slowest = Math.max(slowest, performance.now() - from);
  }
  return slowest / quietStartMs;
}
