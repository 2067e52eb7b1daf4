import { describe, expect, test } from "vitest";
import { codesOf, loadFiles, nodeAt } from "../../support/load-files.ts";

const api = `parameters:
  path: { required: true }
  users: { type: number, default: 5 }
  hooks: { type: list, default: [] }
testCases:
  main:
    description: "\${param:path} of \${each:key}"
    scenarios:
      call: { script: "get('\${param:path}')" }
    configurations:
      load:
        scenario: main/call
        durationSecs: 60
        concurrentClients: \${param:users}
        providers: [{ provider: grid }]
`;
const grid = "providers: { grid: { providerType: Shared } }\n";

/** A project that uses modules/api.yaml. */
const using = (use: string, files: Readonly<Record<string, string>> = {}) =>
  loadFiles(grid + use, { files: { "modules/api.yaml": api, ...files } });

const shown = (project: Awaited<ReturnType<typeof loadFiles>>) =>
  project.diagnostics.map(({ code, file, line, used }) =>
    [code, `${file}:${line}`, ...(used ?? []).map((each) => `${each.file}:${each.line}`)].join(" "),
  );

describe("a use", () => {
  test("declares the module's test cases under keys of the instance", async () => {
    const project = await using("use: { orders: { module: modules/api.yaml, with: { path: /orders, users: 50 } } }\n");
    expect(project.diagnostics).toEqual([]);
    expect([...project.tree.nodes.keys()]).toEqual([
      "provider.grid",
      "testCase.orders-main",
      "testCase.orders-main/scenario.call",
      "testCase.orders-main/configuration.load",
    ]);
    expect(nodeAt(project, "testCase.orders-main").fields).toEqual({
      name: "orders-main",
      description: "/orders of orders",
    });
    expect(nodeAt(project, "testCase.orders-main/configuration.load").fields).toMatchObject({
      scenario: { ref: "testCase.orders-main/scenario.call" },
      concurrentClients: 50,
    });
  });

  test("gives the same tree as the project written out", async () => {
    const project = await using("use: { a: { module: modules/api.yaml, with: { path: /a } } }\n");
    const plain = await loadFiles(`${grid}testCases:
  a-main:
    description: /a of a
    scenarios: { call: { script: "get('/a')" } }
    configurations:
      load: { scenario: call, durationSecs: 60, concurrentClients: 5, providers: [{ provider: grid }] }
`);
    expect(project.tree).toEqual(plain.tree);
  });

  test("of forEach is one instance for each entry, whose values win over with", async () => {
    const project = await using(`use:
  apis:
    module: modules/api.yaml
    with: { path: /all, users: 7 }
    forEach: { carts: { path: /carts }, orders: }
    patch: { testCases: { main: { description: "patched \${each:key} \${param:users}", configurations: { load: { durationSecs: 30 } } } } }
`);
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, "testCase.carts-main").fields.description).toBe("patched carts 7");
    expect(nodeAt(project, "testCase.orders-main/configuration.load").fields).toMatchObject({
      durationSecs: 30,
      concurrentClients: 7,
    });
    expect([...project.tree.contents.values()]).toEqual(["get('/carts')", "get('/all')"]);
  });

  test("can differ by the environment", async () => {
    const yaml = `use: { orders: { module: modules/api.yaml, with: { path: /orders } } }
environments: { staging: { use: { orders: { with: { users: 3 } } } }, none: { use: { orders: null } } }
`;
    const files = { "modules/api.yaml": api };
    const staging = await loadFiles(grid + yaml, { files, environment: "staging" });
    expect(nodeAt(staging, "testCase.orders-main/configuration.load").fields.concurrentClients).toBe(3);
    const none = await loadFiles(grid + yaml, { files, environment: "none" });
    expect([...none.tree.nodes.keys()]).toEqual(["provider.grid"]);
  });

  test("replaces in keys, and refers to the module's own objects first, then to the project's", async () => {
    const module = `parameters: { name: {} }
testCases:
  main: { scenarios: { "\${param:name}-\${each:key}": { script: own() } } }
  other:
    configurations:
      a: { scenario: "main/\${param:name}-\${each:key}", durationSecs: 1, concurrentClients: 1, providers: [{ provider: { id: 1 } }] }
      b: { scenario: shared/s, durationSecs: 1, concurrentClients: 1, providers: [{ provider: { id: 1 } }] }
`;
    const own =
      "testCases: { main: { scenarios: { x-i: { script: not() } } }, shared: { scenarios: { s: { script: s() } } } }\n";
    const project = await using(`${own}use: { i: { module: m.yaml, with: { name: x } } }\n`, { "m.yaml": module });
    expect(project.diagnostics).toEqual([]);
    const scenarioOf = (key: string) => nodeAt(project, `testCase.i-other/configuration.${key}`).fields.scenario;
    expect(scenarioOf("a")).toEqual({ ref: "testCase.i-main/scenario.x-i" });
    expect(scenarioOf("b")).toEqual({ ref: "testCase.shared/scenario.s" });
  });

  test("of a module in a module has the keys of both", async () => {
    const outer = `parameters: { path: {} }
testCases:
  smoke:
    configurations:
      x: { scenario: in-main/call, durationSecs: 1, concurrentClients: 1, providers: [{ provider: { id: 1 } }] }
use: { in: { module: inner/api.yaml, with: { path: "\${param:path}/in", users: 2 } } }
`;
    const project = await using("use: { out: { module: modules/outer.yaml, with: { path: /o } } }\n", {
      "modules/outer.yaml": outer,
      "modules/inner/api.yaml": api,
    });
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, "testCase.out-in-main").fields.description).toBe("/o/in of in");
    expect(nodeAt(project, "testCase.out-smoke/configuration.x").fields.scenario).toEqual({
      ref: "testCase.out-in-main/scenario.call",
    });
  });

  test("keeps a value from the environment sensitive, and its text out of every message", async () => {
    const project = await loadFiles('use: { a: { module: m.yaml, with: { token: "${env:TOKEN}" } } }\n', {
      env: { TOKEN: "hidden-word" },
      files: { "m.yaml": 'parameters: { token: {} }\ntestCases: { t: { description: "with ${param:token}" } }\n' },
    });
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, "testCase.a-t")).toMatchObject({
      fields: { description: "with hidden-word" },
      sensitive: ["description"],
      sources: { description: "with ${env:TOKEN}" },
    });
    expect(project.secrets).toContain("hidden-word");
  });

  test("reads the files that a module names from the module's folder", async () => {
    const module = `parameters: { script: { default: a } }
testCases: { t: { scenarios: { s: { script: "\${file:scripts/\${param:script}.js}" } } } }
`;
    const files = {
      "modules/m.yaml": module,
      "modules/scripts/a.js": "a()",
      "modules/scripts/b.js": "b()",
      "c.js": "c()",
    };
    const project = await loadFiles(
      "use: { a: { module: modules/m.yaml }, b: { module: modules/m.yaml, with: { script: b } } }\n",
      { files },
    );
    expect(project.diagnostics).toEqual([]);
    expect([...project.tree.contents.values()]).toEqual(["a()", "b()"]);
    const out = await loadFiles("use: { c: { module: modules/m.yaml, with: { script: ../../c } } }\n", { files });
    expect(shown(out)).toEqual(["LF1002 modules/m.yaml:2 loadform.yaml:3"]);
    const literal = await loadFiles("use: { c: { module: modules/m.yaml } }\n", {
      files: { ...files, "modules/m.yaml": 'testCases: { t: { scenarios: { s: { script: "${file:../c.js}" } } } }\n' },
    });
    expect(shown(literal)).toEqual(["LF1002 modules/m.yaml:1 loadform.yaml:3"]);
  });
});

