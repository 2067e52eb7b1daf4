import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectKeyOrder } from "../../src/authoring/project-key-order.ts";
import { kinds } from "../../src/kinds/index.ts";
import { explainFailure } from "../../src/project/explain-failure.ts";
import { formatYaml } from "../../src/yaml/format-yaml.ts";
import type { ImportBench } from "../support/import-bench.ts";
import { bench, expectEmptyPlan, makeCase, makeScript, shop, textOf, warningsOf } from "../support/live-objects.ts";
import { makeRig } from "../support/rig.ts";
import { runCli } from "../support/run-cli.ts";

/** Lets the state forget everything. */
async function forget({ store }: ImportBench): Promise<void> {
  const session = await store.lock({ operation: "test", timeoutMs: 0 });
  const { state } = (await store.read()) ?? {};
  await session.save({ ...state!, resources: {} }, []);
  await session.release();
}

describe("importing into a project that is there", () => {
  const main = '# ours\nproject:   "mine"\nservice: { url: "memory:service.json" } # here\n';

  async function project(files: Readonly<Record<string, string>>): Promise<ImportBench> {
    const made = bench(await shop(makeRig()));
    await made.import({ wanted: ["Shop"] });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(made.root, path), text);
    return made;
  }

  test("adds the include that is missing and touches nothing else", async () => {
    const rig = await shop(makeRig());
    const made = bench(rig);
    await made.import({ wanted: ["Shop"] });
    const other = bench(rig, { name: "other" });
    mkdirSync(other.root, { recursive: true });
    writeFileSync(join(other.root, "loadform.yaml"), main);
    expect((await other.import()).status).toBe("imported");
    expect(textOf(other, "loadform.yaml")).toBe(`${main}include: ["load/**/*.yaml"]\n`);
    await expectEmptyPlan(other);
  });

  test("writes nothing beside a program for Terraform: it would be read in the program's place, and what it has be deleted", async () => {
    const other = bench(await shop(makeRig()), { name: "other" });
    mkdirSync(other.root, { recursive: true });
    writeFileSync(join(other.root, "main.tf.json"), "{}");
    await expect(other.import()).rejects.toThrow("programs for Terraform cannot be added to");
    expect(readdirSync(other.root)).toEqual(["main.tf.json"]);
  });

  test("is no way out where such a program declares what exists already", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "loadform-program-"));
    writeFileSync(
      join(cwd, "loadform.yaml"),
      'project: p\nservice: { url: "memory:s.json" }\ntestCases: { t: { name: T } }\n',
    );
    expect((await runCli(["apply", "--auto-approve"], { cwd })).code).toBe(0);
    for (const path of ["loadform.yaml", ".loadform"]) rmSync(join(cwd, path), { recursive: true });
    const resource = { loadform_test_case: { t: { name: "T" } } };
    const program = { provider: { loadform: { url: "memory:s.json" } }, resource };
    writeFileSync(join(cwd, "main.tf.json"), JSON.stringify(program));
    const { stdout, stderr } = await runCli(["plan"], { cwd });
    expect(stdout + stderr).toMatch(/LF3001[\s\S]*--adopt name/);
    expect(stdout + stderr).not.toContain("loadform import");
  });

  test("leaves a main file as fmt writes it, where it was one", async () => {
    const other = bench(await shop(makeRig()), { name: "other" });
    mkdirSync(join(other.root, "mine"), { recursive: true });
    writeFileSync(join(other.root, "mine/a.yaml"), "tags: {}\n");
    const canonical = formatYaml(`${main}include: [mine/*.yaml]\n`, projectKeyOrder(kinds)) ?? "";
    writeFileSync(join(other.root, "loadform.yaml"), canonical);
    expect((await other.import()).status).toBe("imported");
    expect(textOf(other, "loadform.yaml")).toBe(canonical.replace("[mine/*.yaml]", "[mine/*.yaml, load/**/*.yaml]"));
  });

  const obstacles: readonly [string, (root: string) => void, string][] = [
    ["a file where a folder is needed", (root) => writeFileSync(join(root, "load"), "x"), "LF9004"],
    ["a folder of a file's name", (root) => mkdirSync(join(root, "load/shop.yaml"), { recursive: true }), "LF9004"],
    [
      "a link to files of others",
      (root) => {
        mkdirSync(join(root, "mine"));
        mkdirSync(join(root, "load"));
        writeFileSync(join(root, "mine/browse.js"), "mine();");
        symlinkSync("../mine", join(root, "load/shop"));
      },
      "LF9004",
    ],
    [
      "a link that leads out of the project",
      (root) => symlinkSync(mkdtempSync(join(tmpdir(), "loadform-outside-")), join(root, "load")),
      "LF1002",
    ],
  ];

  test.each(obstacles)("writes nothing when there is %s, and says so", async (_title, put, code) => {
    const made = bench(await shop(makeRig()));
    mkdirSync(made.root, { recursive: true });
    put(made.root);
    const before = readdirSync(made.root, { recursive: true });
    const refused: unknown = await made.import({ wanted: ["Shop"] }).catch((problem: unknown) => problem);
    expect(explainFailure(refused)?.map((each) => each.code)).toEqual([code]);
    expect(readdirSync(made.root, { recursive: true }).filter((path) => !`${path}`.startsWith(".loadform"))).toEqual(
      before,
    );
    const { state } = (await made.store.read()) ?? {};
    expect(state?.resources ?? {}).toEqual({});
  });

  test("honours the project's own defaults", async () => {
    const rig = await shop(makeRig());
    const made = bench(rig);
    mkdirSync(made.root, { recursive: true });
    writeFileSync(
      join(made.root, "loadform.yaml"),
      `${main}defaults: { configuration: { iterationSleepSecs: 5 }, testCase: { description: none } }\n`,
    );
    expect((await made.import()).diagnostics).toEqual([]);
    expect(textOf(made, "load/shop.yaml")).toContain("iterationSleepSecs: 10");
    await expectEmptyPlan(made);
  });

  test("binds anew what the state forgot", async () => {
    const made = await project({});
    const before = made.files();
    await forget(made);
    const outcome = await made.import();
    expect(outcome.objects).toHaveLength(4);
    expect(outcome.files).toEqual([]);
    expect(made.files()).toEqual(before);
    await expectEmptyPlan(made);
  });

  test("binds anew what the state forgot, each of several of one name to its own", async () => {
    const rig = await shop(makeRig());
    for (const main of ["two()", "three()"]) await makeScript(rig, 1, { name: "browse", main });
    const made = bench(rig);
    const { objects } = await made.import();
    const before = made.files();
    await forget(made);
    const outcome = await made.import();
    expect(outcome).toMatchObject({ files: [], diagnostics: [] });
    expect(new Set(outcome.objects.map((each) => JSON.stringify(each)))).toEqual(
      new Set(objects.map((each) => JSON.stringify(each))),
    );
    expect(made.files()).toEqual(before);
    await expectEmptyPlan(made);
  });

  test("binds a declared object anew when its own is gone and another of its name is there", async () => {
    const rig = await shop(makeRig());
    await makeScript(rig, 1, { name: "pay", main: "pay()" });
    const made = bench(rig);
    await made.import();
    const before = made.files();
    await rig.outside.call("DELETE /scripts/:id", { params: { id: 2 } });
    expect(await made.import()).toMatchObject({ status: "nothing", files: [], diagnostics: [] });
    const { plan } = await made.plan();
    expect(plan?.changes).toMatchObject([{ address: "testCase.shop/scenario.pay", action: "create" }]);
    await makeScript(rig, 1, { name: "pay", main: "pay()" });
    expect((await made.import()).objects).toEqual([{ address: "testCase.shop/scenario.pay", kind: "scenario", id: 3 }]);
    expect(made.files()).toEqual(before);
    await expectEmptyPlan(made);
  });

  test("says how a declared object differs instead of binding it", async () => {
    const made = await project({});
    const path = join(made.root, "load/shop.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace("durationSecs: 60", "durationSecs: 61"));
    writeFileSync(join(made.root, "load/shop/browse.js"), "other()");
    await forget(made);
    const outcome = await made.import();
    expect(warningsOf(outcome)).toEqual([
      expect.stringContaining("configuration.smoke differs: durationSecs: 60 at the service, 61 in the files"),
      expect.stringMatching(/browse differs: script: \(5 bytes, sha256 \w{12}\) at the service, \(7 bytes, sha256/),
    ]);
  });

  test("refuses to hide a YAML project behind a program", async () => {
    const rig = await shop(makeRig());
    const made = bench(rig);
    await made.import();
    await makeCase(rig, "New");
    await expect(made.import({ format: "ts" })).rejects.toThrow("would hide loadform.yaml");
  });

  test("puts what holds nothing beside a main file that somebody wrote, and into one of its own", async () => {
    const rig = await shop(makeRig());
    const grid = (name: string) =>
      rig.outside.call("POST /providers", { body: { name, providerType: "Shared", organizationId: 1 } });
    await grid("one");
    const written = bench(rig);
    mkdirSync(written.root, { recursive: true });
    writeFileSync(join(written.root, "loadform.yaml"), main);
    const own = bench(rig, { name: "own" });
    for (const made of [written, own]) expect((await made.import()).status).toBe("imported");
    await grid("two");
    for (const made of [written, own]) {
      expect((await made.import()).objects).toMatchObject([{ address: "provider.two" }]);
      await expectEmptyPlan(made);
    }
    expect(textOf(written, "load/shared.yaml")).toMatch(/providers:\n {2}one: .*\n {2}two: /);
    expect(textOf(written, "loadform.yaml")).not.toContain("providers");
    expect(textOf(own, "loadform.yaml")).toMatch(/providers:\n {2}one: .*\n {2}two: /);
  });

  test("carries the settings of a YAML file without objects over into the program", async () => {
    const made = bench(await shop(makeRig()));
    mkdirSync(made.root, { recursive: true });
    writeFileSync(join(made.root, "loadform.yaml"), `${main}variables: { "a": { default: 1 } }\n`);
    expect((await made.import({ format: "ts" })).status).toBe("imported");
    expect(textOf(made, "loadform.config.ts")).toMatch(/project: "mine",[\s\S]*variables: \{/);
    await expectEmptyPlan(made);
  });

  test("adds to a main file in JSON", async () => {
    const made = bench(await shop(makeRig()));
    mkdirSync(made.root, { recursive: true });
    const head = '{ "project": "a", "service": { "url": "memory:service.json" }';
    writeFileSync(join(made.root, "loadform.yaml"), `${head} }\n`);
    expect((await made.import()).status).toBe("imported");
    expect(textOf(made, "loadform.yaml")).toBe(`${head}, "include": ["load/**/*.yaml"] }\n`);
    await expectEmptyPlan(made);
  });

  test("stops before anything is moved when the main file cannot include more", async () => {
    const made = bench(await shop(makeRig()));
    mkdirSync(made.root, { recursive: true });
    writeFileSync(join(made.root, "loadform.yaml"), `project: a\nservice: { url: "memory:service.json" }\ninclude:\n`);
    await expect(made.import()).rejects.toThrow("the import cannot be added to include");
    expect(Object.keys(made.files())).toEqual(["loadform.yaml"]);
  });
});
