import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldsOf, makeRig, type Way } from "../support/rig.ts";
import { code, type Fields, file, formOf, sendForm, zipFile } from "../support/start-forms.ts";

describe.each<Way>(["in process", "over HTTP"])("POST /start and POST /setup %s", (way) => {
  const make = async () => {
    const rig = await makeRig();
    const base = way === "over HTTP" ? (await rig.service.listen(0)).url : "http://service";
    const send = way === "over HTTP" ? fetch : rig.service.fetch;
    const post = async (path: string, body: FormData | URLSearchParams, accept?: string) => {
      const headers = { "x-api-key": "local", ...(accept === undefined ? {} : { accept }) };
      const response = await send(base + path, { method: "POST", body, headers });
      return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
    };
    return { rig, post };
  };

  it("answers the bare id of the execution as text", async () => {
    const { rig, post } = await make();
    expect(await post("/start", formOf(code))).toEqual({ status: 200, type: "text/plain; charset=utf-8", text: "1" });
    expect(await post("/api/start", formOf(code), "*/*")).toMatchObject({ status: 200, text: "2" });
    await rig.close();
  });

  it("answers all ids to a caller that accepts JSON", async () => {
    const { rig, post } = await make();
    const { type, text } = await post("/start", formOf(code), "text/html, application/json;q=0.9");
    expect(type).toContain("application/json");
    expect(JSON.parse(text)).toEqual({ executionId: 1, testCaseId: 1, confId: 1, scriptId: 1 });
    await rig.close();
  });

  it("starts nothing for a setup, and answers its ids as JSON", async () => {
    const { rig, post } = await make();
    const { text } = await post("/setup", formOf({ ...code, conf_name: "Night" }), "text/plain");
    expect(JSON.parse(text)).toEqual({ testCaseId: 1, confId: 1, scriptId: 1 });
    expect(await rig.ok("GET", "/test-confs/1/executions")).toEqual([]);
    expect(await rig.ok("GET", "/test-confs/1")).toMatchObject({ name: "Night" });
    await rig.close();
  });

  it("takes url-encoded fields", async () => {
    const { rig, post } = await make();
    const form = new URLSearchParams({
      apicoll_collection_url: "https://x.test/ü",
      iterations: "2",
      "params[a b]": "ä&=",
    });
    expect(await post("/start", form)).toMatchObject({ status: 200, text: "1" });
    expect(await rig.ok("GET", "/test-confs/1")).toMatchObject({ iterations: 2, scriptParams: '{"a b":"ä&="}' });
    await rig.close();
  });

  it("keeps the bytes and paths of files", async () => {
    const { rig, post } = await make();
    const bytes = new Uint8Array([0, 255, 13, 10, 128]);
    await post(
      "/start",
      formOf({ ...code, "files[0]": file("data/ü.bin", bytes), "files[1]": zipFile("p.zip", { "b.csv": "a\n1" }) }),
    );
    const { dataStores } = await rig.ok("GET", "/scripts/1");
    expect(dataStores).toMatchObject([
      { name: "data/ü.bin", size: 5 },
      { name: "b.csv", numRows: 1 },
    ]);
    const download = await rig.service.handle({ method: "GET", path: dataStores[0].url });
    expect([...(download.body() as Uint8Array)]).toEqual([...bytes]);
    await rig.close();
  });
});

