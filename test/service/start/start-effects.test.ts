import { describe, expect, it } from "vitest";
import { browse, fieldsOf, makeRig, makeShop, type Rig } from "../support/rig.ts";
import {
  code,
  configurationOf,
  type Fields,
  file,
  sendForm,
  twoRegions as two,
  zipFile,
} from "../support/start-forms.ts";

/** The scenario that a form makes. */
async function scenarioOf(fields: Fields, rig?: Rig) {
  const used = rig ?? (await makeRig());
  const { status, body } = await sendForm(used, { duration_mins: "1", ...fields });
  expect(status, JSON.stringify(body)).toBe(200);
  return await used.ok("GET", `/scripts/${body.scriptId}`);
}

describe("the load of a start", () => {
  const cases: readonly (readonly [string, Fields, object])[] = [
    [
      "has defaults",
      {},
      { profileType: "Flat", durationSecs: 60, rampupSecs: 0, iterationSleepSecs: 10, concurrentClients: 1 },
    ],
    ["takes parts of minutes", { duration_mins: "1.5", rampup_mins: ".5" }, { durationSecs: 90, rampupSecs: 30 }],
    ["takes ramp-up in seconds", { rampup_secs: "7" }, { rampupSecs: 7 }],
    [
      "is iterations",
      { duration_mins: undefined, iterations: "3", iteration_sleep_secs: "2" },
      { iterations: 3, iterationSleepSecs: 2 },
    ],
    ["is one iteration for Functional", { duration_mins: undefined, test_type: "Functional" }, { iterations: 1 }],
    ["is one iteration for Monitor", { duration_mins: undefined, test_type: "Monitor" }, { iterations: 1 }],
    [
      "takes seconds for engines",
      { code: undefined, duration_mins: undefined, duration_secs: "9", enginea_testplan: file("a.jmx") },
      { durationSecs: 9 },
    ],
    [
      "takes the run time of the Python engine",
      { code: undefined, duration_mins: undefined, enginec_file: file("a.py"), enginec_runtime: "1h30m" },
      { durationSecs: 5400 },
    ],
    ["takes virtual_users", { virtual_users: "9" }, { concurrentClients: 9 }],
    ["takes concurrent_users", { concurrent_users: "9", virtual_users: "9" }, { concurrentClients: 9 }],
    ["splits users over regions", { ...two, virtual_users: "10" }, { concurrentClients: 5 }],
    ["takes users per region", { ...two, concurrent_users_per_region: "10" }, { concurrentClients: 10 }],
    ["has a user per region by default", two, { concurrentClients: 1 }],
    ["has a user per instance by default", { instances: "4" }, { concurrentClients: 4 }],
    [
      "steps",
      { ...two, virtual_users: "20", start_concurrent_users: "2", step: "4" },
      { profileType: "Step", concurrentClients: 10, startConcurrentClients: 1, step: 2, durationSecs: 60 },
    ],
    [
      "steps per region",
      { ...two, virtual_users: "20", start_concurrent_users_per_region: "2", step_per_region: "4" },
      { startConcurrentClients: 2, step: 4 },
    ],
  ];
  it.each(cases)("%s", async (_title, fields, expected) => {
    expect(await configurationOf(fields)).toMatchObject(expected);
  });

  it("reads empty texts as not sent, but for the values of parameters", async () => {
    const made = await configurationOf({ note: "", rampup_mins: "", platform: "", "params[Empty]": "" });
    expect(made).toMatchObject({ rampupSecs: 0, scriptParams: '{"Empty":""}' });
  });

  it("takes prototype keys of parameters as plain data", async () => {
    const names = ["__proto__", "constructor", "toString"];
    const fields = Object.fromEntries(names.map((name) => [`params[${name}]`, name]));
    const made = await configurationOf(fields);
    expect(Object.entries(JSON.parse(made.scriptParams))).toEqual(names.map((name) => [name, name]));
    const rig = await makeRig();
    await configurationOf({ ...fields, "params[__proto__].encrypted": "true" }, rig);
    const [kept] = rig.service.snapshot().tables["configuration"] as unknown as {
      secrets: object;
      scriptParams: string;
    }[];
    expect([Object.keys(kept?.secrets ?? {}), kept?.scriptParams]).toEqual([
      ["__proto__"],
      '{"__proto__":null,"constructor":"constructor","toString":"toString"}',
    ]);
  });
});

