import { unlessThrown } from "../model/diagnostic.ts";
import { isObject, itemsOf, type JsonObject, mappingsIn, objectOf } from "../model/json.ts";
import type { Rule, RuleFinding } from "../model/kind.ts";
import { finding, isSet, readableName } from "./field-parts.ts";
import { neededParameters } from "./scenario.ts";
import { ownParams } from "./test-runners.ts";

/** Largest number of steps per region of the Step profile (API 1, Limits). */
const maximumSteps = 50;

/** Rules of the service for configurations (API 1, Create body fields). */
export const configurationRules: readonly Rule[] = [
  { origin: "documented", section: "1 Test configurations", check: oneBasis },
  { origin: "documented", section: "1 Test configurations", check: durationOnly },
  { origin: "documented", section: "1 Test configurations", check: usersRequired },
  { origin: "documented", section: "1 Test configurations", check: stepFields },
  { origin: "documented", section: "1 Limits", check: stepCount },
  { origin: "documented", section: "1 Test configurations", check: triggersRequired },
  { origin: "documented", section: "1 Test configuration", check: knownActions },
  { origin: "documented", section: "1 Test configuration", check: parametersAreAnObject },
  { origin: "documented", section: "1 Test configuration", check: runnersOwnParams },
  { origin: "documented", section: "2 Test runner parameters", check: oneRegionEach },
  readableName,
  { origin: "decision", section: "1 Test configurations", check: runnersRequired },
  { origin: "decision", section: "1 Test configuration", check: wholeTriggers },
  { origin: "decision", section: "service 1.2.2", check: foreignToProfile },
  { origin: "decision", section: "service 1.2.9", check: weightsMatchRegions },
];

const profile = (fields: JsonObject) => String(fields.profileType ?? "Flat");

function oneBasis(fields: JsonObject): readonly RuleFinding[] {
  const duration = isSet(fields.durationSecs);
  const iterations = isSet(fields.iterations);
  if (duration && iterations) {
    const detail = "A run ends either after a time or after a number of iterations: remove one of them";
    return [finding(["iterations"], "durationSecs and iterations exclude each other", detail)];
  }
  if (duration || iterations) return [];
  const detail = "Set either durationSecs or iterations, e.g. durationSecs: 60";
  return [finding([], "nothing says when the run ends", detail)];
}

function durationOnly(fields: JsonObject): readonly RuleFinding[] {
  if (profile(fields) === "Flat" || !isSet(fields.iterations) || isSet(fields.durationSecs)) return [];
  const detail = "Iterations are for profileType Flat only: set durationSecs instead";
  return [finding(["iterations"], `${profile(fields)} does not take iterations`, detail)];
}

function usersRequired(fields: JsonObject): readonly RuleFinding[] {
  if (profile(fields) === "BreakingPoint" || isSet(fields.concurrentClients)) return [];
  const detail = `profileType ${profile(fields)} needs the number of users per region`;
  return [finding([], "concurrentClients is missing", detail)];
}

function stepFields(fields: JsonObject): readonly RuleFinding[] {
  if (profile(fields) !== "Step") return [];
  return ["startConcurrentClients", "step"]
    .filter((name) => !isSet(fields[name]))
    .map((name) => finding(["profileType"], `${name} is missing`, `profileType Step needs ${name}`));
}

function stepCount(fields: JsonObject): readonly RuleFinding[] {
  const [from, to, step] = [fields.startConcurrentClients, fields.concurrentClients, fields.step];
  if (profile(fields) !== "Step" || typeof from !== "number" || typeof to !== "number" || typeof step !== "number")
    return [];
  if (from > to) {
    const detail = `startConcurrentClients is ${from}, concurrentClients ${to}: users can only be added`;
    return [finding(["startConcurrentClients"], "Step starts above its end", detail)];
  }
  const steps = step > 0 ? Math.ceil((to - from) / step) : 0;
  if (steps <= maximumSteps) return [];
  const detail = `From ${from} to ${to} by ${step} makes ${steps} steps, and ${maximumSteps} is the most. Use a step of at least ${Math.ceil((to - from) / maximumSteps)}`;
  return [finding(["step"], "too many steps", detail)];
}

/** The service takes it: a load that begins at its end is flat. */
export function neverSteps(fields: JsonObject): readonly RuleFinding[] {
  const { startConcurrentClients: from, concurrentClients: to, step } = fields;
  if (profile(fields) !== "Step" || typeof from !== "number" || typeof to !== "number") return [];
  const why = from === to ? `startConcurrentClients and concurrentClients are both ${to}` : `The step is ${step}`;
  if (from !== to && !(typeof step === "number" && step <= 0)) return [];
  const detail = `${why}, so the load never changes. Set ${from === to ? "startConcurrentClients below concurrentClients" : "a step above 0"}, or profileType Flat`;
  return [finding(["startConcurrentClients"], "a Step profile that never steps", detail)];
}

