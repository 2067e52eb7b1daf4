import fc from "fast-check";
import { mountedRoutes } from "../../../src/service/core/router.ts";

const routes = mountedRoutes().filter(({ path }) => !path.startsWith("/_loadform"));
const word = fc.constantFrom(
  "",
  "0",
  "1",
  "-1",
  "1e99",
  "null",
  "__proto__",
  "constructor",
  "../..",
  "%00",
  "ä",
  "x".repeat(300),
  "cloud-us-east-1",
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { maxDepth: 3 },
  word,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(word, { maxLength: 3 }),
  fc.dictionary(word, fc.oneof(word, fc.integer()), { maxKeys: 3 }),
);
/** A call of any route but those of loadform's own, with random ids, fields and parameters. */
export const randomCall = fc.record({
  route: fc.constantFrom(...routes),
  ids: fc.array(fc.oneof({ arbitrary: fc.constant("1"), weight: 3 }, word), { minLength: 6, maxLength: 6 }),
  fields: fc.array(value, { minLength: 8, maxLength: 8 }),
  query: fc.array(word, { minLength: 8, maxLength: 8 }),
  raw: fc.option(fc.oneof(value, fc.string()), { nil: undefined }),
});

/** One of them. */
type Call = typeof randomCall extends fc.Arbitrary<infer C> ? C : never;

/** The request of a call: mostly the route's own fields and parameters with other values. */
export function requestOf({ route: { method, path, route }, ids, fields, query, raw }: Call) {
  let at = 0;
  const target = path.replace(/:\w+/g, () => encodeURIComponent(ids[at++] ?? "1") || "1");
  const names = Object.keys(route.query ?? {}).slice(0, query.length);
  const search = names.map((name, index) => `${name}=${encodeURIComponent(query[index] ?? "")}`).join("&");
  const known = typeof route.body === "object" ? Object.keys(route.body) : [];
  const body = raw ?? Object.fromEntries(known.map((name, index) => [name, fields[index % fields.length]]));
  const hasBody = !["GET", "HEAD"].includes(method);
  return { method, path: search === "" ? target : `${target}?${search}`, ...(hasBody ? { body: body as never } : {}) };
}