describe("the scenario of a start", () => {
  const cases: readonly (readonly [string, Fields, object])[] = [
    [
      "Code",
      { code: file("a.js", "go()"), init: file("i.js", "1"), language: "typescript", node_version: "22" },
      { sourceType: "Script", main: "go()", init: "1", teardown: null, language: "typescript", nodeVersion: "22" },
    ],
    [
      "AI",
      { ai_instructions: '[{"title":"a","contents":"b"}]', model: "default" },
      { sourceType: "Instructions", main: '[{"title":"a","contents":"b"}]' },
    ],
    [
      "EngineA",
      { "enginea_testplan[0]": file("plans/a.jmx"), "enginea_properties[host]": "x" },
      {
        sourceType: "Upload",
        main: "",
        startParameters: { "enginea_testplan[0]": "plans/a.jmx", "enginea_properties[host]": "x" },
      },
    ],
    [
      "EngineB",
      { engineb_simulation: file("S.scala"), engineb_users: "4" },
      { startParameters: { engineb_simulation: "S.scala", engineb_users: "4" } },
    ],
    ["EngineC", { enginec_file: file("a.py"), enginec_requests: "100" }, { dataStores: [{ name: "a.py" }] }],
    ["ApiCollection", { apicoll_collection_url: "https://x.test/c.json" }, { dataStores: [] }],
    ["HeadlessA", { headlessa_script: file("a.js") }, { dataStores: [{ name: "a.js" }] }],
    [
      "HeadlessB",
      { headlessb_runstyle: "test", "files[p]": zipFile("p.zip", { "playwright.config.ts": "", "tests/a.ts": "x" }) },
      { dataStores: [{ name: "playwright.config.ts" }, { name: "tests/a.ts", size: 1 }] },
    ],
    [
      "Webdriver",
      { run_style: "script", webdriver_primary_spec: "spec.js", "files[0]": file("spec.js") },
      { dataStores: [{ name: "spec.js" }] },
    ],
    ["LegacyBrowser", { legacybrowser_url: "https://shop.test" }, {}],
    [
      "Java",
      { java_main_class: "Load.java", "files[0]": file("src/Load.java"), framework: "JavaUnitA" },
      { dataStores: [{ name: "src/Load.java" }] },
    ],
    ["Har", { har_file: file("a.har", '{"log":{"entries":[]}}') }, { sourceType: "Har" }],
  ];
  it.each(cases)("is of type %s", async (scriptType, fields, expected) => {
    expect(await scenarioOf(fields)).toMatchObject({ scriptType, name: "Scenario", ...expected });
  });

  it("has its files of a zip, and a path of it for its plan", async () => {
    const zip = zipFile("project.ZIP", { "plans/a.jmx": "<plan/>", "data/u.csv": "a\n1" });
    const made = await scenarioOf({ enginea_testplan: "plans/a.jmx", "files[0]": zip });
    expect(made.dataStores).toMatchObject([{ name: "plans/a.jmx" }, { name: "data/u.csv", numRows: 1 }]);
    const wrong = await sendForm(await makeRig(), { iterations: "1", enginea_testplan: "b.jmx", "files[0]": zip });
    expect(wrong.body.message).toContain("plans/a.jmx, data/u.csv");
  });

  it("comes from a repository, which is recorded and not cloned, its token not kept", async () => {
    const rig = await makeRig();
    const repo = { repo_url: "https://git.test/shop.git", repo_token: "TOKEN", root_folder: "load" };
    const made = await scenarioOf({ ...repo, conf_file: "wdio.conf.js" }, rig);
    expect(made).toMatchObject({
      sourceType: "Repository",
      dataStores: [],
      startParameters: { repo_url: repo.repo_url, root_folder: "load", conf_file: "wdio.conf.js" },
    });
    expect(JSON.stringify(rig.service.snapshot())).not.toContain("TOKEN");
  });

  it("encrypts parameters: neither the configuration nor the run nor the state has their values", async () => {
    const rig = await makeRig();
    const fields = {
      ...code,
      "params[User]": "ann",
      "params[Pass Word]": "HIDDEN",
      "params[Pass Word].encrypted": "true",
    };
    const { body } = await sendForm(rig, fields);
    const expected = '{"User":"ann","Pass Word":null}';
    expect(await rig.ok("GET", `/test-confs/${body.confId}`)).toMatchObject({ scriptParams: expected });
    expect(await rig.ok("GET", `/executions/${body.executionId}`)).toMatchObject({ scriptParams: expected });
    expect(JSON.stringify(rig.service.snapshot())).not.toContain("HIDDEN");
    await sendForm(rig, { ...fields, "params[Pass Word].encrypted": "false", "params[Pass Word]": "open" });
    expect(await rig.ok("GET", "/test-confs/1")).toMatchObject({ scriptParams: '{"User":"ann","Pass Word":"open"}' });
  });

  it("is run as it is when nothing is said of it", async () => {
    const rig = await makeShop();
    const again = { testcase_name: "Checkout", scenario_name: "Browse", conf_name: "Night", iterations: "2" };
    expect((await sendForm(rig, again)).body).toMatchObject({ testCaseId: 1, scriptId: 1, confId: 2 });
    expect(await rig.ok("GET", "/scripts/1")).toMatchObject({ main: browse, tags: ["nightly"] });
    expect(fieldsOf(await sendForm(rig, { ...again, scenario_name: "Other" }))).toEqual(["code"]);
  });
});
