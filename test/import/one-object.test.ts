import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keyFromName } from "../../src/import/choose-names.ts";
import { readObjectName } from "../../src/import/select-wanted.ts";
import { kinds } from "../../src/kinds/index.ts";
import { bench, expectEmptyPlan, makeCase, makeConfiguration, makeScript, textOf } from "../support/live-objects.ts";
import { makeRig } from "../support/rig.ts";

const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 3 };

describe("importing one object", () => {
  test("adds it to the file that declares its parent, every other character as it was", async () => {
    const rig = makeRig();
    await makeCase(rig, "Shop");
    await makeScript(rig, 1, { name: "browse" });
    const made = bench(rig);
    await made.import();
    const edited = textOf(made, "load/shop.yaml").replace("scenarios:", "scenarios:   # mine");
    writeFileSync(join(made.root, "load/shop.yaml"), edited);
    await makeConfiguration(rig, 1, { name: "Smoke", scriptId: 1 });
    await makeConfiguration(rig, 1, { name: "other", scriptId: 1 });
    const outcome = await made.import({ wanted: { kind: "configuration", id: 1 } });
    expect(outcome.diagnostics).toEqual([]);
    expect(outcome).toMatchObject({
      files: ["load/shop.yaml"],
      objects: [{ address: "testCase.shop/configuration.smoke", id: 1 }],
    });
    const text = textOf(made, "load/shop.yaml");
    expect(text.startsWith(edited.trimEnd())).toBe(true);
    expect(text).toContain("    configurations:\n      smoke:\n");
    expect(text).not.toContain("other");
    await expectEmptyPlan(made);
    await made.import({ wanted: { kind: "configuration", id: 2 } });
    expect(textOf(made, "load/shop.yaml").startsWith(text.trimEnd())).toBe(true);
    await expectEmptyPlan(made);
    expect(await made.import({ wanted: { kind: "configuration", id: 2 } })).toMatchObject({ status: "nothing" });
  });

  test.each([
    [
      "beside a merge key, which hides what it merges",
      "base: &b { scenarios: { browse: { script: 'a()' } } }\n  shop: { <<: *b, name: Shop }",
      "testCase.shop/scenario.browse would no longer be declared",
    ],
    [
      "in a mapping that others merge, which declares it there too",
      "shop: &b { name: Shop }\n  other: { <<: *b, name: Other }",
      "testCase.other/scenario.pay would be declared, too",
    ],
  ])("is refused %s", async (_, testCases, summary) => {
    const rig = makeRig();
    await makeCase(rig, "Shop");
    await makeScript(rig, 1, { name: "browse" });
    const made = bench(rig);
    await made.import();
    const text = `testCases:\n  ${testCases}\n`;
    writeFileSync(join(made.root, "load/shop.yaml"), text);
    await makeScript(rig, 1, { name: "pay" });
    const outcome = await made.import({ wanted: { kind: "scenario", id: 2 } });
    expect(outcome.diagnostics).toMatchObject([{ severity: "error", code: "LF3012", summary }]);
    expect([outcome.status, textOf(made, "load/shop.yaml")]).toEqual(["failed", text]);
  });

  test("is refused where include takes in another file by then, which is named", async () => {
    const rig = makeRig();
    await makeCase(rig, "Shop");
    const made = bench(rig);
    mkdirSync(join(made.root, "load"), { recursive: true });
    writeFileSync(join(made.root, "loadform.yaml"), 'project: shop\nservice: { url: "memory:" }\n');
    writeFileSync(join(made.root, "load/old.yaml"), "testCases: { old: {} }\n");
    const { status, diagnostics } = await made.import();
    const detail = expect.stringContaining("include takes in load/old.yaml by then");
    expect([status, diagnostics]).toMatchObject(["failed", [{ code: "LF3012", detail }]]);
  });

  test("is refused where the next plan would delete what is below it", async () => {
    const rig = makeRig();
    await makeCase(rig, "Shop");
    await makeScript(rig, 1, { name: "browse" });
    const made = bench(rig);
    const main = 'project: shop\nservice: { url: "memory:" }\ndefaults: { testCase: { unmanaged: delete } }\n';
    mkdirSync(made.root, { recursive: true });
    writeFileSync(join(made.root, "loadform.yaml"), main);
    const { diagnostics } = await made.import({ wanted: { kind: "testCase", id: 1 } });
    expect(diagnostics).toMatchObject([
      {
        code: "LF3013",
        summary: "testCase.shop/scenario#1 differs",
        detail: expect.stringContaining("would delete it"),
      },
    ]);
    expect(textOf(made, "loadform.yaml")).toBe(main);
    await made.import({ wanted: ["Shop"] });
    await expectEmptyPlan(made);
    // What lies below a configuration would have been deleted with it before.
    await makeConfiguration(rig, 1, { name: "Smoke", scriptId: 1, schedules: [daily] });
    expect((await made.import({ wanted: { kind: "configuration", id: 1 } })).diagnostics).toEqual([]);
  });

  test("leaves what is below it for later", async () => {
    const rig = makeRig();
    await makeCase(rig, "Shop");
    await makeScript(rig, 1, { name: "browse" });
    const made = bench(rig);
    const { objects } = await made.import({ wanted: { kind: "testCase", id: 1 } });
    expect(objects.map(({ address }) => address)).toEqual(["testCase.shop"]);
    const below = await made.import({ wanted: { kind: "scenario", id: 1 } });
    expect(below.objects.map(({ address }) => address)).toEqual(["testCase.shop/scenario.browse"]);
    expect(below.files).toContain("load/shop/browse.js");
    await expectEmptyPlan(made);
  });

  test("names what has to be imported first: the parent, and what it refers to", async () => {
    const rig = makeRig();
    await makeCase(rig, "Shop");
    await makeScript(rig, 1, { name: "browse" });
    await makeConfiguration(rig, 1, { name: "smoke", scriptId: 1 });
    const made = bench(rig);
    const before = await made.import({ wanted: { kind: "configuration", id: 1 } });
    expect(before.status).toBe("failed");
    expect(before.diagnostics.map(({ detail }) => /loadform import.*$/.exec(detail)?.[0])).toEqual([
      expect.stringMatching(/--object testCase\/1$/),
      expect.stringMatching(/--object scenario\/1$/),
    ]);
    expect(existsSync(made.root)).toBe(false);
  });

  test("is refused below a test case of a module, with the module's line and the use", async () => {
    const rig = makeRig();
    await makeCase(rig, "Shop");
    const made = bench(rig);
    await made.import();
    await makeScript(rig, 1, { name: "browse" });
    const main =
      'project: shop\nservice: { url: "memory:service.json" }\nmoved: [{ from: testCase.shop, to: testCase.web-api }]\nuse:\n  web: { module: modules/api.yaml }\n';
    mkdirSync(join(made.root, "modules"));
    writeFileSync(join(made.root, "modules/api.yaml"), "testCases:\n  api: { name: Shop }\n");
    writeFileSync(join(made.root, "loadform.yaml"), main);
    const before = made.files();
    const { status, diagnostics } = await made.import({ wanted: { kind: "scenario", id: 1 } });
    expect([status, diagnostics]).toMatchObject([
      "failed",
      [{ code: "LF3012", file: "modules/api.yaml", line: 2, used: [{ file: "loadform.yaml", line: 5 }] }],
    ]);
    expect(diagnostics[0]?.detail).toContain(
      "It is below testCase.web-api, which a module declares at modules/api.yaml:2, used at loadform.yaml:5.",
    );
    expect(made.files()).toEqual(before);
    // With all others it is left out, for the same reason.
    const all = await made.import();
    expect([all.status, all.diagnostics]).toMatchObject(["nothing", [{ severity: "warning", code: "LF3012" }]]);
    expect(all.diagnostics[0]?.detail).toContain(
      "testCase.web-api is declared by a module at modules/api.yaml:2, used at loadform.yaml:5, and nothing is imported below a module",
    );
    expect(made.files()).toEqual(before);
  });

  test("says when there is no such object, or nobody manages it", async () => {
    const made = bench(makeRig());
    const refusal = async (kind: string, id: number) =>
      (await made.import({ wanted: { kind, id } })).diagnostics.map(({ code }) => code);
    expect(await refusal("configuration", 7)).toEqual(["LF3007"]);
    expect(await refusal("provider", 0)).toEqual(["LF3012"]);
  });

  test.each([
    ["schedule/3", "is a part of its configuration"],
    ["tag/1", "with the first object that uses it"],
    ["testcase/1", "It takes a kind (vcsRoot, provider, region, testCase, "],
    ["configuration/x", "as in: --object configuration/15"],
  ])("refuses --object %s with the reason", (text, words) => {
    expect(readObjectName(text, kinds)).toMatchObject({ problem: { detail: expect.stringContaining(words) } });
  });
});

