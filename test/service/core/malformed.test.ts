import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type RouteDescriptor, routes } from "../../../src/api/routes.ts";
import { type ParsedFields, parseDescriptor, parseFields, parseShape } from "../../../src/service/core/descriptor.ts";
import { makeFullShop } from "../support/full-shop.ts";
import { fieldsOf, flat, makeRig, makeShop, type Rig } from "../support/rig.ts";

const json = { "content-type": "application/json" };
const noLists = [{}, { a: 1 }, { length: 1 }, "x", 7, true];

/** Bodies in which one list, at any depth, is something else; the rest is left out or a shell around it. */
function withoutList(fields: ParsedFields, depth = 0): readonly { readonly [name: string]: unknown }[] {
  return [...fields].flatMap(([name, field]) => {
    const own = field.list ? noLists.map((value) => ({ [name]: value })) : [];
    if (field.type !== "object" || depth > 4) return own;
    const below = withoutList(parseShape(field.shape ?? ""), depth + 1);
    return [...own, ...below.map((inner) => ({ [name]: field.list ? [inner] : inner }))];
  });
}

const written = Object.entries<RouteDescriptor>(routes).filter(
  ([key, route]) => route.body !== undefined && !key.includes("/_loadform/"),
);
const bodiesOf = ({ body }: RouteDescriptor): readonly unknown[] => {
  if (typeof body === "object") return withoutList(parseFields(body));
  const whole = parseDescriptor(String(body));
  return whole.list ? noLists : [];
};
const callsWithoutList = written.flatMap(([key, route]) => bodiesOf(route).map((body) => ({ key, body })));

function send(rig: Rig, key: string, body: unknown) {
  const [method = "", path = ""] = key.split(" ");
  return rig.call(method, path.replace(/:\w+/g, "1"), body);
}

describe("a body that has no list where one is expected", () => {
  it("is 400 on every route and at every depth, and changes nothing", async () => {
    const rig = await makeFullShop();
    const before = JSON.stringify(rig.service.snapshot());
    const wrong: unknown[] = [];
    for (const { key, body } of callsWithoutList) {
      const { status } = await send(rig, key, body);
      if (status !== 400) wrong.push({ key, body, status });
    }
    expect(wrong).toEqual([]);
    expect(callsWithoutList.length).toBeGreaterThan(100);
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
  });
});

describe("JSON that is nested too deep", () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

  it.each([120, 20_000, 200_000])("is 400 by its depth alone: %d levels", async (levels) => {
    const rig = await makeShop();
    const description = nested(levels);
    const answers = [
      await rig.call("POST", "/test-cases", `{"name":"d","org":1,"description":${description}}`, json),
      await rig.call("PUT", "/_loadform/state", description, json),
      await rig.call("PUT", "/_loadform/faults", `[${description}]`, json),
      await rig.call("POST", "/test-cases/1/confs", { ...flat, scriptParams: description }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(answers[0]?.body.message).toBe("found JSON nested deeper than 100 levels; expected at most that many");
  });

  it("is 400 as a value in process too", async () => {
    const rig = await makeRig();
    const body = { name: "d", org: 1, description: JSON.parse(nested(20_000)) };
    expect((await rig.call("POST", "/test-cases", body)).status).toBe(400);
  });

  it("is taken up to the limit, and read and restored again", async () => {
    const rig = await makeRig();
    const body = { name: "P", providerType: "Shared", organizationId: 1, metadata: { deep: JSON.parse(nested(97)) } };
    await rig.ok("POST", "/providers", body);
    const state = JSON.stringify(rig.service.snapshot());
    expect((await rig.call("PUT", "/_loadform/state", state, json)).status).toBe(200);
    expect(JSON.stringify(rig.service.snapshot())).toBe(state);
  });
});

describe("bytes that are no UTF-8", () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

  it("are 400 in a body, and 415 under a charset that says so", async () => {
    const rig = await makeRig();
    const body = bytes('{"name":"caf\xe9","org":1}');
    expect(await rig.call("POST", "/test-cases", body, json)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("no UTF-8") },
    });
    for (const charset of ["latin1", "ISO-8859-1", '"utf-16"']) {
      const type = { "content-type": `application/json; charset=${charset}` };
      expect((await rig.call("POST", "/test-cases", '{"name":"a","org":1}', type)).status, charset).toBe(415);
      expect((await rig.call("PUT", "/_loadform/clock", '{"mode":"real"}', type)).status, charset).toBe(415);
    }
    expect(await rig.ok("GET", "/test-cases")).toEqual([]);
    const type = { "content-type": 'application/json;charset="UTF-8"' };
    const right = new TextEncoder().encode('{"name":"café \ufffd","org":1}');
    expect(await rig.call("POST", "/test-cases", right, type)).toMatchObject({ body: { name: "café \ufffd" } });
  });

  it("are 415 where they are said to be compressed, whether they are or not", async () => {
    const rig = await makeShop();
    for (const body of [gzipSync('{"name":"a","org":1}'), '{"name":"a","org":1}'])
      expect(await rig.call("POST", "/test-cases", body, { ...json, "content-encoding": "gzip" })).toMatchObject({
        status: 415,
        body: { message: "found content-encoding gzip; expected a body that is not encoded" },
      });
    const plain = { ...json, "content-encoding": "identity" };
    expect((await rig.call("POST", "/test-cases", '{"name":"a","org":1}', plain)).status).toBe(200);
  });

  it("are 400 in a query and in the name of an uploaded file", async () => {
    const rig = await makeShop();
    expect((await rig.call("POST", "/test-cases/1/copy?name=caf%E9")).status).toBe(400);
    expect(await rig.ok("POST", "/test-cases/1/copy?name=caf%C3%A9%EF%BF%BD")).toMatchObject({ name: "café\ufffd" });
    const form = (name: string) =>
      bytes(`--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\na\xe9\r\n--b--\r\n`);
    const type = { "content-type": "multipart/form-data; boundary=b" };
    expect((await rig.call("POST", "/scripts/1/data-stores", form("caf\xe9.csv"), type)).status).toBe(400);
    expect((await rig.call("POST", "/scripts/1/data-stores", form("caf\xc3\xa9.csv"), type)).body).toMatchObject({
      files: [{ name: "café.csv", size: 2 }],
    });
  });
});

