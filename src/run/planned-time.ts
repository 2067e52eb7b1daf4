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

/** A Flat run reaches its users in so long unless it says otherwise (API 1, Test configuration). */
const usualRampupSecs = 60;

/** The time that a run of a configuration takes, from its fields or from an answer (API 1, Test configuration). */
export function plannedTime(fields: JsonObject): PlannedTime {
  const number = (name: string, otherwise: number) => {
    const value = fields[name];
    return typeof value === "number" ? value : otherwise;
  };
  const profile = fields["profileType"] ?? "Flat";
  const durationSecs = number("durationSecs", 0);
  const rampupSecs = profile === "Flat" ? number("rampupSecs", usualRampupSecs) : 0;
  if (durationSecs <= 0) return { secs: iterationsSecs, isFixed: false, rampupSecs };
  return { secs: rampupSecs + durationSecs, isFixed: profile !== "BreakingPoint", rampupSecs };
}
