import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostileRun } from "./hazards.ts";

/** Runs that found a fault once, shrunk; found-runs.json says of each what it was. */
export const found: readonly HostileRun[] = (
  JSON.parse(readFileSync(join(import.meta.dirname, "found-runs.json"), "utf8")) as {
    readonly why: string;
    readonly run: HostileRun;
  }[]
).map(({ run }) => run);
