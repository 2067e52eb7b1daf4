import type { JsonValue } from "../../api/routes.ts";
import { isJsonObject, show } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import type { Bag, TriggerRecord } from "../store/records.ts";

type Item = Readonly<Record<string, JsonValue>>;

const conditionMembers = ["metric", "metricKey", "isPercentage", "operator", "threshold", "timePeriod", "valueType"];

/** Seed 1, Trigger. The list is replaced whole; what carries its id keeps it. */
export function readTriggers(
  value: JsonValue | undefined,
  former: readonly TriggerRecord[],
  scope: Scope,
): readonly TriggerRecord[] {
  if (value === undefined) return former;
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map((item, index) => {
    const at = `triggers[${index}]`;
    const own = former.find((each) => each.id === item["id"]);
    return {
      id: keepId(item, own, { at, counter: "trigger", scope }),
      conditions: parts(item["conditions"], `${at}.conditions`, scope).map((each, place) =>
        readCondition(each, own, { at: `${at}.conditions[${place}]`, counter: "condition", scope }),
      ),
      actions: parts(item["actions"], `${at}.actions`, scope).map((each, place) =>
        readAction(each, own, { at: `${at}.actions[${place}]`, counter: "action", scope }),
      ),
    };
  });
}

interface Place {
  readonly at: string;
  readonly counter: string;
  readonly scope: Scope;
}

function keepId(item: Item, own: { readonly id: number } | undefined, { at, counter, scope }: Place): number {
  if (own) return own.id;
  if (typeof item["id"] === "number")
    scope.findings.add(
      `${at}.id`,
      `found ${item["id"]}; expected no id, or that of a ${counter} of this configuration`,
    );
  return scope.store.takeId(counter);
}

/** DECISION (seed 1, Trigger): a trigger has at least one condition and one action. */
function parts(value: JsonValue | undefined, at: string, scope: Scope): readonly Item[] {
  const items = Array.isArray(value) ? value.filter(isJsonObject) : [];
  if (items.length === 0) scope.findings.add(at, "found none; expected at least one");
  return items;
}

/** DECISION (seed 1, Trigger): metric, operator and threshold are what makes a condition; the enumerations are ours. */
function readCondition(item: Item, trigger: TriggerRecord | undefined, place: Place): Bag & { readonly id: number } {
  const own = trigger?.conditions.find((each) => each.id === item["id"]);
  const condition: Record<string, JsonValue> = {};
  for (const name of conditionMembers) {
    const value = item[name];
    if (value !== undefined && value !== null) condition[name] = value;
  }
  for (const name of ["metric", "operator", "threshold"])
    if (condition[name] === undefined)
      place.scope.findings.add(`${place.at}.${name}`, `found none; expected ${name}: it is required`);
  return { isPercentage: false, ...condition, id: keepId(item, own, place) };
}

/** SEED (1, Trigger): the only supported action is StopExecution. */
function readAction(item: Item, trigger: TriggerRecord | undefined, place: Place): Bag & { readonly id: number } {
  const own = trigger?.actions.find((each) => each.id === item["id"]);
  const actionType = item["actionType"] ?? null;
  if (actionType !== "StopExecution")
    place.scope.findings.add(
      `${place.at}.actionType`,
      `found ${show(actionType)}; expected StopExecution, the only supported action`,
    );
  return { actionType, id: keepId(item, own, place) };
}