describe("keys from names", () => {
  const keyOf = (name: string, kind = "testCase") => {
    const found = kinds.find((each) => each.name === kind);
    if (found === undefined) throw new Error(kind);
    const node = { handle: `${kind}#41`, kind, key: "41", fields: { name } };
    return keyFromName(found, node as never);
  };

  test.each([
    ["Checkout", "checkout"],
    ["perf_scripts", "perf-scripts"],
    ["perfScripts", "perf-scripts"],
    ["GitHub", "github"],
    ["Café: Bestellung", "cafe-bestellung"],
    ["007", "007"],
    ["決済", "test-case-41"],
    ["Оплата 2", "test-case-41"],
    ["🚀", "test-case-41"],
  ])("are in kebab-case, or kind and id where no letter is left: %s", (name, key) => {
    expect(keyOf(name)).toBe(key);
  });

  test("are the file names of data stores as they are", () => {
    expect(keyOf("Users_2.csv", "dataStore")).toBe("Users_2.csv");
  });

  test("say of a number whether the name or only the key was taken", async () => {
    const rig = makeRig();
    await makeCase(rig, "Shop");
    for (const name of ["perf scripts", "perf-scripts", "twin", "twin"]) await makeScript(rig, 1, { name });
    const made = bench(rig);
    await made.import();
    const text = textOf(made, "load/shop.yaml");
    expect(text).toContain(
      '# numbered: the key perf-scripts belongs to another scenario; this is "perf-scripts", id 2\n',
    );
    expect(text).toContain('# numbered: "twin" is not the only one here; this is id 4\n');
  });
});
