import { describe, expect, it } from "vitest";
import { timesOf } from "../../support/deep.ts";
import { type Kept, Refused, SessionCore } from "../../support/terraform/session-core.ts";
import { configurationOf, idOf, makeShop } from "../../support/terraform/shop.ts";

/** Requests that a service was asked since the last call. */
function requestsOf(core: SessionCore): () => readonly string[] {
  let seen = core.service.requests.length;
  return () => {
    const fresh = core.service.requests.slice(seen).map(({ method, path }) => `${method} ${path}`);
    seen = core.service.requests.length;
    return fresh;
  };
}

describe("reading", () => {
  const perCase = timesOf({ few: 33 });
  it(`refreshes ${10 * (1 + 3 * perCase)} resources and more with at most 10 requests`, async () => {
    const core = await SessionCore.open();
    const made: Kept[] = [];
    for (let cases = 0; cases < 10; cases++) {
      const testCase = await core.create("loadform_test_case", { name: `case ${cases}` });
      const below = { test_case_id: idOf(testCase) };
      made.push(testCase);
      for (let n = 0; n < perCase; n++) {
        made.push(
          await core.create("loadform_scenario", { ...below, name: `s${n}`, script: `run(${n})`, init: "init()" }),
        );
        made.push(await core.create("loadform_gateway", { ...below, name: `g${n}`, url: "https://a.test" }));
        const scenario_id = idOf(made.at(-2) as Kept);
        made.push(await core.create("loadform_data_store", { scenario_id, name: `${n}.csv`, contents: `a\n${n}\n` }));
      }
    }
    made.push(await core.create("loadform_provider", { name: "grid", provider_type: "Shared" }));
    made.push(await core.create("loadform_region", { name: "rack" }), await core.create("loadform_tag", { name: "t" }));
    made.push(await core.create("loadform_vcs_root", { name: "r", url: "https://git.test/a.git" }));
    expect(made.length).toBeGreaterThanOrEqual(10 * (1 + 3 * perCase));
    await core.walk();
    const requests = requestsOf(core);
    const read = await Promise.all(made.map((each) => core.refresh(each)));
    expect(requests().length).toBeLessThanOrEqual(10);
    expect(read.map((each) => each?.value)).toEqual(made.map(({ value }) => value));
  });

  it("sees what was changed outside, and what this connection wrote itself", async () => {
    const core = await SessionCore.open();
    const { scenario } = await makeShop(core);
    await core.outside.call("PUT /scripts/:id", {
      params: { id: Number(idOf(scenario)) },
      body: { main: "other()", nodeVersion: "22" },
    });
    await core.walk();
    expect((await core.refresh(scenario))?.value).toMatchObject({ script: "other()", node_version: "22" });
    const config = { test_case_id: scenario.value["test_case_id"] as string, name: "browse", script: "run()" };
    const back = await core.update(scenario, config);
    expect((await core.refresh(back))?.value).toEqual(back.value);
    expect(back.value).toMatchObject({ script: "run()", node_version: "latest" });
  });

  it("imports even weights as a list of the one number, and plans no change where they are written so", async () => {
    const core = await SessionCore.open();
    const { testCase, scenario } = await makeShop(core);
    const params = { regions: "cloud-us-east-1", weight: "1" };
    const { id = 0 } = await core.outside.call("POST /test-cases/:testCaseId/confs", {
      params: { testCaseId: Number(idOf(testCase)) },
      body: {
        ...{ name: "even", scriptId: Number(idOf(scenario)), concurrentClients: 5, durationSecs: 60 },
        providers: [{ providerId: 0, params }],
      },
    });
    const imported = await core.import("loadform_configuration", String(id));
    expect(imported.value["providers"]).toMatchObject([{ regions: ["cloud-us-east-1"], weight: [1] }]);
    const runner = { provider_id: "0", regions: ["cloud-us-east-1"], weight: [1] };
    const config = configurationOf(testCase, scenario, { name: "even", providers: [runner] });
    expect(SessionCore.isEmpty(await core.plan("loadform_configuration", config, imported))).toBe(true);
  });

  it("keeps the moment of change that it knows while nothing else of the object has changed", async () => {
    const core = await SessionCore.open();
    const { testCase, configuration } = await makeShop(core);
    core.time.now += 60_000;
    await core.service.advance(60_000);
    const interval = { schedule_type: "Recurring", recurring_interval: "Day", hour: 3 };
    await core.create("loadform_schedule", { configuration_id: idOf(configuration), ...interval });
    const { updatedAt } = await core.outside.call("GET /test-confs/:confId", {
      params: { confId: Number(idOf(configuration)) },
    });
    expect(updatedAt).not.toBe(configuration.value["updated_at"]);
    await core.walk();
    expect((await core.refresh(configuration))?.value).toEqual(configuration.value);
    const body = { name: "Store" };
    await core.outside.call("PUT /test-cases/:testCaseId", { params: { testCaseId: Number(idOf(testCase)) }, body });
    await core.walk();
    expect((await core.refresh(testCase))?.value["updated_at"]).not.toBe(testCase.value["updated_at"]);
  });

  it("answers nothing for an object that is gone, or whose id another one has", async () => {
    const core = await SessionCore.open();
    const { testCase, scenario } = await makeShop(core);
    const reset = { ...scenario, value: { ...scenario.value, created_at: "2020-01-01T00:00:00.000Z" } };
    expect(await core.refresh(reset)).toBeUndefined();
    await core.outside.call("DELETE /test-cases/:testCaseId", { params: { testCaseId: Number(idOf(testCase)) } });
    await core.walk();
    expect(await core.refresh(scenario)).toBeUndefined();
    await expect(core.import("loadform_scenario", "77")).rejects.toThrow("Cannot import non-existent remote object");
    await expect(core.import("loadform_scenario", "browse")).rejects.toThrow("imported by its id");
  });

  it("finds an object that lists cut short do not show", async () => {
    const core = await SessionCore.open({ settings: { pageSize: 1 } });
    await core.create("loadform_test_case", { name: "one" });
    const second = await core.create("loadform_test_case", { name: "two" });
    expect((await core.refresh(second))?.value).toEqual(second.value);
  });

  it("says what a service that cannot be reached answered, once for all", async () => {
    const core = await SessionCore.open();
    const { scenario } = await makeShop(core);
    await core.walk();
    await core.setFaults([{ method: "GET", path: "/orgs/:orgId/test-cases", status: 403 }]);
    await expect(core.refresh(scenario)).rejects.toThrow("the service refused the key (status 403)");
  });
});

