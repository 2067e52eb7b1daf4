import { configurationLoad, plannedSeconds } from "../model/configuration-load.ts";
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
  /** Users of all test runners together, where that is known. */
  readonly users?: number;
}

/** The time that a run of a configuration takes, from its fields or from an answer (API 1, Test configuration). */
export function plannedTime(fields: JsonObject): PlannedTime {
  const { profileType = "Flat", durationSecs, rampupSecs } = fields;
  const secs = plannedSeconds(fields);
  const users = configurationLoad(fields)?.peak;
  const known = users === undefined ? {} : { users };
  if (secs === undefined)
    return {
      secs: iterationsSecs,
      isFixed: false,
      rampupSecs: typeof rampupSecs === "number" ? rampupSecs : 0,
      ...known,
    };
  const added = typeof durationSecs === "number" ? secs - durationSecs : 0;
  return { secs, isFixed: profileType !== "BreakingPoint", rampupSecs: added, ...known };
}
