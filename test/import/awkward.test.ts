import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  bench,
  expectEmptyPlan,
  makeCase,
  makeConfiguration,
  makeScript,
  makeStore,
  textOf,
  warningsOf,
} from "../support/live-objects.ts";
import { makeRig } from "../support/rig.ts";

const names = [
  'quo"te: #x',
  "Ünïcode δ",
  "δδδ",
  "a/b\\c",
  "../../etc/passwd",
  "true",
  "null",
  "123",
  "1.10",
  "~",
  "- x",
  "line\nbreak",
  "tab\there",
  "${env:HOME}",
  "$${file:x}",
  "Checkout",
  "checkout",
  "x.yaml",
  "x",
  "shared",
  "shared_added",
  "loadform",
  "app",
  "\u202Eevil",
  "zero\u200Bwidth\u0085\uFEFF",
  "🛒 cart 🎉",
  "!?*",
  "///",
  "   .",
  "__proto__",
  "constructor",
  "yes",
  "007",
  "1e3",
  "0x1F",
  "2026-01-01",
  "<<",
  "*a",
  "&a",
  "%TAG",
  "con",
  "CHECKOUT",
  "ñ".repeat(200),
  "y".repeat(255),
];

describe("importing names that are no keys", () => {
  test.each(["yaml", "ts"] as const)("gives every object a key of its own and its name back, as %s", async (format) => {
    const rig = makeRig({ settings: { nameCharacters: "any" } });
    for (const name of names) {
      const { id } = await makeCase(rig, name);
      await makeScript(rig, id, { name });
      await makeScript(rig, id, { name });
    }
    // The bundled service as it is otherwise takes no line breaks in names; of another one that is not known.
    const made = bench(rig, { url: "https://load.example.com" });
    const outcome = await made.import({ format });
    expect(outcome.diagnostics).toEqual([]);
    expect(outcome.objects).toHaveLength(names.length * 3);
    await expectEmptyPlan(made);
    for (const path of Object.keys(made.files())) expect(path).toMatch(/^[\w./-]+$/);
  });

  test("leaves out a name that the bundled service takes from nobody else, and says why", async () => {
    const rig = makeRig({ settings: { nameCharacters: "any" } });
    await makeCase(rig, "line\nbreak");
    const made = bench(rig);
    const { objects, diagnostics } = await made.import();
    expect(objects).toEqual([]);
    expect(diagnostics).toMatchObject([
      {
        code: "LF3012",
        detail: expect.stringContaining("the name cannot be read: The value is text with a line break"),
      },
    ]);
  });

  test("numbers what has the same name and says which is which", async () => {
    const rig = makeRig();
    const { id } = await makeCase(rig, "Shop");
    await makeScript(rig, id, { name: "Browse it", main: "one()" });
    await makeScript(rig, id, { name: "Browse it", main: "two()" });
    const made = bench(rig);
    await made.import();
    expect(textOf(made, "load/shop.yaml")).toContain(
      '      # numbered: "Browse it" is not the only one here; this is id 2\n      browse-it-2: { name: Browse it, script: "${file:shop/browse-it-2.js}" }\n',
    );
    expect(textOf(made, "load/shop/browse-it-2.js")).toBe("two()");
  });
});

