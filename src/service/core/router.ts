import { type RouteDescriptor, type RouteKey, routes } from "../../api/routes.ts";

interface Branch {
  readonly fixed: Map<string, Branch>;
  any?: Branch;
  readonly methods: Map<string, Mounted>;
}

/** A route that matched, with its parameters decoded. */
export interface Match {
  readonly mounted: Mounted;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds routes by method and path. Never changes once made, so all services share it. */
export interface Router {
  readonly find: (method: string, path: string) => Match | undefined;
  /** Methods that a path answers. */
  readonly methods: (path: string) => readonly string[];
  /** Paths that come closest to one that matched nothing. */
  readonly nearest: (path: string) => readonly string[];
  readonly mounted: readonly Mounted[];
}

/** A router over every mounted route. Fixed segments win over parameters; `/api` in front is dropped before. */
export function createRouter(): Router {
  const mounted = mountedRoutes();
  const root = branch();
  for (const entry of mounted) leafOf(root, entry.path).methods.set(entry.method, entry);
  return {
    mounted,
    find: (method, path) => find(root, method, path),
    methods: (path) => methodsOf(root, path),
    nearest: (path) => nearestRoutes(mounted, path),
  };
}

/** A path without `/api` in front and without a slash at its end. */
export function barePath(path: string): string {
  const bare = path === "/api" || path.startsWith("/api/") ? path.slice(4) : path;
  return bare.length > 1 && bare.endsWith("/") ? bare.slice(0, -1) : bare;
}

function branch(): Branch {
  return { fixed: new Map(), methods: new Map() };
}

function leafOf(root: Branch, path: string): Branch {
  let at = root;
  for (const segment of path.split("/").slice(1)) {
    if (segment.startsWith(":")) {
      at.any ??= branch();
      at = at.any;
      continue;
    }
    const next = at.fixed.get(segment) ?? branch();
    at.fixed.set(segment, next);
    at = next;
  }
  return at;
}

interface LeafMatch {
  readonly leaf: Branch;
  readonly values: readonly string[];
}

/** Every leaf that a path leads to, the most fixed one first. */
function leaves(at: Branch, segments: readonly string[], values: readonly string[]): readonly LeafMatch[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return at.methods.size > 0 ? [{ leaf: at, values }] : [];
  const fixed = at.fixed.get(segment);
  const found = fixed ? leaves(fixed, rest, values) : [];
  return at.any && segment !== "" ? [...found, ...leaves(at.any, rest, [...values, segment])] : found;
}

function find(root: Branch, method: string, path: string): Match | undefined {
  const found = leaves(root, path.split("/").slice(1), []);
  return matchOf(found, method) ?? (method === "HEAD" ? matchOf(found, "GET") : undefined);
}

function matchOf(found: readonly LeafMatch[], method: string): Match | undefined {
  for (const { leaf, values } of found) {
    const mounted = leaf.methods.get(method);
    if (mounted)
      return {
        mounted,
        params: Object.fromEntries(mounted.params.map((name, index) => [name, decodeSegment(values[index] ?? "")])),
      };
  }
  return undefined;
}

function methodsOf(root: Branch, path: string): readonly string[] {
  const methods = leaves(root, path.split("/").slice(1), []).flatMap(({ leaf }) => [...leaf.methods.keys()]);
  const all = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return [...new Set(all)].sort();
}

function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Mounted paths that share the most leading segments with a path, at most three. */
function nearestRoutes(mounted: readonly Mounted[], path: string): readonly string[] {
  const wanted = path.split("/");
  const scored = mounted.map((entry) => ({
    key: `${entry.method} ${entry.path}`,
    score: likeness(entry.path.split("/"), wanted),
  }));
  return scored
    .filter(({ score }) => score > 1)
    .sort((left, right) => right.score - left.score)
    .slice(0, 3)
    .map(({ key }) => key);
}

function likeness(pattern: readonly string[], wanted: readonly string[]): number {
  const shared = pattern.filter(
    (segment, index) => segment === wanted[index] || (segment.startsWith(":") && wanted[index]),
  ).length;
  return shared - Math.abs(pattern.length - wanted.length) / 2;
}

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
 * Every mounted method and path: the route table, the other spellings of the API documents, and PATCH beside PUT. Two spellings that differ in parameter names only are mounted once.
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
      mount(mounted, index === 0 ? entry : { ...entry, alias: true });
      if (twin && !(`${twin} ${path}` in routes)) mount(mounted, { ...entry, method: twin, alias: true });
    }
  }
  return [...mounted.values()];
}

/** Names of the parameters in a path. */
function namesIn(path: string): readonly string[] {
  return path.split("/").flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []));
}

function mount(mounted: Map<string, Mounted>, entry: Mounted): void {
  const shape = `${entry.method} ${entry.path.replace(/:\w+/g, ":")}`;
  if (!mounted.has(shape)) mounted.set(shape, entry);
}
