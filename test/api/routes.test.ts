import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type RouteDescriptor, routes } from "../../src/api/routes.ts";
import { shapes } from "../../src/api/shapes.ts";
import { mountedRoutes } from "../../src/service/core/router.ts";

const folder = join(import.meta.dirname, "../fixtures/api-documents");
const documents = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));

const shapeOf = (route: string) => route.replace(/:\w+/g, ":").replace(/\?.*$/, "").replace(/\.+$/, "");
const mounted = new Set(mountedRoutes().map((each) => shapeOf(`${each.method} ${each.path}`)));
const parts = /\b(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[\w:/.\-[\]<>=?&]+)/g;

/** Every method and path that a document names, anywhere. */
function named(text: string): readonly string[] {
  const strings = [...text.matchAll(parts)].map(([, method = "", path = ""]) => `${method} ${path}`);
  return [...new Set(strings.flatMap(spellings))];
}

/** `/logs[.txt]` names two routes; a path cut short by "..." names none. */
function spellings(route: string): readonly string[] {
  const optional = /\[(\.\w+)\]$/.exec(route);
  if (optional) return [route.replace(optional[0], ""), route.replace(optional[0], optional[1] ?? "")];
  return route.includes("...") ? [] : [route.replace(/[.,:;]+$/, "")];
}

/** The table of download routes: paths after /executions/:execution, each also per region, each with `.csv` but the archives. */
function downloads(): readonly string[] {
  const table = documents.join("\n").split("| Path after /executions/:execution |")[1]?.split("\n\n")[0] ?? "";
  const paths = table
    .split("\n")
    .slice(2)
    .flatMap((line) => (line.split("|")[1] ?? "").split(";").map((path) => path.trim()))
    .filter((path) => path !== "");
  const formats = paths.flatMap((path) => (path.endsWith(".zip") ? [path] : [path, `${path}.csv`]));
  return formats.flatMap((path) => [
    `GET /executions/:execution/${path}`,
    `GET /executions/:execution/regions/:regionId/${path}`,
  ]);
}

describe("the route table", () => {
  it("holds every method and path that the API documents name, in every spelling", () => {
    const wanted = documents.flatMap(named);
    expect(wanted.length).toBeGreaterThan(120);
    expect(wanted.filter((route) => !mounted.has(shapeOf(route)))).toEqual([]);
  });

  it("holds every download route, per execution and per region, as JSON and CSV", () => {
    expect(downloads()).toHaveLength(44);
    expect(downloads().filter((route) => !mounted.has(shapeOf(route)))).toEqual([]);
  });

  const spelled = [
    "GET /recording/:id",
    "PATCH /recording/:id/stop",
    "HEAD /script/:id",
    "GET /vcs-roots/:vcsRootId/refs",
    "GET /vcs-root/:vcsRootId/refs",
    "POST /vcs-roots/refs",
    "GET /providers/:id/region/:regionId/agents",
    "POST /scripts/:script/data-stores",
    "GET /executions/:id/regions/:regionId/intervals",
    "GET /orgs/:orgId/test-cases",
    "GET /login",
    "GET /ai-models",
  ];
  it.each(spelled)("holds %s", (route) => {
    expect(mounted.has(shapeOf(route))).toBe(true);
  });

  it("answers PUT and PATCH on every update route", () => {
    const updates = [...mounted].filter((route) => /^(PUT|PATCH) \/(?!_loadform)/.test(route));
    const twin = (route: string) =>
      route.startsWith("PUT") ? route.replace("PUT", "PATCH") : route.replace("PATCH", "PUT");
    expect(updates.filter((route) => !mounted.has(twin(route)))).toEqual([]);
  });

  it("refers to shapes that exist", () => {
    const names = [...JSON.stringify([routes, shapes]).matchAll(/"@(\w+)/g)].map(([, name = ""]) => name);
    expect([...new Set(names)].filter((name) => !(name in shapes))).toEqual([]);
  });

  it("finds the objects of its upserts in lists that exist, by values that the upsert carries", () => {
    const upserts = Object.entries<RouteDescriptor>(routes).flatMap(([key, { upsert, body }]) =>
      upsert
        ? [{ upsert, carried: [...Object.keys(body ?? {}), ...[...key.matchAll(/:(\w+)/g)].map(([, name]) => name)] }]
        : [],
    );
    expect(upserts).toHaveLength(2);
    for (const { upsert, carried } of upserts) {
      expect(routes).toHaveProperty([upsert.list]);
      expect(carried).toEqual(expect.arrayContaining(["name", ...Object.values(upsert.params), ...upsert.placement]));
    }
  });

  it("names a section for every route and no function", () => {
    for (const route of Object.values(routes)) expect(route.section).toMatch(/^([12] |own$)/);
    expect(JSON.parse(JSON.stringify(routes))).toEqual(routes);
    expect(JSON.parse(JSON.stringify(shapes))).toEqual(shapes);
  });
});

describe("the shapes", () => {
  /** First cells of the two-column field tables ("| name | string | notes |") of a section. */
  const fieldsUnder = (heading: string): readonly string[] => {
    const section = documents.map((text) => text.split(`### ${heading}\n`)[1]).find((text) => text !== undefined) ?? "";
    const table = section.split("\n### ")[0]?.split("\n\n")[0] ?? "";
    const rows = table.split("\n").filter((line) => line.startsWith("| "));
    return rows
      .slice(2)
      .flatMap((line) => (line.split("|")[1] ?? "").split(",").map((name) => name.trim().replace("[]", "")));
  };
  const cases = [
    ["Test case", "testCase"],
    ["Test configuration", "configuration"],
    ["Schedule", "schedule"],
    ["Provider", "provider"],
    ["Execution", "execution"],
  ] as const;
  it.each(cases)("of %s hold every field of the API documents", (heading, shape) => {
    const fields = fieldsUnder(heading);
    expect(fields.length).toBeGreaterThan(3);
    expect(fields.filter((field) => !(field in shapes[shape]))).toEqual([]);
  });
});
