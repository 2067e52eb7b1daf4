import type { Api } from "../api/routes.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { ServiceError } from "../model/service-error.ts";
import type { RunState } from "./read-run.ts";

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

/**
 * The planned time of a run that is there, by its configuration at the service; where that cannot be read, or was changed since, by
 * these fields, and nobody knows how long the run should have lasted.
 */
export async function plannedTimeOf(
  api: Api,
  { configurationId: confId, state }: { readonly configurationId: number; readonly state: RunState },
  otherwise: JsonObject,
): Promise<PlannedTime> {
  const doubtful = { ...plannedTime(otherwise), isFixed: false };
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
