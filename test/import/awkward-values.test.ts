import { describe, expect, test } from "vitest";
import {
  bench,
  expectEmptyPlan,
  makeCase,
  makeConfiguration,
  makeScript,
  textOf,
  warningsOf,
} from "../support/live-objects.ts";
import { makeRig, type Rig } from "../support/rig.ts";

/** A test case with one scenario. */
async function makeShop(rig: Rig, body: Record<string, unknown> = {}) {
  const { id } = await makeCase(rig, "Shop");
  return { id, script: await makeScript(rig, id, { name: "browse", ...body }) };
}

const formats = ["yaml", "ts"] as const;
/** The file that declares objects, by format. */
const mainOf = { yaml: "load/shop.yaml", ts: "loadform.config.ts" } as const;

describe("importing values that look like something else", () => {
  const texts = {
    zip: "007",
    exponent: "1e3",
    flag: "yes",
    nothing: "null",
    tilde: "~",
    date: "2026-01-01",
    hex: "0x1F",
    octal: "0o7",
    infinity: ".inf",
    merge: "<<",
    empty: "",
    blank: " ",
    hash: "a #b",
    colon: "a: b",
    tab: "a\tb",
    nel: "a\u0085b\u200Bc\uFEFF",
    emoji: "🛒",
    quotes: `'"\``,
    long: "x ".repeat(2_000),
    escape: "${env:HOME} $${var:x} ${y}",
    "strange key: #": "1",
    __proto: "2",
  };
  test.each(formats)("keeps every text of script parameters a text, as %s", async (format) => {
    const rig = makeRig();
    const { id, script } = await makeShop(rig);
    const numbers = { number: 7, decimal: 1.5, yes: true };
    const scriptParams = JSON.stringify({ ...texts, ...numbers });
    await makeConfiguration(rig, id, { name: "smoke", scriptId: script.id, scriptParams });
    await makeConfiguration(rig, id, { name: "null", scriptId: script.id, scriptParams: '{"a":null,"b":"x"}' });
    const made = bench(rig);
    expect((await made.import({ format })).diagnostics).toEqual([]);
    expect(textOf(made, mainOf[format])).toMatch(format === "yaml" ? / zip: "007"\n/ : / zip: "007",\n/);
    await expectEmptyPlan(made);
  });

  test.each(formats)(
    "keeps descriptions of many lines, without a last line end or with several, as %s",
    async (format) => {
      const rig = makeRig();
      const descriptions = [
        "a\nb",
        "a\nb\n",
        "a\n\n\n",
        "\n a",
        "a\r\nb",
        "\ta\n\tb",
        "a \nb",
        `${"x".repeat(5_000)}\ny`,
      ];
      for (const [index, text] of descriptions.entries()) await makeCase(rig, `Case ${index}`, text);
      const made = bench(rig);
      expect((await made.import({ format })).diagnostics).toEqual([]);
      if (format === "yaml")
        expect(textOf(made, "load/case-0.yaml")).toContain("    description: |-\n      a\n      b\n");
      await expectEmptyPlan(made);
    },
  );
});

test.each(formats)(
  "a provider is imported whatever its metadata holds, without what no file can say, as %s",
  async (format) => {
    const rig = makeRig();
    const metadata = { zone: "a", limits: { cpu: 4 }, cloudAccessKeyId: "AKIA-canary" };
    const body = { name: "cloud", providerType: "CloudOnDemand", organizationId: 1, metadata };
    await rig.outside.call("POST /providers", { body: body as never });
    const made = bench(rig);
    const { status, diagnostics, objects, environment } = await made.import({ format });
    expect([status, diagnostics, environment]).toEqual(["imported", [], []]);
    expect(objects).toEqual([{ address: "provider.cloud", kind: "provider", id: 1 }]);
    expect(textOf(made, format === "ts" ? mainOf.ts : "loadform.yaml")).toContain(
      " metadata has mappings or lists as values: omitted, so it remains unchanged\n",
    );
    await expectEmptyPlan(made);
  },
);

