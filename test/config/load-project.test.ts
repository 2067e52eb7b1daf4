import { describe, expect, test } from "vitest";
import { memoryWorkspace } from "../../src/workspace/memory-workspace.ts";
import { loadFiles, nodeAt } from "../support/load-files.ts";
import { configuration, scenario, smoke } from "./declared-snippets.ts";

describe("a project", () => {
  test.each([
    ["true", "delete", "name", { protect: true, unmanaged: "delete", ignore: ["name"] }],
    ["false", "keep", "description", { protect: false, unmanaged: "keep", ignore: ["description"] }],
  ])("takes its lifecycle from variables: %s, %s, %s", async (protect, unmanaged, ignore, expected) => {
    const yaml =
      'testCases: { a: { protect: "${var:p}", unmanaged: "${var:u}", ignore: ["${var:i}"] } }\nvariables: { p: {}, u: {}, i: {} }\n';
    const project = await loadFiles(yaml, { vars: { p: protect, u: unmanaged, i: ignore } });
    expect([project.diagnostics, nodeAt(project, "testCase.a").lifecycle]).toEqual([[], expected]);
  });

  test("without objects has an empty tree and its settings", async () => {
    const project = await loadFiles("");
    expect(project).toMatchObject({
      name: "shop",
      language: "yaml",
      live: false,
      diagnostics: [],
      state: { backend: "memory" },
    });
    expect(project.service).toEqual({ url: "memory:", auth: { header: "X-Api-Key" } });
    expect(project.tree.nodes.size).toBe(0);
  });

  test("lists its objects by kind: parents and what is referred to first", async () => {
    const project = await loadFiles(`testCases:
  b: { configurations: { z: { scenario: a/y, durationSecs: 1, concurrentClients: 1, providers: [{ provider: grid }], schedules: { w: { scheduleType: Single, nextScheduled: 1800000000000 } } } } }
  a: { scenarios: { y: { script: run(), dataStores: { x: { contents: "" } } } } }
providers: { grid: { providerType: Shared } }
tags: { nightly: }
`);
    expect(project.diagnostics).toEqual([]);
    expect([...project.tree.nodes.keys()]).toEqual([
      "tag.nightly",
      "provider.grid",
      "testCase.b",
      "testCase.a",
      "testCase.a/scenario.y",
      "testCase.a/scenario.y/dataStore.x",
      "testCase.b/configuration.z",
      "testCase.b/configuration.z/schedule.w",
    ]);
    expect(nodeAt(project, "testCase.b/configuration.z").parent).toBe("testCase.b");
  });

  test("takes names from keys, where a kind has one", async () => {
    const project = await loadFiles(`tags: { a: {}, b: { name: B }, c: { name: null } }\n`);
    expect(["a", "b", "c"].map((key) => nodeAt(project, `tag.${key}`).fields.name)).toEqual(["a", "B", "c"]);
    const other = await loadFiles(
      configuration("durationSecs: 5, schedules: { x: { scheduleType: Single, nextScheduled: 1800000000000 } }"),
    );
    expect(nodeAt(other, `${smoke}/schedule.x`).fields).not.toHaveProperty("name");
  });

  test("keeps fields apart that are unset, null and set", async () => {
    const project = await loadFiles("testCases: { a: {}, b: { description: null }, c: { description: x } }\n");
    expect(nodeAt(project, "testCase.a").fields).toEqual({ name: "a" });
    expect(nodeAt(project, "testCase.b").fields).toEqual({ name: "b", description: null });
    expect(nodeAt(project, "testCase.c").fields).toEqual({ name: "c", description: "x" });
  });

  test("holds what is said about an object besides its fields", async () => {
    const project = await loadFiles(
      "testCases: { a: { protect: true, ignore: [description], unmanaged: delete }, b: {} }\n",
    );
    expect(nodeAt(project, "testCase.a").lifecycle).toEqual({
      protect: true,
      ignore: ["description"],
      unmanaged: "delete",
    });
    expect(nodeAt(project, "testCase.b")).not.toHaveProperty("lifecycle");
  });
});

