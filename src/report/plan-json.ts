import { canonicalJson } from "../model/canonical.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Hash } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Pause, Plan, Unmanaged } from "../plan/plan.ts";
import { changeJson, resourceType } from "./change-json.ts";
import { diagnosticJson } from "./diagnostic-json.ts";

/** What the document of a plan says beside the plan. */
export interface PlanMeta {
  /** ISO 8601. */
  readonly createdAt: string;
  /** Requests that planning made. */
  readonly requests: number;
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
    ...(plan.pauses.length > 0 && { pauses: plan.pauses.map(pauseJson) }),
    summary: { ...plan.summary },
    requests: meta.requests,
    diagnostics: meta.diagnostics.map(diagnosticJson),
  };
}

/** The digest of a plan's document: equal plans have equal digests whenever and however they were made (docs/engine.md, Saved plans). */
export function planDigest(document: JsonObject, hash: Hash): string {
  const { created_at: _createdAt, requests: _requests, digest: _digest, ...rest } = document;
  return hash(canonicalJson(rest));
}

/** The document with its digest in it, as `plan --json` prints it. */
export function digestedPlan(document: JsonObject, hash: Hash): JsonObject {
  const { format_version, project, environment, target, ...rest } = document;
  const head = Object.entries({ format_version, project, environment, target });
  const present = head.filter((entry): entry is [string, Json & {}] => entry[1] !== undefined);
  return { ...Object.fromEntries(present), digest: planDigest(document, hash), ...rest };
}

function pauseJson({ address, around }: Pause): JsonObject {
  return { address, writes: around.length };
}

/** An object that nobody declared, as plans and drift list it. */
export function unmanagedJson({ kind, id, name, parent }: Unmanaged): JsonObject {
  return { type: resourceType(kind), kind, id, name, ...(parent === undefined ? {} : { parent }) };
}