describe("a page", () => {
  it("begins at 0 or later, and has a limit of at least 0, or -1 for all", async () => {
    const rig = await makeShop();
    for (const path of ["/test-confs/1/executions", "/orgs/1/tag-info", "/test-confs/1"])
      for (const [query, fields] of [
        ["limit=-2&offset=-1", ["offset", "limit"]],
        ["limit=-1&offset=0", []],
        ["limit=0", []],
      ] as const) {
        const answer = await rig.call("GET", `${path}?${query}`);
        expect(answer.status, `${path}?${query}`).toBe(fields.length > 0 ? 400 : 200);
        expect([...fieldsOf(answer)].sort()).toEqual([...fields].sort());
      }
  });
});

/** A name by its first characters, readable in a report. */
const shown = (name: string) =>
  `${[...name].length} × ${[...name.slice(0, 4)].map((each) => `U+${each.codePointAt(0)?.toString(16)}`).join(" ")}`;

describe("names", () => {
  const taken = ["a".repeat(255), "🎈".repeat(255), "👩‍🚀", "é", "שלום", "a b", "\u00a0x\n"];
  const refused = [
    "🎈".repeat(256),
    "a\0b",
    "a\nb",
    "a\u0085b",
    "a\u2028b",
    "\ud800",
    "a\udc00b",
    "\u200b",
    "\u2060\u00ad\ufe0f",
    "\u3164",
  ];

  it.each(taken.map((name) => [shown(name), name]))(
    "count characters as people do, and are taken: %s",
    async (_, name) => {
      const rig = await makeRig();
      expect(await rig.ok("POST", "/test-cases", { name, org: 1 })).toMatchObject({ name: name.trim() });
    },
  );

  it.each(refused.map((name) => [shown(name), name]))("are 400 where they cannot be read: %s", async (_, name) => {
    const rig = await makeShop();
    expect(fieldsOf(await rig.call("POST", "/test-cases", { name, org: 1 }))).toEqual(["name"]);
    expect(fieldsOf(await rig.call("PUT", "/scripts/1", { name }))).toEqual(["name"]);
    expect(fieldsOf(await rig.call("PUT", "/scripts/1", { tags: ["b", name] }))).toEqual(["tags[1]"]);
    expect(fieldsOf(await rig.call("POST", "/orgs/1/users/1", { userRole: name }))).toEqual(["userRole"]);
  });

  it("hold control characters under the setting that says so, as at a live service", async () => {
    const rig = await makeRig({ settings: { nameCharacters: "any" } });
    expect(await rig.ok("POST", "/test-cases", { name: "a\nb", org: 1 })).toMatchObject({ name: "a\nb" });
    expect(fieldsOf(await rig.call("POST", "/test-cases", { name: "\u200b", org: 1 }))).toEqual(["name"]);
  });

  it("of roles are 400 when empty, by either path", async () => {
    const rig = await makeRig();
    for (const path of ["/orgs/1/users/1", "/users/1/orgs/1"])
      for (const userRole of ["", "  "])
        expect(fieldsOf(await rig.call("POST", path, { userRole }))).toEqual(["userRole"]);
    expect(await rig.ok("GET", "/orgs/1/users")).toMatchObject([{ userRole: "Admin" }]);
  });
});