describe("defaults and merge keys", () => {
  test("defaults stand under every object of their kind, and give way to its own fields", async () => {
    const project = await loadFiles(
      `${configuration("durationSecs: 5, rampupSecs: 1")}defaults: { configuration: { rampupSecs: 7, iterationSleepSecs: 5 }, testCase: { protect: true } }\n`,
    );
    expect(nodeAt(project, smoke).fields).toMatchObject({ rampupSecs: 1, iterationSleepSecs: 5 });
    expect(nodeAt(project, "testCase.checkout").lifecycle).toEqual({ protect: true });
  });

  test("a required field may come from the defaults, an explicit null takes it away again", async () => {
    const gateways = "testCases:\n  a:\n    gateways:\n      g:\n      h: { url: 'https://h.example.com' }\n";
    const defaults = "defaults: { gateway: { url: 'https://d.example.com' } }\n";
    const project = await loadFiles(`${gateways}${defaults}`);
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, "testCase.a/gateway.g").fields.url).toBe("https://d.example.com");
    expect(nodeAt(project, "testCase.a/gateway.h").fields.url).toBe("https://h.example.com");
    const without = await loadFiles(`${gateways}      i: { url: null }\n${defaults}`);
    expect(without.diagnostics).toMatchObject([{ code: "LF1103", address: "testCase.a/gateway.i" }]);
  });

  test("a wrong value of a required field in the defaults is said once, where it stands", async () => {
    const project = await loadFiles(
      "testCases: { a: { gateways: { g: {}, h: {} } } }\ndefaults:\n  gateway: { url: [1] }\n",
    );
    expect(project.diagnostics).toMatchObject([{ code: "LF1102", line: 5, column: 14 }]);
    expect(project.diagnostics).toHaveLength(1);
  });

  test("a problem in a default is found there", async () => {
    const project = await loadFiles(
      `${configuration("durationSecs: 5")}defaults:\n  configuration:\n    iterationSleepSecs: -5\n`,
    );
    expect(project.diagnostics).toMatchObject([{ code: "LF1104", file: "loadform.yaml", line: 10, column: 25 }]);
  });

  test("a default does not reach an object of a variant that does not have the field", async () => {
    const defaults = "defaults: { configuration: { rampupSecs: 30, iterations: 5 } }\n";
    const flat = await loadFiles(`${configuration("durationSecs: 5")}${defaults}`);
    expect(flat.diagnostics).toEqual([]);
    expect(nodeAt(flat, smoke).fields).toMatchObject({ rampupSecs: 30, durationSecs: 5 });
    expect(nodeAt(flat, smoke).fields).not.toHaveProperty("iterations");
    const step = await loadFiles(
      `${configuration("profileType: Step, durationSecs: 60, startConcurrentClients: 1, step: 1")}${defaults}`,
    );
    expect(step.diagnostics).toEqual([]);
    expect(nodeAt(step, smoke).fields).not.toHaveProperty("rampupSecs");
    const own = await loadFiles(
      `${configuration("profileType: Step, durationSecs: 60, startConcurrentClients: 1, step: 1, rampupSecs: 1")}${defaults}`,
    );
    expect(own.diagnostics).toMatchObject([{ code: "LF1202", summary: "rampupSecs has no effect" }]);
  });

  test("merge keys: own fields win, then the earlier source", async () => {
    const project = await loadFiles(`testCases:
  a: &a { name: A, description: from a }
  b: &b { name: B, unmanaged: delete }
  c: { <<: [*b, *a], name: C }
  d: { <<: *a, name: D }
`);
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, "testCase.c").fields).toEqual({ name: "C", description: "from a" });
    expect(nodeAt(project, "testCase.c").lifecycle).toEqual({ unmanaged: "delete" });
    expect(nodeAt(project, "testCase.d").fields.description).toBe("from a");
  });

  test("a problem that came by a merge key is found where it is written", async () => {
    const project = await loadFiles("testCases:\n  a: &a { name: A, protect: maybe }\n  b:\n    <<: *a\n    name: B\n");
    expect(project.diagnostics).toMatchObject([{ code: "LF1102", line: 4, column: 29 }]);
  });
});

