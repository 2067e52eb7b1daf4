import { describe, expect, it } from "vitest";
import { fieldsOf, makeRig } from "../support/rig.ts";
import { code, file, sendForm, zipFile } from "../support/start-forms.ts";
import { refusedCommon } from "../support/start-refusals.ts";
import { refusedRunners } from "../support/start-runner-refusals.ts";
import { refusedScenarios } from "../support/start-scenario-refusals.ts";

const groups = [
  ["common parameters and KPIs", refusedCommon],
  ["scenario parameters", refusedScenarios],
  ["test runner parameters", refusedRunners],
] as const;

describe.each(groups)("a start is refused by the rules of %s", (_group, cases) => {
  it.each(cases)("$rule", async ({ fields, named }) => {
    const rig = await makeRig();
    const before = JSON.stringify(rig.service.snapshot());
    const answered = await sendForm(rig, fields);
    expect([answered.status, fieldsOf(answered)], JSON.stringify(answered.body)).toEqual([400, named]);
    for (const { message } of answered.body.errors) expect(message).toMatch(/^(?:column \d+: )?found .+; expected /s);
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
    expect((await sendForm(rig, fields, "/setup")).status).toBe(400);
  });
});

describe("a form", () => {
  it("is refused with all its invalid fields at once, under the names as sent", async () => {
    const rig = await makeRig();
    const answered = await sendForm(rig, {
      test_type: "Soak",
      virtual_users: "x",
      "kpis[first].expr": " ",
      "conf_testrunners[7].regions": "mars",
      enginec_file: file("load.py"),
      max_runners: "0",
      "files[0]": file("..\\x"),
    });
    expect(fieldsOf(answered)).toEqual([
      "test_type",
      "virtual_users",
      "max_runners",
      "files[0]",
      "enginec_runtime",
      "conf_testrunners[7].regions",
      "duration_mins",
      "kpis[first].expr",
    ]);
  });

  it("has fields that nothing reads recorded, those of another type of scenario too", async () => {
    const rig = await makeRig();
    const fields = { ...code, colour: "red", "params[a][b]": "x", "files[]": file("a"), max_age: "5" };
    expect((await sendForm(rig, fields)).status).toBe(200);
    const [logged] = await rig.ok("GET", "/_loadform/requests?path=/start");
    expect(logged.unknownFields).toEqual(["colour", "params[a][b]", "files[]", "max_age"]);
  });

  it("is refused for them when strict", async () => {
    const rig = await makeRig({ strict: true });
    const answered = await sendForm(rig, { ...code, colour: "red", har: "x" });
    expect([answered.status, fieldsOf(answered)]).toEqual([400, ["colour", "har"]]);
    expect((await sendForm(rig, code)).status).toBe(200);
  });

  it("is refused when a field is sent twice", async () => {
    const rig = await makeRig();
    const form = new FormData();
    for (const note of ["one", "two"]) form.append("note", note);
    form.append("code", new Blob(["go()"]), "a.js");
    form.append("iterations", "1");
    expect(fieldsOf(await rig.call("POST", "/start", form))).toEqual(["note"]);
  });

  it.each([
    ["application/json", "{}", 415],
    ["multipart/form-data", "x", 400],
    ["application/x-www-form-urlencoded; charset=latin1", "a=b", 415],
    ["application/x-www-form-urlencoded", "note=%ff", 400],
  ])("sent as %s with the body %s is %i %i", async (type, body, status) => {
    const rig = await makeRig();
    expect((await rig.call("POST", "/start", body, { "content-type": type })).status).toBe(status);
  });

  it("larger than the limit is 413, in both forms", async () => {
    const rig = await makeRig({ settings: { bodyLimit: 100 } });
    const type = { "content-type": "application/x-www-form-urlencoded" };
    expect((await rig.call("POST", "/start", `note=${"x".repeat(200)}`, type)).status).toBe(413);
    expect((await sendForm(rig, { ...code, note: "x".repeat(200) })).status).toBe(413);
  });

  it("of more than 2,000 fields is refused", async () => {
    const rig = await makeRig();
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`params[p${index}]`, "x"]));
    const { status, body } = await sendForm(rig, { ...many, ...code });
    expect([status, body.message]).toEqual([400, "found a form of 2002 fields; expected at most 2000"]);
  });

  it("needs the key", async () => {
    const rig = await makeRig();
    expect((await rig.service.handle({ method: "POST", path: "/start", body: new FormData() })).status).toBe(401);
  });

  it("needs an organization for its test case", async () => {
    const rig = await makeRig();
    await rig.ok("DELETE", "/orgs/1/users/1");
    expect((await sendForm(rig, code)).status).toBe(403);
    expect(rig.service.snapshot().tables).not.toHaveProperty("testCase");
  });
});

describe("the zips of a form", () => {
  const zip = zipFile("p.zip", { "a.txt": "hello", "b.txt": "world" });

  it("are refused beside all else that is invalid", async () => {
    const rig = await makeRig();
    const wrong = {
      ...code,
      "files[0]": file("bad.zip", "no zip"),
      "files[1]": zip,
      "files[2]": file("b.txt"),
      percentiles: "x",
    };
    const answered = await sendForm(rig, wrong);
    expect([answered.status, fieldsOf(answered)]).toEqual([400, ["percentiles", "files[0]", "files[2]"]]);
    expect(rig.service.snapshot().tables).not.toHaveProperty("testCase");
  });

  it("have one bound together", async () => {
    const big = (name: string) => zipFile(`${name}.zip`, { [`${name}.txt`]: name.repeat(3000) });
    const rig = await makeRig({ settings: { bodyLimit: 5000 } });
    expect((await sendForm(rig, { ...code, "files[0]": big("a") })).status).toBe(200);
    const answered = await sendForm(rig, { ...code, "files[0]": big("a"), "files[1]": big("b") });
    expect([fieldsOf(answered), answered.body.message]).toEqual([
      ["files[1]"],
      "files[1]: found a zip of 3000 bytes once unpacked; expected at most 2000",
    ]);
  });

  it("leave unknown fields to strict mode, once each", async () => {
    const rig = await makeRig({ strict: true });
    expect(fieldsOf(await sendForm(rig, { ...code, "files[0]": zip, colour: "red" }))).toEqual(["colour"]);
    expect((await sendForm(rig, { ...code, "files[0]": zip })).body).toMatchObject({ executionId: 1 });
  });

  it("may hold the project in a folder", async () => {
    const rig = await makeRig();
    const project = zipFile("p.zip", { "app/playwright.config.ts": "" });
    const fields = { iterations: "1", headlessb_runstyle: "test", "files[0]": project };
    expect(fieldsOf(await sendForm(rig, fields))).toEqual(["headlessb_conf_file"]);
    expect((await sendForm(rig, { ...fields, root_folder: "app/" })).status).toBe(200);
  });
});
