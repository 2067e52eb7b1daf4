import type { Api } from "../api/routes.ts";
import { configurationLoad, plannedSeconds } from "../model/configuration-load.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { ServiceError } from "../model/service-error.ts";
import type { RunState } from "./read-run.ts";

/** A run of iterations is planned for so long: nobody knows before how long they take. */
const iterationsSecs = 7_200;

/** A Flat run of iterations reaches its users in so long unless it says otherwise (API 1, Test configuration). */
const usualRampupSecs = 60;

/** The planned load of a configuration. */
export interface PlannedTime {
  /** Seconds. */
  readonly secs: number;
  /** A duration-based Flat or Step run, which should last so long. */
  readonly isFixed: boolean;
  /** It was one, or not: its configuration was changed since, or cannot be read. */
  readonly isDoubtful?: true;
  /** Seconds in which users are added. */
  readonly rampupSecs: number;
  /** Users of all test runners together, where that is known. */
  readonly users?: number;
}

/** No run is stopped for a KPI before it has lasted so long, in seconds: its ramp-up, and a minute at least. */
export function breakableAfter(rampupSecs: number): number {
  return Math.max(60, rampupSecs);
}

/** The time that a run of a configuration takes, from its fields or from an answer (API 1, Test configuration). */
export function plannedTime(fields: JsonObject): PlannedTime {
  const { profileType = "Flat", durationSecs, rampupSecs } = fields;
  const secs = plannedSeconds(fields);
  const users = configurationLoad(fields)?.peak;
  const known = users === undefined ? {} : { users };
  // A service may write 0 where there is no duration.
  if (secs === undefined || typeof durationSecs !== "number" || durationSecs <= 0)
    return {
      secs: iterationsSecs,
      isFixed: false,
      rampupSecs: typeof rampupSecs === "number" ? rampupSecs : usualRampupSecs,
      ...known,
    };
  const isFixed = profileType !== "BreakingPoint";
  return { secs, isFixed, rampupSecs: secs - durationSecs, ...known };
}

/**
 * The planned time of a run that is there, by its configuration at the service; where that cannot be read, or was changed since, by
 * these fields, and nobody knows how long the run should have lasted.
 */
export async function plannedTimeOf(
  api: Api,
  { configurationId: confId, state }: { readonly configurationId: number; readonly state: RunState },
  otherwise: JsonObject,
): Promise<PlannedTime> {
  const { isFixed, ...rest } = plannedTime(otherwise);
  const doubtful: PlannedTime = { ...rest, isFixed: false, ...(isFixed && { isDoubtful: true }) };
  try {
    const query = { down: false, up: false };
    const answer: unknown = await api.call("GET /test-confs/:confId", { params: { confId }, query });
    if (!isObject(answer as Json)) return doubtful;
    const fields = answer as JsonObject;
    const changedAt = fields["updatedAt"];
    const isNewer = typeof changedAt === "string" && Date.parse(changedAt) > Date.parse(state.createdAt ?? "");
    return isNewer ? doubtful : plannedTime(fields);
  } catch (problem) {
    if (problem instanceof ServiceError) return doubtful;
    throw problem;
  }
}
