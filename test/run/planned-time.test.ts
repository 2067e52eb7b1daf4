import { expect, it } from "vitest";
import { ServiceError } from "../../src/model/service-error.ts";
import { plannedTime, plannedTimeOf } from "../../src/run/planned-time.ts";
import { runState } from "../support/run-state.ts";
import { literalApi } from "./run-bench.ts";

it.each([
  ["Flat", { durationSecs: 120 }, { secs: 180, isFixed: true, rampupSecs: 60 }],
  ["Flat", { durationSecs: 120, rampupSecs: 0 }, { secs: 120, isFixed: true, rampupSecs: 0 }],
  ["Flat", { durationSecs: 120, rampupSecs: null }, { secs: 180, isFixed: true, rampupSecs: 60 }],
  ["Flat", { iterations: 5, rampupSecs: 30 }, { secs: 7200, isFixed: false, rampupSecs: 30 }],
  ["Flat", { durationSecs: 0, iterations: 5 }, { secs: 7200, isFixed: false, rampupSecs: 60 }],
  ["Flat", { durationSecs: "120" }, { secs: 7200, isFixed: false, rampupSecs: 60 }],
  ["Step", { durationSecs: 120, rampupSecs: 30 }, { secs: 120, isFixed: true, rampupSecs: 0 }],
  ["BreakingPoint", { durationSecs: 120 }, { secs: 120, isFixed: false, rampupSecs: 0 }],
])("a %s run of %o", (profileType, fields, expected) => {
  expect(plannedTime({ profileType, ...fields })).toEqual(expected);
  if (profileType === "Flat") expect(plannedTime(fields)).toEqual(expected);
});

const gone = () => {
  throw new ServiceError("none", { route: "", method: "GET", path: "", arrival: "answered", status: 404 });
};

it.each([
  ["as its configuration is", { durationSecs: 60, updatedAt: "2026-11-20T09:00:00Z" }, { secs: 120, isFixed: true }],
  ["by a configuration without times", { durationSecs: 60 }, { secs: 120, isFixed: true }],
  [
    "as declared where its configuration was changed since",
    { durationSecs: 60, updatedAt: "2026-11-20T11:00:00Z" },
    { secs: 90, isFixed: false, isDoubtful: true },
  ],
  ["as declared where its configuration was deleted", gone, { secs: 90, isFixed: false, isDoubtful: true }],
  ["as declared where its configuration makes no sense", "none", { secs: 90, isFixed: false, isDoubtful: true }],
])("a run that is there is planned %s", async (_, answer, expected) => {
  const api = literalApi({ "GET /test-confs/:confId": answer });
  const state = await runState({ id: 1, createdAt: "2026-11-20T10:00:00Z" });
  expect(await plannedTimeOf(api, { configurationId: 1, state }, { durationSecs: 30 })).toMatchObject(expected);
});