describe("texts and files", () => {
  it("are fetched only when they moved or are not known, where trees do not carry them", async () => {
    const core = await SessionCore.open({ settings: { nested: "summary" } });
    const { scenario } = await makeShop(core);
    const store = await core.create("loadform_data_store", {
      scenario_id: idOf(scenario),
      name: "a.csv",
      contents: "a\n1\n",
    });
    const fetched = () => requests().filter((each) => /download|data-stores\/\d+$/.test(each)).length;
    await core.walk();
    const requests = requestsOf(core);
    expect((await core.refresh(store))?.value).toEqual(store.value);
    expect(fetched()).toBe(0);
    const imported = await core.import("loadform_data_store", idOf(store));
    expect(imported.value).toMatchObject({ contents: "a\n1\n", contents_base64: null });
    expect(fetched()).toBe(1);
    await core.service.advance(1_000);
    const contents = Buffer.from("a\n2\n").toString("base64");
    await core.outside.call("PUT /data-stores/:id/contents", {
      params: { id: Number(idOf(store)) },
      body: { contents },
    });
    await core.walk();
    expect((await core.refresh(store))?.value["contents"]).toBe("a\n2\n");
  });

  it("that are no text in Terraform's form are base64, and remain in the form that the state has", async () => {
    const core = await SessionCore.open();
    const { scenario } = await makeShop(core);
    const own = { scenario_id: idOf(scenario), name: "bin.csv" };
    const bytes = Buffer.from([0x61, 0xff, 0x0a]).toString("base64");
    const made = await core.create("loadform_data_store", { ...own, contents_base64: bytes });
    expect((await core.refresh(made))?.value).toEqual(made.value);
    const imported = await core.import("loadform_data_store", idOf(made));
    expect(imported.value).toMatchObject({ contents: null, contents_base64: bytes });
    const text = await core.update(made, { ...own, contents: "é\n" });
    expect((await core.refresh(text))?.value).toMatchObject({ contents: "é\n", contents_base64: null });
    const decomposed = Buffer.from("e\u0301\n").toString("base64");
    const id = Number(idOf(text));
    await core.outside.call("PUT /data-stores/:id/contents", { params: { id }, body: { contents: decomposed } });
    await core.walk();
    expect((await core.refresh(text))?.value).toMatchObject({ contents: "é\n", contents_base64: null });
    expect((await core.import("loadform_data_store", idOf(text))).value).toMatchObject({
      contents: null,
      contents_base64: decomposed,
    });
  });

  it("hold 8 MB", async () => {
    const core = await SessionCore.open();
    const { scenario } = await makeShop(core);
    const contents = `a\n${"0123456789abcde\n".repeat(524_288)}`;
    const made = await core.create("loadform_data_store", { scenario_id: idOf(scenario), name: "big.csv", contents });
    expect((await core.refresh(made))?.value["contents"]).toBe(contents);
  });
});

describe("a setting of the service", () => {
  const url = "Check url of the provider block";
  it.each([
    { fault: { status: 401 }, words: "or api_key of the provider block, to a key" },
    { fault: { status: 404 }, words: `${url} and $LOADFORM_URL: most likely their path is wrong` },
    { fault: { drop: "before" }, words: `${url}, $LOADFORM_URL and the network` },
  ] as const)("is named as in the provider block: $fault", async ({ fault, words }) => {
    const core = await SessionCore.open({ provider: { organization: null } });
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    await core.walk();
    await core.setFaults([{ method: "GET", path: "/login", ...fault }]);
    const found = await core.refresh(testCase).catch((thrown: unknown) => thrown);
    const [told] = found instanceof Refused ? found.diagnostics : [];
    expect(told?.detail).toContain(words);
    expect(told?.detail).not.toContain("service.");
  });

  it("a write that is refused for its key says so as a read does", async () => {
    const core = await SessionCore.open();
    await core.setFaults([{ method: "POST", path: "/test-cases", status: 401 }]);
    await expect(core.create("loadform_test_case", { name: "Shop" })).rejects.toThrow("the service refused the key");
  });
});

describe("an import", () => {
  it("refuses what is public, which nobody can change or delete", async () => {
    const core = await SessionCore.open();
    const found = await core.import("loadform_provider", "0").catch((thrown: unknown) => thrown);
    expect(found instanceof Refused && found.diagnostics).toMatchObject([
      {
        summary: "what is public is not imported",
        detail: expect.stringMatching(/^loadform_provider 0 \("Public Shared Grid"\).* by data "loadform_provider"$/),
      },
    ]);
  });
});
