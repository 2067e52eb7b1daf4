import type { Drift, DriftedField, DriftedObject } from "../drift/find-drift.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Change } from "../plan/plan.ts";
import { changeJson, diagnosticJson, unmanagedJson } from "./plan-json.ts";
import { readableValue } from "./readable-value.ts";

/** The document's members beside the drift. */
export interface DriftMeta {
  readonly createdAt: string;
  readonly requests: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Drift as one document: `resource_drift` and `unmanaged` as in a plan, each field with its class. */
export function driftDocument(drift: Drift, meta: DriftMeta): JsonObject {
  const { project, environment, target, drifted, changed, unmanaged } = drift;
  return {
    format_version: "1.2",
    project,
    ...(environment === undefined ? {} : { environment }),
    target: { url: target.url, organization: target.organization },
    created_at: meta.createdAt,
    resource_drift: drifted.map((object) => ({ ...changeJson(object), fields: object.fields.map(fieldJson) })),
    resource_changes: changed.map(changedJson),
    unmanaged: unmanaged.map(unmanagedJson),
    summary: summaryOf(drift),
    requests: meta.requests,
    diagnostics: meta.diagnostics.map(diagnosticJson),
  };
}

/** The class and all three sides of docs/engine.md, Diff; a side without a value is omitted. */
function fieldJson({ field, cause, before, after, desired }: DriftedField): JsonObject {
  return {
    field,
    class: cause,
    ...side("applied", before, after),
    ...side("live", after, before),
    ...side("desired", desired, after),
  };
}

function side(name: string, value: Json | undefined, other: Json | undefined): JsonObject {
  return value === undefined ? {} : { [name]: readableValue(value, other) };
}

function changedJson(change: Change): JsonObject {
  const fields = change.fields.map(({ field, before, after }) => ({
    field,
    class: "change",
    ...side("live", before, after),
    ...side("desired", after, before),
  }));
  return { ...changeJson(change), fields };
}

function summaryOf({ drifted, changed, unmanaged, failsOnUnmanaged }: Drift): JsonObject {
  const of = (action: DriftedObject["action"]) => drifted.filter((each) => each.action === action).length;
  const fields = drifted.flatMap((object) => object.fields);
  const ofClass = (cause: DriftedField["cause"]) => fields.filter((field) => field.cause === cause).length;
  return {
    changed_outside: of("update"),
    deleted_outside: of("delete"),
    added_outside: of("create"),
    ...(failsOnUnmanaged ? { declared_by_nobody: unmanaged.length } : {}),
    fields: { drift: ofClass("drift"), both: ofClass("both") },
    not_applied: changed.length,
  };
}
