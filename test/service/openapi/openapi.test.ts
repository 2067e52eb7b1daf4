import { beforeAll, describe, expect, it } from "vitest";
import { type RouteDescriptor, routes } from "../../../src/api/routes.ts";
import { makeRig } from "../support/rig.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: object; readonly $ref?: string }>>;
  readonly security?: readonly object[];
  readonly "x-alias-of"?: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly tags: readonly { readonly name: string }[];
  readonly components: { readonly schemas: object; readonly securitySchemes: object; readonly responses: object };
}

let document: Document;

beforeAll(async () => {
  document = await (await makeRig()).ok("GET", "/_loadform/openapi.json");
});

/** Method and path as OpenAPI spells them, and the operation. */
function operations(): readonly (readonly [string, Operation])[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
}

function operation(method: string, path: string): Operation {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`found no ${method} ${path}`);
  return found;
}

describe("the OpenAPI document", () => {
  it("says what every operation and every parameter is", () => {
    for (const [key, { summary, description, tags, parameters }] of operations()) {
      expect(summary.length, key).toBeGreaterThan(5);
      expect(description, key).toMatch(/\.$/);
      expect(
        document.tags.map(({ name }) => name),
        key,
      ).toEqual(expect.arrayContaining([...tags]));
      for (const each of parameters) expect(each.description.length, `${key} ${each.name}`).toBeGreaterThan(3);
    }
  });

  it("has content in the success of every operation that answers something, and none in the others", () => {
    for (const [key, each] of operations()) {
      const [method = ""] = key.split(" ");
      const route: RouteDescriptor | undefined = Object.entries<RouteDescriptor>(routes).find(
        ([name]) => name === (each["x-alias-of"] ?? key.replace(/\{(\w+)\}/g, ":$1")),
      )?.[1];
      const success = each.responses["200"] ?? each.responses["201"];
      expect(success, key).toBeDefined();
      if (route && method !== "HEAD") expect(success?.content !== undefined, key).toBe(route.answer !== "none");
    }
  });

  it("has the shape of errors", () => {
    expect(operation("post", "/test-cases").responses).toMatchObject({
      "4XX": { $ref: "#/components/responses/refused" },
      "5XX": { $ref: "#/components/responses/failed" },
    });
    expect(document.components.responses).toMatchObject({
      refused: { content: { "application/json": { schema: { $ref: "#/components/schemas/error" } } } },
    });
    expect(document.components.schemas).toMatchObject({ error: { required: ["code", "message"] } });
  });

  it.each([
    ["/executions/{id}/results.pdf", "text/plain", "application/pdf"],
    ["/p/{name}/results.pdf", "application/pdf"],
    ["/executions/{id}/logs.txt", "text/plain"],
    ["/executions/{id}/output-files/{fileName}/download", "*/*"],
    ["/executions/{execution}/results.csv", "text/csv"],
    ["/executions/{execution}/traces.zip", "application/zip"],
    ["/data-stores/{id}/thumbnail", "image/png"],
    ["/data-stores/{id}/download", "*/*"],
    ["/_loadform/docs", "text/html"],
  ])("names the media types of %s", (path, ...types) => {
    expect(Object.keys(operation("get", path).responses["200"]?.content ?? {})).toEqual(types);
  });

  it("says which key opens what", async () => {
    expect(operation("get", "/_loadform/health").security).toEqual([]);
    expect(operation("get", "/data-stores/{id}/thumbnail").security).toContainEqual({ session: [] });
    expect(operation("get", "/test-cases").security).toBeUndefined();
    const rig = await makeRig({ settings: { authHeader: "X-Other" } });
    const { body } = await rig.call("GET", "/_loadform/openapi.json", undefined, { "x-other": "local" });
    expect(body.components.securitySchemes.header).toMatchObject({ name: "X-Other" });
  });

  it("holds the schemas that it refers to, and no others", () => {
    const text = JSON.stringify(document);
    const wanted = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(wanted)].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });
});

describe("the names of operations", () => {
  const names = () => operations().map(([key, { operationId }]) => `${operationId}: ${key}`);

  it("are unique, and names of functions", () => {
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]{3,}$/);
  });

  it("say what is done: they are on record", () => {
    expect(names()).toMatchSnapshot();
  });

  it("of other spellings begin with the name of their route", () => {
    const byKey = new Map(operations().map(([key, each]) => [key.replace(/\{(\w+)\}/g, ":$1"), each.operationId]));
    const aliases = operations().filter(([, each]) => each["x-alias-of"]);
    expect(aliases.length).toBeGreaterThan(30);
    for (const [key, each] of aliases) {
      const own = byKey.get(each["x-alias-of"] ?? "");
      expect(each.operationId.startsWith(`${own}`), key).toBe(true);
      expect(each.description).toContain("Another spelling of");
    }
  });
});