describe.each(formats)("keys that mean something else in a file are kept as they are, as %s", (format) => {
  test("in script parameters", async () => {
    const rig = makeRig();
    const { id, script } = await makeShop(rig);
    const texts = [
      '{"<<":"1","a":"2"}',
      '{"<<":"1","":"2"}',
      '{"":"1"}',
      '{"~":"1","null":"2","? x":"3","- y":"4","a\\nb":"5"}',
    ];
    for (const [index, scriptParams] of texts.entries())
      await makeConfiguration(rig, id, { name: `c${index}`, scriptId: script.id, scriptParams });
    const made = bench(rig);
    const { status, diagnostics, objects } = await made.import({ format });
    expect([status, diagnostics, objects.length]).toEqual(["imported", [], 2 + texts.length]);
    await expectEmptyPlan(made);
  });

  test("in the metadata of a provider", async () => {
    const rig = makeRig();
    const keys = { merge: { "<<": "x", zone: "a" }, none: { "": "x" }, proto: JSON.parse('{"__proto__":"x"}') };
    for (const [name, metadata] of Object.entries(keys)) {
      const body = { name, providerType: "CloudOnDemand", organizationId: 1, metadata };
      await rig.outside.call("POST /providers", { body: body as never });
    }
    const made = bench(rig);
    const { status, diagnostics, objects } = await made.import({ format });
    expect([status, diagnostics, objects.length]).toEqual(["imported", [], 3]);
    const text = textOf(made, format === "ts" ? mainOf.ts : "loadform.yaml");
    expect(text.match(/metadata has a key that no file takes/g)).toHaveLength(2);
    expect(text).toMatch(/"<<": "?x/);
  });

  test.each([
    ["two grids have one so called", false],
    ["the one that is meant is switched off, and another grid has one so called", true],
  ])("refers to a region by its name where %s", async (_, isOff) => {
    const rig = makeRig();
    const { id, script } = await makeShop(rig);
    for (const name of ["berlin", "paris"]) {
      const body = { name, providerType: "Shared", organizationId: 1 } as never;
      const { id: providerId } = (await rig.outside.call("POST /providers", { body })) as { id: number };
      const place = { name: "Rack 4", providerId };
      const region = await rig.outside.call("POST /orgs/:orgId/regions", { params: { orgId: 1 }, body: place });
      const providers = [{ providerId, params: { regions: "Rack 4" } }];
      await makeConfiguration(rig, id, { name, scriptId: script.id, providers });
      const off = { params: { id: region.id }, body: { active: false } as never };
      if (isOff && name === "berlin") await rig.outside.call("PUT /regions/:id", off);
    }
    const made = bench(rig);
    expect((await made.import({ format })).diagnostics).toEqual([]);
    expect(textOf(made, mainOf[format]).match(/regions: \["?Rack 4"?\]/g)).toHaveLength(2);
    await expectEmptyPlan(made);
  });
});

describe("importing texts and data of unusual size", () => {
  test("takes a megabyte of data, long lines, and one script under several names", async () => {
    const rig = makeRig();
    const main = `const a = "${"x".repeat(100_000)}";\n\tlast()`;
    const { id, script } = await makeShop(rig, { main });
    await makeScript(rig, id, { name: "twin", main });
    const data = `id;name\r\n${Array.from({ length: 60_000 }, (_, row) => `${row};näme ${row}\r\n`).join("")}`;
    expect(Buffer.byteLength(data)).toBeGreaterThan(1_000_000);
    await rig.outside.call("POST /scripts/:id/data-stores/contents", {
      params: { id: script.id },
      body: { name: "users.csv", contents: Buffer.from(data).toString("base64") },
    });
    const made = bench(rig);
    expect((await made.import()).files).toEqual([
      "load/shop.yaml",
      "load/shop/browse.js",
      "load/shop/browse/users.csv",
      "load/shop/twin.js",
      "loadform.yaml",
    ]);
    expect(textOf(made, "load/shop/browse.js")).toBe(main);
    expect(textOf(made, "load/shop/twin.js")).toBe(main);
    expect(textOf(made, "load/shop/browse/users.csv")).toBe(data);
    await expectEmptyPlan(made);
  });

  test("keeps data files apart whose names differ only in capitals, or in nothing that a path may hold", async () => {
    const rig = makeRig();
    const { script } = await makeShop(rig);
    const names = ["Users.csv", "users.csv", "users?.csv", "users*.csv", "..", "con", "ü.csv", "u\u0308.csv"];
    for (const name of names)
      await rig.outside.call("POST /scripts/:id/data-stores/contents", {
        params: { id: script.id },
        body: { name, contents: Buffer.from(`data of ${name}`).toString("base64") },
      });
    const made = bench(rig);
    expect((await made.import()).diagnostics).toEqual([]);
    const paths = Object.keys(made.files()).filter((path) => path.startsWith("load/shop/browse/"));
    expect(paths).toHaveLength(names.length);
    expect(new Set(paths.map((path) => path.normalize("NFC").toLowerCase())).size).toBe(names.length);
    await expectEmptyPlan(made);
  });
});

describe("importing configurations of every depth", () => {
  test.each(formats)("takes triggers with many conditions and actions, as %s", async (format) => {
    const rig = makeRig();
    const { id, script } = await makeShop(rig);
    const condition = (threshold: number) => ({
      metric: "firstReceivedMs",
      metricKey: "p95",
      operator: "GTE",
      threshold,
      timePeriod: "LastMinute",
      valueType: "Absolute",
      isPercentage: threshold % 2 === 0,
    });
    const triggers = [1, 2, 3].map((each) => ({
      conditions: [condition(each), condition(each * 10)],
      actions: [{ actionType: "StopExecution" }],
    }));
    await makeConfiguration(rig, id, { name: "smoke", scriptId: script.id, triggers });
    const made = bench(rig);
    expect((await made.import({ format })).diagnostics).toEqual([]);
    expect(textOf(made, mainOf[format]).match(/conditions:/g)).toHaveLength(3);
    await expectEmptyPlan(made);
  });

  test("leaves regions that are switched off where they are, and says that a scenario is read-only", async () => {
    const rig = makeRig();
    const { id } = await makeShop(rig);
    const grid = await rig.outside.call("POST /providers", {
      body: { name: "grid", providerType: "Shared", organizationId: 1 },
    });
    for (const name of ["on", "off"])
      await rig.outside.call("POST /orgs/:orgId/regions", {
        params: { orgId: 1 },
        body: { name, providerId: grid.id } as never,
      });
    const regions = await rig.outside.call("GET /orgs/:orgId/providers", {
      params: { orgId: 1 },
      query: { down: true, activeRegionsOnly: false } as never,
    });
    const all = (regions as readonly { readonly regions?: readonly { id: number; name: string }[] }[]).flatMap(
      (each) => each.regions ?? [],
    );
    const off = all.find(({ name }) => name === "off");
    await rig.outside.call("PUT /regions/:id", { params: { id: off?.id ?? 0 }, body: { active: false } as never });
    const made = bench(rig, {
      see: (route, answer) =>
        route.startsWith("GET /orgs/:orgId/test-cases") || route === "GET /test-cases" ? withReadonly(answer) : answer,
    });
    const outcome = await made.import();
    expect(outcome.objects.filter(({ kind }) => kind === "region")).toEqual([
      expect.objectContaining({ address: "region.on" }),
    ]);
    expect(warningsOf(outcome)).toEqual([]);
    expect(textOf(made, "load/shop.yaml")).toContain("# read-only at the service: a change here would be refused\n");
    expect(id).toBe(1);
    await expectEmptyPlan(made);
  });
});

test("regions that the service made for a test in a cloud account are not imported while it runs", async () => {
  const rig = makeRig();
  const { id, script } = await makeShop(rig);
  const body = { name: "cloud", providerType: "CloudOnDemand", organizationId: 1 };
  const provider = await rig.outside.call("POST /providers", { body: body as never });
  const providers = [{ providerId: provider.id, params: { regions: "eu-west-1" } }];
  const { id: confId } = await makeConfiguration(rig, id, { name: "smoke", scriptId: script.id, providers });
  await rig.outside.call("POST /test-confs/:confId/executions", { params: { confId } });
  const live = await rig.outside.call("GET /providers/:id", { params: { id: provider.id } });
  expect(live.regions).toMatchObject([{ name: "eu-west-1", active: true }]);
  const made = bench(rig);
  const { objects } = await made.import();
  expect(objects.map(({ kind }) => kind).sort()).toEqual(["configuration", "provider", "scenario", "testCase"]);
});

function withReadonly(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (_key, value: unknown) =>
      typeof value === "object" && value !== null && "main" in value ? { ...value, readonly: true } : value,
    ),
  );
}
