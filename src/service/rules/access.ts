import { Refusal } from "../core/refusal.ts";
import type { Scope } from "../core/scope.ts";
import { parents } from "../store/hierarchy.ts";
import type { OrganizationRecord, Stored, TableName, Tables } from "../store/records.ts";
import type { Store } from "../store/store.ts";

/** An object by id: 404 when there is none, 403 when the caller has no access to its organization. */
export function findObject<T extends TableName>(scope: Scope, table: T, id: number): Tables[T] {
  const row = scope.store.get(table, id);
  if (row === undefined) throw new Refusal(404, `found no ${table} ${id}; it never existed or was deleted`);
  const owner = ownerOf(scope.store, table, row);
  if (owner !== undefined) requireAccess(scope, owner);
  return row;
}

/** An object that the caller may change: public ones belong to nobody. */
export function findOwn<T extends TableName>(scope: Scope, table: T, id: number): Tables[T] {
  const row = findObject(scope, table, id);
  if (ownerOf(scope.store, table, row) === undefined)
    throw new Refusal(403, `${table} ${id} is public; expected one of your own organization`);
  return row;
}

/** An organization by id, open to the caller. */
export function findOrganization(scope: Scope, id: number): OrganizationRecord {
  const row = scope.store.get("organization", id);
  if (row === undefined) throw new Refusal(404, `found no organization ${id}`);
  requireAccess(scope, id);
  return row;
}

/** Ids of the organizations that the caller may see. */
export function openOrganizations(scope: Scope): ReadonlySet<number> {
  if (scope.user === undefined) return new Set(scope.store.all("organization").map(({ id }) => id));
  return new Set(scope.store.where("grant", "userId", scope.user.id).map((grant) => grant.organizationId));
}

/** The organization that an object belongs to; undefined for public objects. */
export function ownerOf(store: Store, table: TableName, row: Stored): number | undefined {
  let name = table;
  let at: Stored | undefined = row;
  while (name !== "organization") {
    const parent: readonly [TableName, string] | undefined = parents[name];
    const id: unknown = parent && at ? Reflect.get(at, parent[1]) : undefined;
    if (parent === undefined || typeof id !== "number") return undefined;
    [name] = parent;
    if (name === "organization") return id;
    at = store.get(name, id);
  }
  return row.id;
}

function requireAccess(scope: Scope, organization: number): void {
  if (!openOrganizations(scope).has(organization))
    throw new Refusal(
      403,
      `this key has no access to organization ${organization}; expected one of ${[...openOrganizations(scope)].join(", ") || "none"}`,
    );
}
