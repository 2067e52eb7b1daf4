import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ImportBench } from "../support/import-bench.ts";
import {
  bench,
  expectEmptyPlan,
  makeCase,
  makeConfiguration,
  makeScript,
  shop,
  textOf,
  warningsOf,
} from "../support/live-objects.ts";
import { makeRig } from "../support/rig.ts";

function edit({ root }: ImportBench, path: string, change: (text: string) => string): void {
  const file = join(root, path);
  const before = readFileSync(file, "utf8");
  expect(change(before)).not.toBe(before);
  writeFileSync(file, change(before));
}

/** What stands after an import that finds nothing new. */
async function expectNothingNew(made: ImportBench): Promise<void> {
  const before = made.files();
  expect(await made.import()).toMatchObject({ status: "nothing", files: [] });
  expect(made.files()).toEqual(before);
}

async function imported(format: "yaml" | "ts" = "yaml") {
  const rig = await shop(makeRig());
  const made = bench(rig);
  expect((await made.import({ format })).status).toBe("imported");
  return { rig, made };
}

describe("importing again into YAML", () => {
  test("adds to a file that nobody edited, behind what stands there, with its notes kept", async () => {
    const rig = await shop(makeRig());
    await makeScript(rig, 1, { name: "browse", main: "again()" });
    const made = bench(rig);
    await made.import();
    const [, ...lines] = textOf(made, "load/shop.yaml").split("\n");
    await makeScript(rig, 1, { name: "search", main: "search()" });
    await makeScript(rig, 1, { name: "browse", main: "a third time()" });
    expect((await made.import()).files).toEqual(["load/shop.yaml", "load/shop/browse-3.js", "load/shop/search.js"]);
    const [, ...after] = textOf(made, "load/shop.yaml").split("\n");
    expect(after.filter((line) => lines.includes(line))).toEqual(lines);
    expect(textOf(made, "load/shop.yaml")).toMatch(
      /scenarios:\n {6}browse: .*\n {6}# numbered.*id 2\n {6}browse-2: .*\n {6}search: .*\n {6}# numbered.*id 4\n {6}browse-3: .*\n {4}configurations:/,
    );
    await expectEmptyPlan(made);
    await expectNothingNew(made);
  });

  test("leaves an edited file alone and carries on with its objects in one of its own", async () => {
    const { rig, made } = await imported();
    edit(made, "load/shop.yaml", (text) => `${text.replace("durationSecs: 60", "durationSecs:   60 # mine")}\n`);
    const mine = textOf(made, "load/shop.yaml");
    await makeScript(rig, 1, { name: "pay", main: "pay()" });
    await rig.outside.call("POST /scripts/:id/data-stores/contents", {
      params: { id: 1 },
      body: { name: "users.csv", contents: Buffer.from("a,b\n").toString("base64") },
    });
    const outcome = await made.import();
    expect(outcome.diagnostics).toEqual([]);
    expect(outcome.files).toEqual(["load/shop/browse/users.csv", "load/shop/pay.js", "load/shop_added.yaml"]);
    expect(outcome.objects.map(({ address }) => address)).toEqual([
      "testCase.shop/scenario.pay",
      "testCase.shop/scenario.browse/dataStore.users.csv",
    ]);
    expect(textOf(made, "load/shop.yaml")).toBe(mine);
    const [, ...lines] = textOf(made, "load/shop_added.yaml").split("\n");
    expect(lines).toEqual([
      "testCases:",
      "  shop:",
      "    scenarios:",
      '      pay: { script: "${file:shop/pay.js}" }',
      "      browse:",
      "        dataStores:",
      '          users.csv: { contents: "${file:shop/browse/users.csv}" }',
      "",
    ]);
    await expectEmptyPlan(made);
    await expectNothingNew(made);
  });

  test("adds to that file as long as nobody edits it either", async () => {
    const { rig, made } = await imported();
    edit(made, "load/shop.yaml", (text) => `# mine\n${text}`);
    for (const [name, file] of [
      ["one", "load/shop_added.yaml"],
      ["two", "load/shop_added.yaml"],
      ["three", "load/shop_added-2.yaml"],
    ] as const) {
      if (name === "three") edit(made, "load/shop_added.yaml", (text) => text.replace("one:", "one: # mine\n       "));
      await makeConfiguration(rig, 1, { name, scriptId: 1 });
      expect((await made.import()).files).toEqual([file]);
      await expectEmptyPlan(made);
    }
    expect(textOf(made, "load/shop_added.yaml")).toContain("two:");
    expect(textOf(made, "load/shop_added.yaml")).not.toContain("three:");
    await expectNothingNew(made);
  });

  test("writes new test cases into files of their own beside edited ones", async () => {
    const { rig, made } = await imported();
    edit(made, "load/shop.yaml", (text) => `${text}# mine\n`);
    edit(made, "loadform.yaml", (text) => `${text}# mine\n`);
    const before = made.files();
    const { id } = await makeCase(rig, "Shop");
    await makeScript(rig, id, { name: "browse" }).catch(() => undefined);
    await makeCase(rig, "Login");
    expect((await made.import()).files).toContain("load/login.yaml");
    const after = made.files();
    for (const [path, text] of Object.entries(before)) expect(after[path]).toBe(text);
    await expectEmptyPlan(made);
  });
});

