import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { findObject } from "../rules/access.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { resourcesOf } from "../views/resources.ts";
import type { DownloadedPart } from "./downloaded-run.ts";

/** The execution that a path names, and which part of it. */
export interface PartParams {
  readonly execution: number;
  /** `regions[i].id` of the execution. */
  readonly regionId?: number;
  /** The id of one of GET /executions/:id/resources. */
  readonly resource?: number;
}

/** The execution, and the region and the resource of it, that a path names; 404 where there is none. */
export function findPart({ execution, regionId, resource }: PartParams, scope: Scope): DownloadedPart {
  const row = findObject(scope, "execution", execution);
  return {
    row,
    ...(regionId === undefined ? {} : { regionId: findRegion(row, regionId) }),
    ...(resource === undefined ? {} : { requests: findRequests(row, resource) }),
  };
}

/** The execution region of this id. */
export function findRegion(row: ExecutionRecord, regionId: number): number {
  if (row.regions.some(({ id }) => id === regionId)) return regionId;
  const known = row.regions.map(({ id }) => id).join(", ");
  throw new Refusal(404, `found no region ${regionId} in execution ${row.id}; it has ${known}`);
}

/** Resources count from 1. */
function findRequests(row: ExecutionRecord, resource: number): readonly number[] {
  const all = resourcesOf(row);
  const found = all[resource - 1];
  if (found) return found.requests;
  throw new Refusal(
    404,
    `found no resource ${resource} in execution ${row.id}; it has ${all.map((_, index) => index + 1).join(", ") || "none"}`,
  );
}