describe("included files", () => {
  test("add to the project; each is read once, whatever globs match it", async () => {
    const project = await loadFiles(
      'include: ["*.yaml", "load/**/*.yaml", "load/b.yaml"]\ntags: { a: {} }\nmoved: [{ from: tag.x, to: tag.b }]\n',
      {
        files: {
          "load/b.yaml": "tags: { b: {} }\nmoved: [{ from: tag.y, to: tag.c }]\n",
          "load/deep/c.yaml": "tags: { c: { name: '${var:x}' } }\nvariables: { x: { default: C } }\n",
        },
      },
    );
    expect(project.diagnostics).toEqual([]);
    expect([...project.tree.nodes.keys()].sort()).toEqual(["tag.a", "tag.b", "tag.c"]);
    expect(project.moved).toEqual([
      { from: "tag.x", to: "tag.b" },
      { from: "tag.y", to: "tag.c" },
    ]);
    expect(nodeAt(project, "tag.c").fields.name).toBe("C");
  });

  test("are located in themselves", async () => {
    const project = await loadFiles("include: [load/*.yaml]\n", {
      files: { "load/a.yaml": "\ntags:\n  a:\n    name: A\n" },
    });
    expect(project.locate("tag.a", ["name"])).toEqual({ file: "load/a.yaml", line: 4, column: 11 });
    expect(project.locate("tag.a")).toEqual({ file: "load/a.yaml", line: 3, column: 3 });
    expect(project.locate("tag.a", ["nothing"])).toEqual({ file: "load/a.yaml", line: 3, column: 3 });
    expect(project.locate("nothing.a")).toBeUndefined();
  });

  test("are those of the chosen environment where it has an include of its own", async () => {
    const yaml = "include: [a.yaml]\nenvironments: { st: { include: [b.yaml] }, none: { include: null }, as: {} }\n";
    const files = { "a.yaml": "tags: { a: {} }\n", "b.yaml": "tags: { b: {} }\n" };
    const read = async (environment: string) => {
      const project = await loadFiles(yaml, { files, environment });
      expect(project.diagnostics).toEqual([]);
      return [[...project.tree.nodes.keys()], project.inputs?.()?.include];
    };
    expect(await read("")).toEqual([["tag.a"], ["a.yaml"]]);
    expect(await read("as")).toEqual([["tag.a"], ["a.yaml"]]);
    expect(await read("st")).toEqual([["tag.b"], ["b.yaml"]]);
    expect(await read("none")).toEqual([[], []]);
    const { diagnostics } = await loadFiles(yaml.replace("b.yaml", "c.yaml"), { files, environment: "st" });
    expect(diagnostics).toMatchObject([{ code: "LF1004", line: 4, column: 33 }]);
  });

  test("declare no include of an environment, and no default environment where one has an include", async () => {
    const environments = "environments: { two: { include: [x] } }\ndefaultEnvironment: two\n";
    const main = "include: [a.yaml]\nenvironments: { st: { include: [a.yaml] } }\n";
    const { diagnostics } = await loadFiles(main, { files: { "a.yaml": environments } });
    expect(diagnostics).toMatchObject([
      { code: "LF1101", file: "a.yaml", line: 1 },
      { code: "LF1101", file: "a.yaml", line: 2 },
    ]);
  });

  test("whose folder may not be read are no include that leaves the project", async () => {
    const folder = memoryWorkspace({
      "loadform.yaml": 'project: shop\nservice: { url: "memory:" }\ninclude: ["load/*.yaml"]\n',
    });
    const glob = async (patterns: readonly string[]) => {
      if (patterns[0] === "load/*.yaml") throw new Error("EACCES: permission denied, scandir 'load'");
      return folder.glob(patterns);
    };
    const { diagnostics } = await loadFiles("", { workspace: { ...folder, glob } });
    expect(diagnostics).toMatchObject([
      { code: "LF1002", summary: "include load/*.yaml cannot be searched", line: 3, column: 11 },
    ]);
  });

  const whole = 'testCases:\n  a:\n    description: A\n    scenarios: { x: { script: "x()" } }\n';
  const part =
    'testCases:\n  a:\n    scenarios:\n      x: { dataStores: { d: { contents: "" } } }\n      y: { script: "y()" }\n';
  test.each([
    ["before", "load/1.yaml", "load/2.yaml"],
    ["after", "load/2.yaml", "load/1.yaml"],
  ])(
    "carry on with an object that stands %s it when they name only what is below it",
    async (_title, first, second) => {
      const project = await loadFiles("include: [load/*.yaml]\n", { files: { [first]: whole, [second]: part } });
      expect(project.diagnostics).toEqual([]);
      expect([...project.tree.nodes.keys()].sort()).toEqual([
        "testCase.a",
        "testCase.a/scenario.x",
        "testCase.a/scenario.x/dataStore.d",
        "testCase.a/scenario.y",
      ]);
      expect(nodeAt(project, "testCase.a").fields.description).toBe("A");
      expect(project.locate("testCase.a/scenario.y")).toEqual({ file: second, line: 5, column: 7 });
    },
  );

  const notParts: readonly (readonly [string, string, string])[] = [
    ["a field", "testCases: { a: { description: B } }\n", "a"],
    ["a field beside a collection", 'testCases: { a: { unmanaged: keep, gateways: { g: { url: "u" } } } }\n', "a"],
    ["nothing", "testCases: { a: }\n", "a"],
    ["a field of what stands below", 'testCases: { a: { scenarios: { x: { script: "z()" } } } }\n', "x"],
  ];
  test.each(notParts)("say twice what two files say: %s", async (_title, again, key) => {
    const project = await loadFiles("include: [load/*.yaml]\n", {
      files: { "load/1.yaml": whole, "load/2.yaml": again },
    });
    expect(project.diagnostics).toMatchObject([
      {
        code: "LF1005",
        summary: `${key} is declared twice`,
        file: "load/2.yaml",
        detail: expect.stringContaining("load/1.yaml:"),
      },
    ]);
  });
});

