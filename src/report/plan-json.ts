import type { Diagnostic } from "../model/diagnostic.ts";
import type { Hash } from "../model/fingerprint.ts";
import { canonicalJson, type Json, type JsonObject, withoutAbsent } from "../model/json.ts";
import type { Change, Plan, Unmanaged } from "../plan/plan.ts";
import { type Instances, instanceOf } from "./plan-text.ts";
import { readableObject, sensitiveMap, shownName } from "./readable-value.ts";

/** The document's members beside the plan. */
export interface PlanMeta {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly requests: number;
  /** The plan was carried out on a fork of the bundled service. */
  readonly rehearsed: boolean;
  readonly instances?: Instances | undefined;
  /** Every problem, those of the plan and its guards included. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A plan in Terraform's plan shape, but for its digest. */
export function planDocument(plan: Plan, meta: PlanMeta): JsonObject {
  return {
    format_version: "1.2",
    project: plan.project,
    ...(plan.environment === undefined ? {} : { environment: plan.environment }),
    target: { url: plan.target.url, organization: plan.target.organization },
    created_at: meta.createdAt,
    resource_changes: plan.changes.map(changeJson),
    resource_drift: plan.drift.map(changeJson),
    unmanaged: plan.unmanaged.map(unmanagedJson),
    ...instancesJson(plan, meta.instances),
    ...(plan.pauses.length > 0 && {
      pauses: plan.pauses.map(({ address, around }) => ({ address, writes: around.length })),
    }),
    summary: { ...plan.summary },
    requests: meta.requests,
    rehearsed: meta.rehearsed,
    diagnostics: meta.diagnostics.map(diagnosticJson),
  };
}

/**
 * The digest of a plan, `ENVIRONMENT.SHA-256`, with `-` for no environment: equal plans have equal digests whenever and however they were
 * made (docs/engine.md, Saved plans). Remarks about a plan do not change its effect, so they do not count.
 */
function planDigest(document: JsonObject, hash: Hash, unshown: JsonObject): string {
  const { created_at, requests, rehearsed, instances, digest, unmanaged, diagnostics, ...rest } = document;
  return `${document["environment"] ?? "-"}.${hash(canonicalJson({ ...rest, unshown }))}`;
}

/** The environment that a digest begins with, `-` for none; undefined for a text that is no digest of a plan. */
export function placeOfDigest(digest: string): string | undefined {
  return /^(.+)\.[0-9a-f]{64}$/.exec(digest)?.[1];
}

/**
 * The document with its digest in it, as `plan --json` prints it. The digest depends on `unshown` too: ids of touched
 * objects, and a keyed fingerprint of hidden values.
 */
export function digestedPlan(document: JsonObject, hash: Hash, unshown: JsonObject = {}): JsonObject {
  const { format_version, project, environment, target, ...rest } = document;
  const head = withoutAbsent({ format_version, project, environment, target });
  return { ...head, digest: planDigest(document, hash, unshown), ...rest };
}

/** The instances of modules that declare the changed objects, by address; absent where there is none. */
function instancesJson({ changes }: Plan, instances: Instances = new Map()): JsonObject {
  const found = changes.flatMap(({ address }): [string, Json][] => {
    const instance = instanceOf(address, instances);
    return instance === undefined ? [] : [[address, instance]];
  });
  return found.length === 0 ? {} : { instances: Object.fromEntries(found) };
}

/** An unmanaged object, as plans and drift list it. */
export function unmanagedJson({ kind, id, name, parent }: Unmanaged): JsonObject {
  return { type: resourceType(kind), kind, id, name, ...(parent === undefined ? {} : { parent }) };
}

/** `loadform_test_case` for `testCase`: the type under which Terraform's tools know a kind. */
function resourceType(kind: string): string {
  return `loadform_${kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

/** One object of a plan, encoded as Terraform 1.11 encodes a resource change. */
export function changeJson(change: Change): JsonObject {
  const { address, kind, risks } = change;
  return withoutAbsent({
    address,
    previous_address: change.previousAddress,
    mode: "managed",
    type: resourceType(kind),
    kind,
    name: shownName(change),
    change: bothSides(change),
    // Terraform's words where it has some, else ours in its spelling.
    action_reason: change.reason && (terraformReasons[change.reason] ?? change.reason.replace(/\W+/g, "_")),
    risks,
  });
}

function bothSides(change: Change): JsonObject {
  const { action } = change;
  const replacing = change.createFirst ? ["create", "delete"] : ["delete", "create"];
  // A missing object has no before, even if the state has a stale binding of it.
  const before = action === "create" ? undefined : change.before;
  const after = action === "delete" || action === "forget" ? undefined : change.after;
  const unknown = change.fields.filter((field) => field.unknown).map(({ field }) => field);
  const known = Object.entries(after ?? {}).filter(([name]) => !unknown.includes(name));
  return {
    // As in Terraform: a move or an adoption has `["no-op"]` or `["update"]`.
    actions: action === "replace" ? replacing : [action],
    before: before === undefined ? null : readableObject(before),
    after: after === undefined ? null : readableObject(Object.fromEntries(known), before ?? {}),
    after_unknown: after === undefined ? {} : Object.fromEntries(unknown.map((name) => [name, true])),
    before_sensitive: sensitivity(before),
    after_sensitive: sensitivity(after),
    ...(change.importing && change.id !== undefined ? { importing: { id: String(change.id) } } : {}),
  };
}

/** Terraform writes false for a missing object, and an empty map for one without secrets. */
function sensitivity(side: JsonObject | undefined): Json {
  return side === undefined ? false : (sensitiveMap(side) ?? {});
}

const terraformReasons: Readonly<Record<string, string>> = {
  "cannot change in place": "replace_because_cannot_update",
  "replace requested": "replace_by_request",
  unmanaged: "delete_because_unmanaged",
};

/** A problem in the JSON of commands; absent members are omitted. */
export function diagnosticJson(diagnostic: Diagnostic): JsonObject {
  const { severity, code, summary, detail, address, file, line, column } = diagnostic;
  const used = diagnostic.used?.map((each): JsonObject => ({ file: each.file, line: each.line, column: each.column }));
  return withoutAbsent({ severity, code, summary, detail, address, file, line, column, used });
}
