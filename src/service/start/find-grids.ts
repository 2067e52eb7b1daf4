import type { Scope } from "../core/scope.ts";
import type { ProviderRecord } from "../store/records/runners.ts";

/** A grid with the regions of a request that it has. */
export interface GridRegions {
  readonly provider: number;
  /** Indices of the regions in the request. */
  readonly at: readonly number[];
}

/**
 * The grid of each named region (API 2, Test runner parameters: regions of the public grid, or private ones by their own names).
 * DECISION (API 2, Test runner parameters: conf_testrunners[*].public): true looks in the public grid first and then in private ones, false in
 * private ones only.
 */
export function findGrids(
  names: readonly string[],
  {
    field,
    isPublic,
    organizationId,
  }: { readonly field: string; readonly isPublic: boolean; readonly organizationId: number },
  scope: Scope,
): readonly GridRegions[] {
  const grids = gridsOf(isPublic, organizationId, scope);
  const found = new Map<number, number[]>();
  for (const [index, name] of names.entries()) {
    const grid = grids.find(({ regions }) => regions.includes(name));
    if (grid === undefined) {
      const known = grids.flatMap(({ regions }) => regions).join(", ");
      scope.findings.add(
        field,
        `found "${name}"; expected one of ${known === "" ? "none: there is no private region" : known}`,
      );
      continue;
    }
    found.set(grid.id, [...(found.get(grid.id) ?? []), index]);
  }
  if (new Set(names).size < names.length)
    scope.findings.add(field, "found a region twice; expected each once: weights say how much it takes");
  return [...found].map(([provider, at]) => ({ provider, at }));
}

interface Grid {
  readonly id: number;
  readonly regions: readonly string[];
}

function gridsOf(isPublic: boolean, organizationId: number, scope: Scope): readonly Grid[] {
  const isOpen = (row: ProviderRecord) => (row.public ? isPublic : row.organizationId === organizationId);
  return scope.store
    .all("provider")
    .filter((row) => row.providerType === "Shared" && row.active && isOpen(row))
    .sort((left, right) => Number(right.public) - Number(left.public) || left.id - right.id)
    .map(({ id }) => ({
      id,
      regions: scope.store
        .where("region", "providerId", id)
        .filter((region) => region.active)
        .map((region) => region.name),
    }));
}