describe("importing again into a program", () => {
  test("adds statements to one that nobody edited, and names what they need", async () => {
    const { rig, made } = await imported("ts");
    const before = textOf(made, "loadform.config.ts");
    const script = await makeScript(rig, 1, { name: "pay", main: "pay()" });
    await makeConfiguration(rig, 1, { name: "both", scriptId: script.id });
    const single = { id: 1, scheduleType: "Single", nextScheduled: "2099-01-01T00:00:00Z" };
    const schedules = [single, { scheduleType: "Recurring", recurringInterval: "Day", hour: 3 }];
    await rig.outside.call("PUT /test-confs/:confId", { params: { confId: 1 }, body: { schedules } as never });
    expect((await made.import({ format: "ts" })).diagnostics).toEqual([]);
    const after = textOf(made, "loadform.config.ts");
    expect(after).toContain('new Schedule(shopSmoke, "recurring-day", {\n');
    expect(after).toContain('const shopPay = new Scenario(shopTestCase, "pay", {\n');
    expect(after).toContain("  scenario: shopPay,\n");
    const statements = (text: string) => text.slice(text.indexOf("const app")).split("\n");
    expect(statements(after)).toEqual(expect.arrayContaining(statements(before)));
    await expectEmptyPlan(made);
    await expectNothingNew(made);
  });

  test("gives a name to an object that had none", async () => {
    const rig = makeRig();
    await makeCase(rig, "Shop");
    const made = bench(rig);
    await made.import({ format: "ts" });
    expect(textOf(made, "loadform.config.ts")).toContain('\nnew TestCase(app, "shop", {\n  name: "Shop",\n});\n');
    await makeScript(rig, 1, { name: "pay" });
    await made.import();
    expect(textOf(made, "loadform.config.ts")).toMatch(
      /^.*\nimport \{ App, file, Scenario, TestCase \} from "loadform";\n[\s\S]*\nconst shopTestCase = new TestCase\(app, "shop", \{\n {2}name: "Shop",\n\}\);\n\nnew Scenario\(shopTestCase, "pay", /,
    );
    await expectEmptyPlan(made);
  });

  test("shows what to add to an edited one, with its scripts in place; pasted, it is bound", async () => {
    const { rig, made } = await imported("ts");
    edit(made, "loadform.config.ts", (text) => text.replaceAll("shopTestCase", "mine"));
    const program = textOf(made, "loadform.config.ts");
    await makeScript(rig, 1, { name: "pay", main: "pay()" });
    const outcome = await made.import();
    expect(outcome).toMatchObject({ status: "nothing", files: ["load/shop/pay.js"], objects: [] });
    expect(warningsOf(outcome)).toEqual([expect.stringContaining("scenario.pay must be added by hand")]);
    expect(textOf(made, "loadform.config.ts")).toBe(program);
    expect(textOf(made, "load/shop/pay.js")).toBe("pay()");
    const before = made.files();
    const again = await made.import();
    expect(again).toEqual({ ...outcome, files: [], requests: again.requests });
    expect(made.files()).toEqual(before);
    const lines =
      outcome.diagnostics[0]?.detail
        .split("\n")
        .slice(1)
        .map((line) => line.slice(2))
        .join("\n") ?? "";
    expect(lines).toContain('new Scenario(mine, "pay", {\n  script: file("load/shop/pay.js"),\n});');
    edit(made, "loadform.config.ts", (text) => text.replace("export default", `${lines}\nexport default`));
    expect((await made.import()).objects).toEqual([{ address: "testCase.shop/scenario.pay", kind: "scenario", id: 2 }]);
    await expectEmptyPlan(made);
    await expectNothingNew(made);
  });

  test("says what the lines need that an edited one lacks: what to import, and a word for an object without one", async () => {
    const rig = makeRig();
    await makeCase(rig, "Shop");
    const { id: scriptId } = await makeScript(rig, 1, { name: "browse" });
    await makeConfiguration(rig, 1, { name: "smoke", scriptId });
    const made = bench(rig);
    await made.import({ format: "ts" });
    edit(made, "loadform.config.ts", (text) => `// mine\n${text}`);
    const schedules = [{ scheduleType: "Recurring", recurringInterval: "Day", hour: 3 }];
    await rig.outside.call("PUT /test-confs/:confId", { params: { confId: 1 }, body: { schedules } as never });
    const [warning] = (await made.import()).diagnostics;
    const [first = "", ...lines] = warning?.detail.split("\n") ?? [];
    expect(first).toContain('import Schedule from "loadform"');
    expect(first).toContain("call what makes testCase.shop/configuration.smoke shopSmoke.");
    edit(made, "loadform.config.ts", (text) =>
      text
        .replace("import { ", "import { Schedule, ")
        .replace("new Configuration", "const shopSmoke = new Configuration")
        .replace("export default", `${lines.map((line) => line.slice(2)).join("\n")}\nexport default`),
    );
    expect((await made.import()).objects).toMatchObject([{ kind: "schedule", id: 1 }]);
    await expectEmptyPlan(made);
  });
});
