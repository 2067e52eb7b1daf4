import type { JsonObject } from "../model/json.ts";

/** A run of iterations is planned for so long: nobody knows before how long they take. */
const iterationsSecs = 7_200;

/** The planned load of a configuration. */
export interface PlannedTime {
  /** Seconds. */
  readonly secs: number;
  /** A duration-based Flat or Step run, which should last so long. */
  readonly isFixed: boolean;
  /** Seconds in which users are added. */
  readonly rampupSecs: number;
}

/** The time that a run of a configuration takes, from its fields or from an answer (API 1, Test configuration). */
export function plannedTime(fields: JsonObject): PlannedTime {
  const number = (name: string) => (typeof fields[name] === "number" ? fields[name] : 0);
  const profile = fields["profileType"] ?? "Flat";
  const isByDuration = number("durationSecs") > 0;
  if (!isByDuration) return { secs: iterationsSecs, isFixed: false, rampupSecs: number("rampupSecs") };
  const rampupSecs = profile === "Flat" ? number("rampupSecs") : 0;
  return { secs: rampupSecs + number("durationSecs"), isFixed: profile !== "BreakingPoint", rampupSecs };
}