describe("importing texts and files", () => {
  test.each([
    ["a script", { name: "x" }, "x.js"],
    ["a script before the run", { name: "x", init: "begin()" }, "x.init.js"],
  ])("%s is never called as the folder of another one's data, now and later", async (_, body, folder) => {
    const rig = makeRig();
    const { id } = await makeCase(rig, "a");
    await makeScript(rig, id, body);
    await makeStore(rig, (await makeScript(rig, id, { name: folder })).id, "u.csv");
    const made = bench(rig);
    expect((await made.import()).diagnostics).toEqual([]);
    await expectEmptyPlan(made);
    await makeStore(rig, (await makeScript(rig, id, { name: "y.js" })).id, "u.csv");
    await made.import();
    await makeScript(rig, id, { name: "y" });
    expect((await made.import()).diagnostics).toEqual([]);
    await expectEmptyPlan(made);
    expect(Object.keys(made.files())).toEqual(expect.arrayContaining(["load/a/y.js/u.csv", "load/a/y-2.js"]));
  });

  test("keeps every byte of scripts and data files", async () => {
    const rig = makeRig();
    const { id } = await makeCase(rig, "Files");
    const script = "\ufeffconst a = `${env:HOME} $${x}`;\r\n\tlast();  \r\n";
    const scenario = await makeScript(rig, id, { name: "s", main: script, init: "", teardown: "\n\n" });
    const files = {
      "users.csv": "\ufeffname;pä\r\n1;2\r\n",
      "no text.bin": "\u0000\u00ff\u00fe",
      "../up.csv": "a\n",
      empty: "",
      ".env": "X=1\n",
    };
    const store = (name: string, contents: string) =>
      rig.outside.call("POST /scripts/:id/data-stores/contents", {
        params: { id: scenario.id },
        body: { name, contents },
      });
    for (const [name, text] of Object.entries(files))
      await store(name, Buffer.from(text, name.endsWith(".bin") ? "latin1" : "utf8").toString("base64"));
    const made = bench(rig);
    const outcome = await made.import();
    expect(outcome.diagnostics).toEqual([]);
    expect(outcome.requests).toBe(4 + Object.keys(files).length);
    expect(textOf(made, "load/files/s.js")).toBe(script);
    expect(textOf(made, "load/files/s.teardown.js")).toBe("\n\n");
    expect(textOf(made, "load/files/s/users.csv")).toBe(files["users.csv"]);
    expect(readFileSync(join(made.root, "load/files/s/no text.bin"))).toEqual(Buffer.from([0, 255, 254]));
    expect(Object.keys(made.files())).toContain("load/files/s/env");
    await expectEmptyPlan(made);
  });

  test("reads scripts that the tree lacks with one request each", async () => {
    const rig = makeRig({ settings: { nested: "summary" } });
    const { id } = await makeCase(rig, "Files");
    for (const name of ["a", "b", "c"]) await makeScript(rig, id, { name, main: `${name}()`, tags: [] });
    const made = bench(rig);
    expect((await made.import()).requests).toBeLessThanOrEqual(6 + 3);
    expect(textOf(made, "load/files/b.js")).toBe("b()");
    await expectEmptyPlan(made);
  });

  test("escapes what would be replaced, and nothing else", async () => {
    const rig = makeRig();
    const description = "Pay ${env:HOME} and ${file:x}\n\n  indented ${y}  \nend";
    await makeCase(rig, "Texts", description);
    await makeCase(rig, "Plain", "only ${y} of JavaScript");
    const made = bench(rig);
    await made.import();
    expect(textOf(made, "load/texts.yaml")).toContain("$${env:HOME}");
    expect(textOf(made, "load/plain.yaml")).toContain("only ${y} of JavaScript");
    await expectEmptyPlan(made);
  });
});