describe("a start again", () => {
  const whole: Fields = { ...code, testcase_name: "Shop", scenario_name: "Browse", conf_name: "Night" };

  it("updates what has its names, and starts another run", async () => {
    const rig = await makeRig();
    await sendForm(rig, { ...whole, virtual_users: "5", "files[0]": file("u.csv", "a\n1") });
    await rig.ok("PUT", "/test-confs/1", { schedules: [{ scheduleType: "Recurring", recurringInterval: "Hour" }] });
    const changed = { ...whole, code: file("b.js", "stop()"), duration_mins: undefined, iterations: "3" };
    const { body } = await sendForm(rig, { ...changed, "files[0]": file("u.csv", "a\n1\n2") });
    expect(body).toEqual({ executionId: 2, testCaseId: 1, confId: 1, scriptId: 1 });
    expect(await rig.ok("GET", "/scripts/1")).toMatchObject({ main: "stop()", dataStores: [{ id: 1, numRows: 2 }] });
    const made = await rig.ok("GET", "/test-confs/1");
    expect(made).toMatchObject({ iterations: 3, concurrentClients: 1, schedules: [{ id: 1 }] });
    expect(made).not.toHaveProperty("durationSecs");
  });

  it("has generated names that are the same each time", async () => {
    const rig = await makeRig();
    const first = await sendForm(rig, code);
    const second = await sendForm(rig, code);
    expect({ ...second.body, executionId: 1 }).toEqual(first.body);
    expect(await rig.ok("GET", "/test-cases")).toMatchObject([{ name: "Main Test Case" }]);
    expect(await rig.ok("GET", "/test-confs/1")).toMatchObject({ name: "Scenario", script: { name: "Scenario" } });
  });

  it("makes the same bytes in two services", async () => {
    const texts = await Promise.all(
      [1, 2].map(async () => {
        const rig = await makeRig({ seed: 7 });
        await sendForm(rig, {
          ...whole,
          "params[P]": "x",
          "params[P].encrypted": "true",
          "files[0]": zipFile("p.zip", { a: "1" }),
        });
        return JSON.stringify(rig.service.snapshot());
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  it("survives a restored snapshot, folder and view of the test case included", async () => {
    const rig = await makeRig();
    await sendForm(rig, {
      ...whole,
      testcase_folder: "/teams/shop/",
      view: file("view.json", "{}"),
      repo_url: "https://g.test/r",
      repo_token: "t",
    });
    const snapshot = rig.service.snapshot();
    const other = await makeRig();
    other.service.restore(snapshot);
    expect(JSON.stringify(other.service.snapshot())).toBe(JSON.stringify(snapshot));
    expect(await other.ok("GET", "/test-cases/1")).toMatchObject({ folder: "teams/shop" });
  });

  it("does not change a readonly scenario, nor take the test case of another organization", async () => {
    const rig = await makeRig();
    await sendForm(rig, whole);
    const snapshot = structuredClone(rig.service.snapshot()) as unknown as {
      tables: Record<string, Record<string, unknown>[]>;
    };
    const { scenario = [], testCase = [] } = snapshot.tables;
    rig.service.restore({
      ...snapshot,
      tables: { ...snapshot.tables, scenario: scenario.map((row) => ({ ...row, readonly: true })) },
    } as never);
    expect((await sendForm(rig, whole)).status).toBe(409);
    expect((await sendForm(rig, { ...whole, code: undefined, "files[0]": file("a") })).status).toBe(409);
    expect((await sendForm(rig, { ...whole, code: undefined })).status).toBe(200);
    const { organization = [] } = snapshot.tables;
    const foreign = { ...organization[0], id: 2, name: "Other" };
    const tables = {
      ...snapshot.tables,
      organization: [...organization, foreign],
      testCase: testCase.map((row) => ({ ...row, organizationId: 2 })),
    };
    rig.service.restore({
      ...snapshot,
      tables,
      next: { ...(snapshot as unknown as { next: object }).next, organization: 3 },
    } as never);
    expect((await sendForm(rig, whole)).status).toBe(409);
  });

  it("tags the run and registers the tags", async () => {
    const rig = await makeRig();
    const { body } = await sendForm(rig, { ...whole, results_tags: "night, v1.2 ,night" });
    const { tags } = await rig.ok("GET", `/executions/${body.executionId}`);
    expect(tags.map((tag: { name: string }) => tag.name)).toEqual(["night", "v1.2"]);
    expect(await rig.ok("GET", "/orgs/1/tags")).toMatchObject([{ name: "night" }, { name: "v1.2" }]);
  });
});

describe("the description of the form", () => {
  it("is made of its tables", async () => {
    const { paths } = await (await makeRig()).ok("GET", "/_loadform/openapi.json");
    const { content } = paths["/start"].post.requestBody;
    expect(Object.keys(content)).toEqual(["multipart/form-data", "application/x-www-form-urlencoded"]);
    const { properties, patternProperties } = content["multipart/form-data"].schema;
    expect(properties).toMatchObject({
      code: { contentMediaType: "application/octet-stream", description: "For Code" },
      test_type: { enum: ["Load", "Functional", "Monitor"], default: "Load" },
    });
    const [pattern = ""] = Object.keys(patternProperties).filter((each) => each.includes("encrypted"));
    expect([/x/, new RegExp(pattern)].map((each) => each.test("params[User].encrypted"))).toEqual([false, true]);
    expect(paths["/start"].post.responses["200"].content).toHaveProperty("text/plain");
  });
});

describe("any field name", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "params",
      "files",
      "[0]",
      "[__proto__]",
      ".encrypted",
      "[",
      "]",
      ".",
      "constructor",
      "kpis",
      ".expr",
    ),
    fc.constantFrom("conf_testrunners[0]", ".regions", ".name", "devices", ".weight", "__proto__", "toString", "[]"),
    fc.string({ maxLength: 6 }),
  );
  const name = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));

  it("is read, refused or recorded, and never a defect of the service", async () => {
    const rig = await makeRig();
    const clean = Object.keys(Object.prototype).length;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, fc.constantFrom("1", "x", "true", "{}", "a,b")), async (fields) => {
        const form = formOf(code);
        for (const [field, value] of Object.entries(fields)) form.append(field, value);
        const answered = await rig.call("POST", "/setup", form);
        expect([200, 400, 409]).toContain(answered.status);
        if (answered.status === 400) expect(fieldsOf(answered).length).toBeGreaterThan(0);
        expect(Object.keys(Object.prototype).length).toBe(clean);
      }),
      { numRuns: 150 },
    );
  });
});