describe("the parse cache", () => {
  const cacheOf = (kept: Map<string, string>) => ({
    reads: 0,
    writes: 0,
    async read() {
      this.reads++;
      return new Map(kept);
    },
    async write(parsed: ReadonlyMap<string, string>) {
      this.writes++;
      kept.clear();
      for (const [hash, json] of parsed) kept.set(hash, json);
    },
  });

  test("gives the same project, is written only when something changed, and holds only what is used", async () => {
    const kept = new Map<string, string>();
    const cache = cacheOf(kept);
    const files = { "load/a.yaml": scenario('script: "${file:b.js}"'), "load/b.js": "B" };
    const cold = await loadFiles("include: [load/*.yaml]\n", { cache, files });
    expect([cache.writes, kept.size]).toEqual([1, 2]);
    const warm = await loadFiles("include: [load/*.yaml]\n", { cache, files });
    expect(cache.writes).toBe(1);
    expect([...warm.tree.nodes]).toEqual([...cold.tree.nodes]);
    await loadFiles("include: [load/*.yaml]\ntags: {}\n", { cache, files });
    expect([cache.writes, kept.size]).toEqual([2, 2]);
  });

  test("finds the line of a problem although the file was not parsed", async () => {
    const kept = new Map<string, string>();
    const yaml = "testCases:\n  a:\n    description: ${env:TOKEN}\n";
    await loadFiles(yaml, { cache: cacheOf(kept), env: { TOKEN: "x" } });
    expect(kept.size).toBe(1);
    const project = await loadFiles(yaml, { cache: cacheOf(kept) });
    expect(project.diagnostics).toMatchObject([{ code: "LF1303", line: 5, column: 18 }]);
  });

  test("is not written for a project with errors", async () => {
    const cache = cacheOf(new Map());
    await loadFiles("vcsRoots: { a: { url: https://x.example, password: hunter2 } }\n", { cache });
    expect(cache.writes).toBe(0);
  });
});
