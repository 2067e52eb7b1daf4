import { ownSection } from "../api/own.ts";
import { type RouteDescriptor, type RouteKey, routes } from "../api/routes.ts";
import type { Subject } from "./difference.ts";
import { readDescriptor } from "./value-form.ts";

/** One read without effect. */
export interface Question {
  readonly route: RouteKey;
  readonly params: Readonly<Record<string, string | number>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly subject?: Subject;
  /** The replica does not have the object: the answer is compared with its shape. */
  readonly shapeOnly?: true;
  /** The answer may hold objects of organizations that the replica does not have. */
  readonly mayHoldMore?: true;
}

/** Ids by the kind of object. */
export interface KnownObjects {
  readonly organizations: readonly number[];
  /** Ids of sampled objects, by the segment of a path before their parameter. */
  readonly bySegment: Readonly<Record<string, readonly number[]>>;
  /** The key sees more than the one organization. */
  readonly seesMore: boolean;
}

/** Segments of a path before an id, with the kind that it leads to. */
const kindOf: Readonly<Record<string, string>> = {
  orgs: "organization",
  "test-cases": "testCase",
  "test-confs": "configuration",
  scripts: "scenario",
  "data-stores": "dataStore",
  gateways: "gateway",
  recordings: "recording",
  "vcs-roots": "vcsRoot",
  providers: "provider",
  regions: "region",
  executions: "execution",
  users: "user",
};

/** Reads that are not asked, with the reason. A route is matched as a whole or by its end. */
const unasked: readonly (readonly [RegExp, string])[] = [
  [/\/refs$/, "it makes the service connect to a repository"],
  [/\/results\.csv$|\/report\.csv$|\.zip$|\.pdf$|\/download$|\/thumbnail$|logs\.txt$/, "its answer is a file"],
  [/\/(?:failed-)?(?:suite|command-stream)[\w-]*(?:\.csv)?$|\/results$/, "its answer can be very large"],
  [/\/traffic(?:\/:\w+)?$|\/logs$|\/traces$|^GET \/execution-traces\//, "its answer can be very large"],
  [/\/rows\//, "its answer is nothing but your data"],
  [/^GET \/p\//, "it needs no key, so it says nothing about one"],
  [/\/regions\/:regionId\/(?:agents|intervals)$|\/regions\/:regionIdOrName$/, "another route answers the same"],
  [/\/executions\/:id\/(?:metric|resources\/:resourceId)$/, "another route answers the same"],
  [/^HEAD .*\/(?:test-schedules|agents|tags)\/:\w+$/, "another route lists the same objects"],
  [/\/test-confs\/:confId\/summary-history$/, "the runs of a configuration are asked for"],
];

/** Flags that make an answer large. */
const large: ReadonlySet<string> = new Set([
  ...["deep", "includeData", "showTraffic", "includeRows", "includeResources", "includeSuccessHistory"],
]);

/** Bounds that keep an answer small. */
const bounds: Readonly<Partial<Record<RouteKey, Readonly<Record<string, number>>>>> = {
  "GET /test-confs/:confId/executions": { limit: 3 },
  "GET /executions/:id/intervals": { numIntervals: 2 },
  "GET /executions/:id/output-files": { limit: 2 },
};

/** An id that no object has. */
const noId = 2_000_000_011;

/** The reason why a read is not asked; undefined for one that is, and for writes. */
export function whyUnasked(route: RouteKey): string | undefined {
  const { effect, open }: RouteDescriptor = routes[route];
  if (effect) return "it changes something";
  if (open === "sid" && route.startsWith("GET")) return "its answer is a file";
  return unasked.find(([pattern]) => pattern.test(route))?.[1];
}

/** Reads of the API, without the own routes of the bundled service. */
export function readRoutes(): readonly RouteKey[] {
  const keys = Object.keys(routes) as RouteKey[];
  return keys.filter((key) => /^(?:GET|HEAD) /.test(key) && routes[key].section !== ownSection);
}

/** Every question about these objects: as the documents say it without flags, and with all flags one way and the other. */
export function listQuestions(known: KnownObjects): readonly Question[] {
  return readRoutes().flatMap((route) => (whyUnasked(route) === undefined ? questionsOf(route, known) : []));
}

function questionsOf(route: RouteKey, known: KnownObjects): readonly Question[] {
  const places = parametersOf(route);
  const further: Pick<Question, "mayHoldMore" | "shapeOnly"> = {
    ...(known.seesMore && places.length === 0 && { mayHoldMore: true as const }),
    ...(/executions|\/agents|ai-models|amis|new-summary/.test(route) && { shapeOnly: true as const }),
  };
  const asks = combinations(places, known).map((ids) => ({ ...asked(route, places, ids), ...further }));
  const all = asks.flatMap((ask) => variantsOf(route).map((query) => ({ ...ask, query })));
  const [only] = places;
  if (only === undefined || places.length > 1 || !(only.segment in kindOf) || only.segment === "users") return all;
  const { shapeOnly: _, ...unknown } = { ...further, ...asked(route, places, [noId]), query: {} };
  return only.segment === "orgs" ? all : [...all, unknown];
}

interface PathParameter {
  readonly name: string;
  readonly segment: string;
}

function parametersOf(route: RouteKey): readonly PathParameter[] {
  return [...route.matchAll(/([\w-]+)\/:(\w+)/g)].map(([, segment = "", name = ""]) => ({ segment, name }));
}

/** The values of a path's parameters that are asked for. */
function combinations(places: readonly PathParameter[], known: KnownObjects): readonly (readonly number[])[] {
  return places.reduce<readonly (readonly number[])[]>(
    (former, { segment }) => {
      const ids =
        segment === "rows" ? [1] : segment === "orgs" ? known.organizations : (known.bySegment[segment] ?? []);
      return former.flatMap((each) => ids.map((id) => [...each, id]));
    },
    [[]],
  );
}

function asked(route: RouteKey, places: readonly PathParameter[], ids: readonly number[]): Question {
  const params = Object.fromEntries(places.map(({ name }, index) => [name, ids[index] ?? 0]));
  const [first] = places;
  const kind = first && kindOf[first.segment];
  const [id] = ids;
  return { route, params, query: {}, ...(kind !== undefined && id !== undefined && { subject: { kind, id } }) };
}

function variantsOf(route: RouteKey): readonly Question["query"][] {
  const { query = {} }: RouteDescriptor = routes[route];
  const bound = bounds[route] ?? {};
  const flags = Object.entries(query).flatMap(([name, text]) =>
    readDescriptor(text).word === "boolean" && !large.has(name) ? [name] : [],
  );
  const set = (value: boolean) => ({ ...bound, ...Object.fromEntries(flags.map((name) => [name, value])) });
  return flags.length === 0 ? [bound] : [bound, set(true), set(false)];
}