function triggersRequired(fields: JsonObject): readonly RuleFinding[] {
  const triggers = fields.triggers;
  if (profile(fields) !== "BreakingPoint" || (Array.isArray(triggers) && triggers.length > 0)) return [];
  const detail = "Users are raised until a trigger ends the run: declare at least one under triggers";
  return [finding(["profileType"], "BreakingPoint needs triggers", detail)];
}

function knownActions(fields: JsonObject): readonly RuleFinding[] {
  return mappingsIn(fields.triggers).flatMap(([index, { actions }]) =>
    mappingsIn(actions).flatMap(([at, { actionType: type }]) => {
      if (typeof type !== "string" || type === "StopExecution") return [];
      const detail = `"${type}" is not supported. The only action is StopExecution`;
      return [finding(["triggers", index, "actions", at, "actionType"], "unsupported action", detail)];
    }),
  );
}

/** Nothing fires a trigger without conditions, and one without actions does nothing. */
function wholeTriggers(fields: JsonObject): readonly RuleFinding[] {
  return mappingsIn(fields.triggers).flatMap(([index, trigger]) =>
    ["conditions", "actions"]
      .filter((part) => Array.isArray(trigger[part]) && itemsOf(trigger[part]).length === 0)
      .map((part) => {
        const detail = `A trigger needs at least one ${part.slice(0, -1)}`;
        return finding(["triggers", index, part], `the trigger has no ${part}`, detail);
      }),
  );
}

function runnersRequired({ providers }: JsonObject): readonly RuleFinding[] {
  if (!Array.isArray(providers) || providers.length > 0) return [];
  const detail = "A configuration needs at least one provider of test runners, with the regions to run in";
  return [finding(["providers"], "there are no providers", detail)];
}

/** The service takes a list of regions as one text. */
function oneRegionEach(fields: JsonObject): readonly RuleFinding[] {
  return mappingsIn(fields.providers).flatMap(([index, { regions }]) =>
    itemsOf(regions).flatMap((region, at) => {
      if (typeof region !== "string" || !region.includes(",")) return [];
      const detail = `"${region}" has a comma in it, and the service would take it for several regions: write each of them as an element of its own`;
      return [finding(["providers", index, "regions", at], "a region is one name", detail)];
    }),
  );
}

function parametersAreAnObject(fields: JsonObject): readonly RuleFinding[] {
  const { scriptParams } = fields;
  if (typeof scriptParams !== "string" || isObject(unlessThrown(() => JSON.parse(scriptParams)))) return [];
  const detail = 'Write names and values, as in {"key": "value"}';
  return [finding(["scriptParams"], "scriptParams is not a JSON object", detail)];
}

const ownOf = [
  ["rampupSecs", "Flat"],
  ["startConcurrentClients", "Step"],
  ["step", "Step"],
] as const;

function foreignToProfile(fields: JsonObject): readonly RuleFinding[] {
  return ownOf
    .filter(([name, owner]) => isSet(fields[name]) && profile(fields) !== owner)
    .map(([name, owner]) => {
      const detail = `It belongs to profileType ${owner}, and this is ${profile(fields)}: remove it`;
      return finding([name], `${name} has no effect`, detail);
    });
}

function weightsMatchRegions(fields: JsonObject): readonly RuleFinding[] {
  return mappingsIn(fields.providers).flatMap(([index, runner]) => {
    const [weights, regions] = [itemsOf(runner.weight), itemsOf(runner.regions)];
    if (weights.length < 2 || weights.length === regions.length) return [];
    const detail = `There are ${weights.length} weights for ${regions.length} regions: give a single weight for all of them, or one for each`;
    return [finding(["providers", index, "weight"], "weights do not match the regions", detail)];
  });
}

/** A parameter that has a field of its own would be lost among those that are passed through. */
function runnersOwnParams(fields: JsonObject): readonly RuleFinding[] {
  return mappingsIn(fields.providers).flatMap(([index, runner]) => {
    const params = objectOf(runner.params);
    return ownParams
      .filter((name) => name in params)
      .map((name) => {
        const detail = `It is a field of its own: write ${name} next to params, not inside it`;
        return finding(["providers", index, "params", name], `${name} does not belong under params`, detail);
      });
  });
}

/** Parameters that the scenario requires and has no default for; whoever starts a run may give them. */
export function missingParameters(
  fields: JsonObject,
  beside: (field: string) => JsonObject | undefined,
): readonly RuleFinding[] {
  const { scenario: reference, scriptParams } = fields;
  const needed = neededParameters(beside("scenario") ?? {});
  const given = isSet(scriptParams) ? scriptParams : {};
  if (needed.length === 0 || !isObject(given)) return [];
  const runs = isObject(reference) ? String(reference.ref) : "its scenario";
  return needed
    .filter((name) => !Object.hasOwn(given, name))
    .map((name) => {
      const detail = `${runs} says that ${name} is required and has no default for it, so a run has a value only if whoever starts it gives one. Write ${name} under scriptParams, or its defaultValue in paramsConfig of the scenario`;
      return finding(["scriptParams"], `required parameter ${name} is not given`, detail);
    });
}