describe("importing configurations", () => {
  test("refers by key, by key from the top, and by name to what is public", async () => {
    const rig = makeRig();
    const first = await makeCase(rig, "First");
    const second = await makeCase(rig, "Second");
    const script = await makeScript(rig, second.id, { name: "browse" });
    await makeConfiguration(rig, first.id, { name: "elsewhere", scriptId: script.id });
    await makeConfiguration(rig, second.id, { name: "beside", scriptId: script.id });
    const made = bench(rig);
    await made.import();
    expect(textOf(made, "load/first.yaml")).toContain("scenario: second/browse\n");
    expect(textOf(made, "load/second.yaml")).toContain("scenario: browse\n");
    expect(textOf(made, "load/second.yaml")).toContain(
      "          - provider: { name: Public Shared Grid }\n            regions: [cloud-us-east-1]\n",
    );
    expect(textOf(made, "load/second.yaml")).not.toMatch(/iterationSleepSecs|profileType|imageDiffMode|triggers|tags/);
    await expectEmptyPlan(made);
  });

  test("refers by name to what is not imported", async () => {
    const rig = makeRig();
    const first = await makeCase(rig, "First");
    const second = await makeCase(rig, "Second");
    const script = await makeScript(rig, second.id, { name: "browse" });
    await makeConfiguration(rig, first.id, { name: "elsewhere", scriptId: script.id });
    const made = bench(rig);
    await made.import({ wanted: ["First"] });
    expect(textOf(made, "load/first.yaml")).toContain("scenario: { name: browse }\n");
    expect(Object.keys(made.files())).toEqual(["load/first.yaml", "loadform.yaml"]);
    await expectEmptyPlan(made);
  });

  test.each([
    ["the bundled service", {}],
    ["a live one", { url: "https://load.example.com" }],
  ])("takes paused schedules of %s, and says what it leaves out of those that have run", async (_, options) => {
    const rig = makeRig();
    const { id } = await makeCase(rig, "Shop");
    const script = await makeScript(rig, id, { name: "browse" });
    const made = await makeConfiguration(rig, id, {
      name: "nightly",
      scriptId: script.id,
      schedules: [
        { scheduleType: "Recurring", recurringInterval: "Day", hour: 2 },
        { scheduleType: "Recurring", recurringInterval: "Day", hour: 3 },
        { scheduleType: "Single", nextScheduled: rig.system.now() + 60_000 },
        { scheduleType: "Single", nextScheduled: "2099-01-01T00:00:00Z" },
      ],
    });
    const [, paused] = made.schedules ?? [];
    await rig.outside.call("PUT /test-schedules/:scheduleId", {
      params: { scheduleId: paused?.id ?? 0 },
      body: { active: false },
    });
    await rig.service.advance(120_000);
    const target = bench(rig, options);
    const outcome = await target.import();
    expect(warningsOf(outcome)).toEqual([
      'schedule#3 is not imported: "3" is at the service, but it has fired and will not fire again. It remains there, unmanaged',
    ]);
    expect(textOf(target, "load/shop.yaml")).toContain(
      "          recurring-day-2:\n            scheduleType: Recurring\n            recurringInterval: Day\n            hour: 3\n            active: false\n",
    );
    expect(textOf(target, "load/shop.yaml")).toContain(
      "      # schedule#3 is left out: it has fired and will not fire again\n",
    );
    expect(textOf(target, "load/shop.yaml")).toContain("nextScheduled: 2099-01-01T00:00:00.000Z");
    await expectEmptyPlan(target);
  });

  test("says which addresses hold a password that everybody may read, and does not print it", async () => {
    const rig = makeRig();
    for (const [name, url] of [
      ["open", "https://ci:hunter2@git.test/a.git"],
      ["closed", "https://ci@git.test/a.git"],
    ] as const)
      await rig.outside.call("POST /orgs/:orgId/vcs-roots", { params: { orgId: 1 }, body: { name, url } as never });
    const outcome = await bench(rig).import();
    expect(outcome.diagnostics).toMatchObject([
      { severity: "warning", code: "LF1203", summary: "vcsRoot.open: url contains a password" },
    ]);
    expect(JSON.stringify(outcome)).not.toContain("hunter2");
  });

  test("takes script parameters whatever is in them", async () => {
    const rig = makeRig();
    const { id } = await makeCase(rig, "Shop");
    const script = await makeScript(rig, id, { name: "browse", paramsConfig: [{ name: "token", encrypted: true }] });
    const texts = ['{"a b":"1","x: y":2,"":"3"}', '{"deep":{"n":[1,null]}}', '{"token":"hunter2","url":"${env:HOME}"}'];
    for (const scriptParams of texts)
      await makeConfiguration(rig, id, { name: "c", scriptId: script.id, scriptParams });
    const made = bench(rig);
    const outcome = await made.import();
    expect(outcome.diagnostics).toEqual([]);
    expect(outcome.environment).toMatchObject([{ path: "scriptParams.token", name: "SHOP_C_3_TOKEN" }]);
    expect(textOf(made, "load/shop.yaml")).not.toContain("hunter2");
    expect(textOf(made, "load/shop.yaml")).toContain("cannot be read: add it from the environment");
    const names = outcome.environment.map(({ name }) => [name, "hunter2"]);
    const { plan } = await made.plan(Object.fromEntries(names));
    expect(plan?.changes.flatMap(({ fields }) => fields.filter(({ sensitive }) => !sensitive))).toEqual([]);
    // That the service hides the value is no drift.
    expect(plan?.drift).toEqual([]);
  });

  test("names nothing like a device of Windows, where such a repository could not be checked out", async () => {
    const rig = makeRig();
    for (const name of ["con", "NUL", "com1", "console"]) {
      const { id } = await makeCase(rig, name);
      await makeScript(rig, id, { name: "aux", main: "run()" });
    }
    const made = bench(rig);
    expect((await made.import()).diagnostics).toEqual([]);
    expect(Object.keys(made.files()).filter((path) => /(?:^|\/)(?:con|nul|com1|aux)(?:\.|\/|$)/.test(path))).toEqual(
      [],
    );
    expect(Object.keys(made.files())).toContain("load/console.yaml");
    expect((await made.plan()).plan?.changes).toEqual([]);
  });
});
