import type { Drift } from "../../drift/find-drift.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Redact } from "../../model/redact.ts";
import { utf8Text } from "../../model/tree.ts";
import { type Change, type FieldChange, isOfOtherTarget, type Plan, type Unmanaged } from "../../plan/plan.ts";
import type { ShownPlanParts } from "./plan-page.ts";

/**
 * The parts of a plan that a page shows, without secrets: HTML would break them up, so that they were no longer found in it. None of
 * another target's plan.
 */
export function shownParts(plan: ShownPlanParts & Pick<Plan, "guards">, redact: Redact): ShownPlanParts | undefined {
  if (isOfOtherTarget(plan)) return undefined;
  const { project, environment, target, changes, drift, unmanaged, pending, pauses, summary } = plan;
  return {
    project: redact(project),
    ...(environment !== undefined && { environment }),
    target: { ...target, url: redact(target.url) },
    changes: changes.map((change) => shownChange(change, redact)),
    drift: drift.map((change) => shownChange(change, redact)),
    unmanaged: unmanaged.map((each) => shownUnmanaged(each, redact)),
    pending,
    pauses,
    summary,
  };
}

/** Drift as a page shows it, without secrets. */
export function shownDrift(drift: Drift, redact: Redact): Drift {
  return {
    ...drift,
    project: redact(drift.project),
    target: { ...drift.target, url: redact(drift.target.url) },
    drifted: drift.drifted.map((object) => shownChange(object, redact)),
    changed: drift.changed.map((change) => shownChange(change, redact)),
    unmanaged: drift.unmanaged.map((each) => shownUnmanaged(each, redact)),
    ...(drift.byHand && { byHand: drift.byHand.map((each) => ({ ...each, what: redact(each.what) })) }),
  };
}

function shownUnmanaged(object: Unmanaged, redact: Redact): Unmanaged {
  return { ...object, name: redact(object.name) };
}

function shownChange<C extends Change>(change: C, redact: Redact): C {
  const { name, reason, risks, before, after, fields } = change;
  return {
    ...change,
    name: redact(name),
    ...(reason !== undefined && { reason: redact(reason) }),
    risks: risks.map(redact),
    ...(before && { before: shownFields(before, redact) }),
    ...(after && { after: shownFields(after, redact) }),
    fields: fields.map((field) => shownField(field, redact)),
  };
}

function shownField<F extends FieldChange & { readonly desired?: Json }>(field: F, redact: Redact): F {
  const { before, after, desired } = field;
  return {
    ...field,
    ...(before !== undefined && { before: shownValue(before, redact) }),
    ...(after !== undefined && { after: shownValue(after, redact) }),
    ...(desired !== undefined && { desired: shownValue(desired, redact) }),
  };
}

/** The names of fields are those of a kind, and no secret. */
function shownFields(fields: JsonObject, redact: Redact): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === undefined ? value : shownValue(value, redact)]),
  );
}

function shownValue(value: Json, redact: Redact): Json {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item: Json) => shownValue(item, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [redact(key), each === undefined ? each : shownValue(each, redact)]),
  );
}

/** A text without secrets; bytes that are no text are not shown anyway. */
export function shownContent(
  content: string | Uint8Array | undefined,
  redact: Redact,
): string | Uint8Array | undefined {
  const text = typeof content === "string" || content === undefined ? content : utf8Text(content);
  return text === undefined ? content : redact(text);
}