describe("a problem in a module", () => {
  const cases: readonly (readonly [name: string, use: string, module: string, expected: readonly string[]])[] = [
    [
      "a wrong type",
      "a: { module: m.yaml }",
      "testCases: { t: { protect: 5 } }\n",
      ["LF1102 m.yaml:1 loadform.yaml:4"],
    ],
    [
      "an unknown key",
      "a: { module: m.yaml }",
      "testCases:\n  t:\n    scenarios: { s: { scrip: x } }\n",
      ["LF1101 m.yaml:3 loadform.yaml:4"],
    ],
    ["a key that no module has", "a: { module: m.yaml }", "providers: {}\n", ["LF1101 m.yaml:1 loadform.yaml:4"]],
    [
      "an undeclared parameter",
      "a: { module: m.yaml }",
      'testCases: { t: { description: "${param:pth}" } }\n',
      ["LF1311 m.yaml:1 loadform.yaml:4"],
    ],
    ["a parameter that is not given", "a: { module: m.yaml }", "parameters: { p: {} }\n", ["LF1103 loadform.yaml:4"]],
    [
      "a parameter that the module does not have",
      "a: { module: m.yaml, with: { q: 1 } }",
      "parameters: { p: { default: 1 } }\n",
      ["LF1311 loadform.yaml:4"],
    ],
    [
      "a parameter of another type",
      "a: { module: m.yaml, with: { p: many } }",
      "parameters: { p: { type: number } }\n",
      ["LF1102 loadform.yaml:4"],
    ],
    [
      "a default of another type",
      "a: { module: m.yaml }",
      "parameters: { p: { type: number, default: x } }\n",
      ["LF1102 m.yaml:1 loadform.yaml:4"],
    ],
    ["a module that is not there", "a: { module: n.yaml }", "", ["LF1002 loadform.yaml:4"]],
    ["YAML that does not parse", "a: { module: m.yaml }", "a: [\n", ["LF1003 m.yaml:2 loadform.yaml:4"]],
    ["a circle", "a: { module: m.yaml }", "use: { b: { module: m.yaml } }\n", ["LF1310 m.yaml:1 loadform.yaml:4"]],
    ["a path that is not fixed", 'a: { module: "${var:x}.yaml" }', "", ["LF1310 loadform.yaml:4"]],
    [
      "an instance twice",
      "a: { module: m.yaml }\n  b: { module: m.yaml, forEach: { a: } }",
      "testCases: {}\n",
      ["LF1005 loadform.yaml:5"],
    ],
    [
      "a key twice",
      "a: { module: m.yaml }\n  a-b: { module: n.yaml }",
      "testCases: { b-c: }\n",
      ["LF1005 n.yaml:1 loadform.yaml:5"],
    ],
    [
      "an unusable key",
      "a: { module: m.yaml, with: { k: 'x y' } }",
      'parameters: { k: {} }\ntestCases: { "${param:k}": }\n',
      ["LF1105 m.yaml:2 loadform.yaml:4"],
    ],
    [
      "a reference to nothing",
      "a: { module: m.yaml }",
      "testCases: { t: { configurations: { c: { scenario: s, durationSecs: 1, concurrentClients: 1, providers: [{ provider: { id: 1 } }] } } } }\n",
      ["LF1301 m.yaml:1 loadform.yaml:4"],
    ],
    [
      "an unknown variable",
      "a: { module: m.yaml }",
      'testCases: { t: { description: "${var:v}" } }\n',
      ["LF1302 m.yaml:1 loadform.yaml:4"],
    ],
    [
      "an unset variable",
      "a: { module: m.yaml }",
      'testCases: { t: { description: "${env:V}" } }\n',
      ["LF1303 m.yaml:1 loadform.yaml:4"],
    ],
  ];

  test.each(cases)("%s names the line and the use", async (_, use, module, expected) => {
    const files = { "m.yaml": module, "n.yaml": "testCases: { c: }\n" };
    const project = await loadFiles(`use:\n  ${use}\n`, use.includes("n.yaml }") && module === "" ? {} : { files });
    expect(shown(project)).toEqual(expected);
  });

  test("of a parameter is reported once, wherever its value would be", async () => {
    const module = `parameters: { users: { type: number }, region: {}, key: { default: k } }
testCases:
  "t-\${param:key}":
    scenarios: { s: { script: "\${param:region}" } }
    configurations:
      a: { scenario: s, concurrentClients: "\${param:users}", durationSecs: 1, providers: [{ provider: grid, regions: ["\${param:region}"] }] }
      b: { scenario: "\${param:region}", concurrentClients: 1, durationSecs: "\${param:users}", providers: "\${param:region}", profileType: "\${param:region}" }
`;
    const project = await loadFiles(`${grid}use:\n  a: { module: m.yaml, with: { users: many, key: [] } }\n`, {
      files: { "m.yaml": module },
    });
    expect(shown(project)).toEqual(["LF1103 loadform.yaml:5", "LF1102 loadform.yaml:5", "LF1102 loadform.yaml:5"]);
  });

  test("of nested modules names every use, the innermost first", async () => {
    const project = await loadFiles("use:\n  out: { module: a/o.yaml }\n", {
      files: { "a/o.yaml": "use:\n\n  in: { module: i.yaml }\n", "a/i.yaml": "testCases:\n  t: { protect: [] }\n" },
    });
    expect(shown(project)).toEqual(["LF1102 a/i.yaml:2 a/o.yaml:3 loadform.yaml:4"]);
  });

  test("that a patch makes is in the patch", async () => {
    const project = await loadFiles("use:\n  a: { module: m.yaml, patch: { testCases: { t: { protect: [] } } } }\n", {
      files: { "m.yaml": "testCases: { t: }\n" },
    });
    expect(shown(project)).toEqual(["LF1102 loadform.yaml:4 loadform.yaml:4"]);
  });

  test.each([
    ["a wrong type", "testCases: { t: { protect: 5 } }\n", "LF1102"],
    ["an unset variable", 'testCases: { t: { description: "${env:V}" } }\n', "LF1303"],
    ["an undeclared parameter", 'testCases: { t: { description: "${param:pth}" } }\n', "LF1311"],
  ])("of several instances is said at the first, with how many have it: %s", async (_, module, code) => {
    const project = await loadFiles("use:\n  a: { module: m.yaml }\n  b: { module: m.yaml, forEach: { c: , d: } }\n", {
      files: { "m.yaml": module },
    });
    expect(shown(project)).toEqual([`${code} m.yaml:1 loadform.yaml:4`]);
    expect(project.diagnostics[0]?.detail).toMatch(/\. 3 instances have this problem$/);
  });

  test.each([
    ["another key of its object", "main/cal", "main/call"],
    ["another key of its test case", "mian/call", "main/call"],
    ["a key beside it", "cal", "call"],
    ["an object of a module that it uses", "in-part/brose", "in-part/browse"],
    ["an object under a key of a parameter", "k-${param:key}/rnu", "k-${param:key}/run"],
    ["an object of the project", "hop/find", "shop/find"],
  ])("with a reference is said once, in the module's words: %s", async (_, found, instead) => {
    const load = `{ scenario: "${found}", durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 } }] }`;
    const files = {
      "m.yaml": `parameters: { key: {} }
testCases:
  main: { scenarios: { call: { script: "a()" } }, configurations: { load: ${load} } }
  "k-\${param:key}": { scenarios: { run: { script: "a()" } } }
use: { in: { module: part.yaml } }
`,
      "part.yaml": 'testCases: { part: { scenarios: { browse: { script: "a()" } } } }\n',
    };
    const project = await loadFiles(
      `use:
  a: { module: m.yaml, with: { key: x } }
  a-in: { module: m.yaml, with: { key: y } }
testCases: { shop: { scenarios: { find: { script: "a()" } } } }
`,
      { files },
    );
    const [problem, ...more] = project.diagnostics;
    expect(more).toEqual([]);
    expect(shown(project)).toEqual(["LF1301 m.yaml:3 loadform.yaml:4"]);
    expect(problem).toMatchObject({ suggestion: { found, instead } });
    expect(problem?.summary).toBe(`no scenario ${found} in this project`);
    expect(problem?.detail).toMatch(/Did you mean .*\? 2 instances have this problem$/);
  });

  test("of several instances is said where another module cannot be read, too", async () => {
    const files = { "m.yaml": 'testCases: { t: { description: "${param:pth}" } }\n' };
    const uses = "use:\n  a: { module: m.yaml }\n  b: { module: m.yaml }\n  c: { module: n.yaml }\n";
    const project = await loadFiles(uses, { files });
    expect(shown(project)).toEqual(["LF1002 loadform.yaml:6", "LF1311 m.yaml:1 loadform.yaml:4"]);
  });

  test("says a parameter that is given null, which has no default, as missing; another one has its default", async () => {
    const uses = "use: { a: { module: modules/api.yaml, with: { path: /a, users: null } } }\n";
    const project = await using(uses);
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, "testCase.a-main/configuration.load").fields).toMatchObject({ concurrentClients: 5 });
    expect(codesOf(await using(uses.replace("path: /a", "path: null")))).toEqual(["LF1103"]);
    const entry =
      "use: { a: { module: modules/api.yaml, with: { path: /a, users: 2 }, forEach: { b: { users: null } } } }\n";
    expect(nodeAt(await using(entry), "testCase.b-main/configuration.load").fields).toMatchObject({
      concurrentClients: 5,
    });
  });

  test("suggests the parameter that was meant", async () => {
    const project = await using("use: { a: { module: modules/api.yaml, with: { path: /a, user: 5 } } }\n");
    expect(project.diagnostics.map(({ detail }) => detail)).toEqual([expect.stringContaining("Did you mean users?")]);
  });
});

test("${param:…} outside of modules is left alone with a warning", async () => {
  const project = await loadFiles('testCases: { t: { description: "a ${param:x} ${each:key}" } }\n');
  expect(codesOf(project)).toEqual(["LF1204", "LF1204"]);
  expect(nodeAt(project, "testCase.t").fields.description).toBe("a ${param:x} ${each:key}");
});
