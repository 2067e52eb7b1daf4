import type { RouteDescriptor, RouteKey } from "../../api/routes.ts";
import { routes } from "../../api/routes.ts";

/** A route as it is mounted: one method and one spelling of its path. */
export interface Mounted {
  readonly key: RouteKey;
  readonly route: RouteDescriptor;
  readonly method: string;
  /** This spelling of the path. */
  readonly path: string;
  /** Names of the path's parameters, as the route table spells them. */
  readonly params: readonly string[];
  /** Set when this is not the route table's own method and spelling. */
  readonly alias?: true;
}

const twins: Readonly<Record<string, string>> = { PUT: "PATCH", PATCH: "PUT" };

/**
 * Every mounted method and path: the route table, the seeds' other spellings, and PATCH beside PUT. Two spellings that differ in parameter names only are mounted once.
 */
export function mountedRoutes(): readonly Mounted[] {
  const mounted = new Map<string, Mounted>();
  for (const [key, route] of Object.entries<RouteDescriptor>(routes)) {
    const [method = "", path = ""] = key.split(" ");
    const params = namesIn(path);
    const all = [path, ...(route.aliases ?? [])];
    for (const [index, spelling] of all.entries()) {
      const entry = { key: key as RouteKey, route, method, path: spelling, params };
      const twin = path.startsWith("/_loadform") ? undefined : twins[method];
      add(mounted, index === 0 ? entry : { ...entry, alias: true });
      if (twin && !(`${twin} ${path}` in routes)) add(mounted, { ...entry, method: twin, alias: true });
    }
  }
  return [...mounted.values()];
}

/** Names of the parameters in a path. */
function namesIn(path: string): readonly string[] {
  return path.split("/").flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []));
}

function add(mounted: Map<string, Mounted>, entry: Mounted): void {
  const shape = `${entry.method} ${entry.path.replace(/:\w+/g, ":")}`;
  if (!mounted.has(shape)) mounted.set(shape, entry);
}
