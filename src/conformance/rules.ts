import { isObject, type Json } from "../model/json.ts";
import type { Wire } from "./wire-values.ts";

/** A documented rule that an object of an answer breaks. */
interface BrokenRule {
  readonly member: string;
  readonly found: string;
  readonly expected: string;
}

interface DocumentedRule extends BrokenRule {
  readonly shape: string;
  readonly isBroken: (value: Json | undefined, object: Wire) => boolean;
}

const isBelow = (least: number) => (value: Json | undefined) => typeof value === "number" && value < least;
const isSet = (value: unknown) => value !== undefined && value !== null;
const isEmpty = (value: unknown) => !Array.isArray(value) || value.length === 0;
const linkMembers = ["url", "thumbnailUrl", "deleteUrl"] as const;
const secretMembers = ["password", "privateKey"] as const;

/** Rules of the API's documents that a read can show, beside types and forms. */
const documented: readonly DocumentedRule[] = [
  ...linkMembers.map((member) => ({
    ...{ shape: "dataStore", member, found: "another path", expected: "a path that begins with /api/" },
    isBroken: (value: Json | undefined) =>
      typeof value === "string" && !new URL(value, "http://any").pathname.startsWith("/api/"),
  })),
  ...secretMembers.map((member) => ({
    ...{ shape: "vcsRoot", member, found: "a secret", expected: "nothing: it is never returned" },
    isBroken: isSet,
  })),
  {
    ...{ shape: "configuration", member: "iterationSleepSecs", found: "a smaller number", expected: "at least 1" },
    isBroken: isBelow(1),
  },
  {
    ...{ shape: "configuration", member: "rampupSecs", found: "a smaller number", expected: "at least 0" },
    isBroken: isBelow(0),
  },
  {
    ...{ shape: "configuration", member: "triggers", found: "none", expected: "at least one for BreakingPoint" },
    isBroken: (value, { profileType }) => profileType === "BreakingPoint" && isEmpty(value),
  },
  {
    ...{ shape: "configuration", member: "iterations", found: "a number", expected: "none but for Flat" },
    isBroken: (value, { profileType }) => isSet(value) && (profileType === "Step" || profileType === "BreakingPoint"),
  },
  {
    ...{ shape: "configuration", member: "scriptParams", found: "other text", expected: "JSON text of an object" },
    isBroken: (value) => typeof value === "string" && !isObject(jsonIn(value)),
  },
  ...(["concurrentClients", "startConcurrentClients", "step"] as const).map((member) => ({
    ...{ shape: "configuration", member, found: "nothing", expected: "a number for Step" },
    isBroken: (value: Json | undefined, { profileType }: Wire) => profileType === "Step" && !isSet(value),
  })),
  {
    ...{ shape: "configuration", member: "concurrentClients", found: "nothing", expected: "a number for Flat" },
    isBroken: (value, { profileType }) => profileType === "Flat" && !isSet(value),
  },
  {
    ...{ shape: "configuration", member: "durationSecs", found: "nothing", expected: "this or iterations" },
    isBroken: (value, { iterations, profileType }) => isSet(profileType) && !isSet(value) && !isSet(iterations),
  },
  ...(["hour", "minute"] as const).map((member) => ({
    ...{ shape: "schedule", member, found: "nothing", expected: "a number for this interval" },
    isBroken: (value: Json | undefined, { recurringInterval }: Wire) =>
      ["Day", "WeekDay", "Week", "Month"].includes(String(recurringInterval)) && !isSet(value),
  })),
  {
    ...{ shape: "schedule", member: "recurringInterval", found: "nothing", expected: "an interval for Recurring" },
    isBroken: (value, { scheduleType }) => scheduleType === "Recurring" && !isSet(value),
  },
];

/** The rules that an object of this shape breaks. */
export function brokenRules(shape: string, object: Wire): readonly BrokenRule[] {
  return documented.filter(
    (rule) => rule.shape === shape && rule.isBroken(object[rule.member] as Json | undefined, object),
  );
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
