import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import type { GrantRecord, OrganizationRecord, UserRecord } from "../store/records/organizations.ts";
import type { Stored } from "../store/records/stored.ts";
import { parents, type TableName, type Tables } from "../store/records/tables.ts";
import type { Store } from "../store/store.ts";
import { readName } from "./read-text.ts";

/** DECISION (API 1, Errors: missing records on other calls than HEAD): 404, and 403 where the caller has no access to the organization of an object. */
export function findObject<T extends TableName>(scope: Scope, table: T, id: number): Tables[T] {
  const row = scope.store.get(table, id);
  if (row === undefined) throw new Refusal(404, `found no ${table} ${id}; it never existed or was deleted`);
  const owner = owningOrganization(scope.store, table, row);
  if (owner !== undefined) requireAccess(scope, owner);
  return row;
}

/** An object that the caller may change: public ones have no owner. */
export function findOwn<T extends TableName>(scope: Scope, table: T, id: number): Tables[T] {
  const row = findObject(scope, table, id);
  if (owningOrganization(scope.store, table, row) === undefined)
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
export function owningOrganization(store: Store, table: TableName, row: Stored): number | undefined {
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

/** API 2, PUT /users/:user: a user by name, email or id; one that shares no organization with the caller is 403. */
export function findUser(wanted: string, scope: Scope): UserRecord {
  const users = scope.store.all("user");
  const user =
    users.find((each) => String(each.id) === wanted) ??
    users.find((each) => each.email === wanted || each.name === wanted);
  if (user === undefined) throw new Refusal(404, `found no user "${wanted}"; expected a name, an email or an id`);
  const open = openOrganizations(scope);
  const grants = scope.store.where("grant", "userId", user.id);
  const shared =
    user.id === scope.user?.id || grants.length === 0 || grants.some((grant) => open.has(grant.organizationId));
  if (!shared) throw new Refusal(403, `this key shares no organization with user ${user.id}`);
  return user;
}

/** DECISION (API 2, grants: response not shown): the role is Regular by default, any other text but an empty one is taken. */
export function readRole(value: string | null | undefined, scope: Scope): string {
  return value === undefined || value === null ? "Regular" : readName(value, scope, "userRole");
}

/** DECISION (API 2, grants: response not shown): granting again changes the role. */
export function grantAccess(
  user: UserRecord,
  organization: OrganizationRecord,
  role: { readonly userRole: string; readonly scope: Scope },
): GrantRecord {
  const { store } = role.scope;
  const known = grantOf(user, organization, role.scope);
  const { userRole } = role;
  return known
    ? store.update("grant", known.id, { userRole })
    : store.insert("grant", { userId: user.id, organizationId: organization.id, userRole });
}

/** Takes a user's access away; 404 when there is none. */
export function revokeAccess(user: UserRecord, organization: OrganizationRecord, scope: Scope): GrantRecord {
  const known = grantOf(user, organization, scope);
  if (known === undefined) throw new Refusal(404, `user ${user.id} has no access to organization ${organization.id}`);
  scope.store.remove("grant", known.id);
  return known;
}

function grantOf(user: UserRecord, organization: OrganizationRecord, { store }: Scope): GrantRecord | undefined {
  return store.where("grant", "userId", user.id).find((grant) => grant.organizationId === organization.id);
}

/** API 2, PUT /users/:user: a password is changed with the old one, and only without single sign-on. */
export function changePassword(
  user: UserRecord,
  { oldPassword, newPassword }: { readonly oldPassword?: string | null; readonly newPassword?: string | null },
  scope: Scope,
): Pick<UserRecord, "secrets"> {
  if (newPassword === undefined || newPassword === null) return { secrets: user.secrets };
  if (user.authSource !== "Password")
    throw new Refusal(
      409,
      `user ${user.id} signs in by ${user.authSource}; expected Password: single sign-on has no password here`,
    );
  const known = user.secrets["password"];
  if (known !== undefined && (typeof oldPassword !== "string" || scope.digest(oldPassword) !== known))
    scope.findings.add("oldPassword", "found another password; expected the one that is set");
  return { secrets: { password: scope.digest(newPassword) } };
}
