import type { RouteKey } from "../api/routes.ts";
import { routes } from "../api/routes.ts";
import type { LooseInput, PreparedCall } from "./build-request.ts";

/** Reads through the client, with its retries. */
export type Read = (route: RouteKey, input: LooseInput) => Promise<unknown>;

/**
 * Looks whether a write in doubt was done: the object as read when it holds everything the write wanted, undefined
 * when it does not and the write can be sent again (docs/engine.md, Retries).
 */
export async function rereadWrite(call: PreparedCall, read: Read): Promise<unknown> {
  const wanted = call.input.body as Readonly<Record<string, unknown>> | undefined;
  if (wanted === undefined) return undefined;
  const found = await (upsertReaders[call.route] ?? readSamePath)(call, read);
  return found !== undefined && holds(found, wanted) ? found : undefined;
}

type Found = Readonly<Record<string, unknown>> | undefined;
type Reader = (call: PreparedCall, read: Read) => Promise<Found>;

const upsertReaders: Readonly<Record<string, Reader>> = {
  "POST /test-cases": async ({ input }, read) => {
    const { name, org } = input.body as { readonly name?: unknown; readonly org?: unknown };
    return named(await read("GET /orgs/:orgId/test-cases", { params: { orgId: org }, query: { down: false } }), name);
  },
  "POST /orgs/:orgId/regions": async ({ input }, read) => {
    const { name } = input.body as { readonly name?: unknown };
    const query = { activeRegionsOnly: true, counts: false };
    return named(await read("GET /orgs/:org/regions", { params: { org: input.params?.["orgId"] }, query }), name);
  },
};

const readSamePath: Reader = async (call, read) => {
  const route = `GET ${call.route.slice(call.route.indexOf(" ") + 1)}`;
  if (!isRoute(route)) return undefined;
  return asObject(await read(route, { ...(call.input.params && { params: call.input.params }) }));
};

function isRoute(route: string): route is RouteKey {
  return Object.hasOwn(routes, route);
}

function named(list: unknown, name: unknown): Found {
  if (!Array.isArray(list)) return undefined;
  return list.map(asObject).find((each) => each?.["name"] === String(name).trim());
}

function asObject(value: unknown): Found {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** Fields that say where an object belongs and do not come back under that name. */
const placement = new Set(["org", "providerId"]);

function holds(found: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(
    ([field, value]) => placement.has(field) || JSON.stringify(found[field] ?? null) === JSON.stringify(value ?? null),
  );
}
