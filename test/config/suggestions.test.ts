import { describe, expect, test } from "vitest";
import { isHint, loadFiles } from "../support/load-files.ts";
import { quickFix } from "../support/quick-fix.ts";

type Files = Readonly<Record<string, string>>;

const head = 'project: shop\nservice: { url: "memory:" }\n';
const script = '{ script: "get()" }';
const load = (members = "") =>
  `{ scenario: browse, durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 } }]${members} }`;
const shop = `testCases:\n  checkout:\n    scenarios: { browse: ${script} }\n    configurations: { smoke: ${load()} }\n`;
const module = `parameters: { users: { default: 5 } }\ntestCases:\n  api: { description: "\${param:users}" }\n`;
const use = "use: { orders: { module: m/api.yaml } }\n";

/** The place of a suggestion in a project: its code, the file that is corrected, the word and the one that is meant. */
const samples: readonly (readonly [string, Files, string])[] = [
  [
    "LF1002",
    { "loadform.yaml": 'testCases: { a: { scenarios: { b: { script: "${file:s/brwse.js}" } } } }', "s/browse.js": "" },
    "s/brwse.js to s/browse.js",
  ],
  [
    "LF1002",
    {
      "loadform.yaml": "include: [load/*.yaml]",
      "load/a.yaml": "testCases:\n  a:\n    scenarios:\n      b:\n        script: ${file:../s/brwse.js}\n",
      "s/browse.js": "",
    },
    "../s/brwse.js to ../s/browse.js",
  ],
  [
    "LF1002",
    {
      "loadform.yaml": "include: [load/*.yaml]",
      "load/a.yaml": 'testCases: { a: { scenarios: { b: { script: "${file:browse.js}" } } } }',
      "s/browse.js": "",
    },
    "browse.js to ../s/browse.js",
  ],
  ["LF1002", { "loadform.yaml": use.replace("api.yaml", "ap.yaml"), "m/api.yaml": module }, "m/ap.yaml to m/api.yaml"],
  ["LF1002", { "loadform.yaml": use.replace("api.yaml", "apj"), "m/api.yaml": module }, "m/apj to m/api.yaml"],
  [
    "LF1002",
    { "loadform.yaml": use.replace("m/api.yaml", "api.yaml"), "m/api.yaml": module },
    "api.yaml to m/api.yaml",
  ],
  [
    "LF1002",
    {
      "loadform.yaml": use,
      "m/api.yaml": "use: { part: { module: ../parts/pat.yaml } }",
      "parts/part.yaml": "testCases: {}",
    },
    "../parts/pat.yaml to ../parts/part.yaml",
  ],
  [
    "LF1002",
    {
      "loadform.yaml": `${use}environments: { s: { use: { orders: { module: m/ordrs.yaml } } } }\ndefaultEnvironment: s`,
      "m/api.yaml": module,
      "m/orders.yaml": module,
    },
    "m/ordrs.yaml to m/orders.yaml",
  ],
  [
    "LF1004",
    { "loadform.yaml": "include: [laod/*.yaml]", "load/a.yaml": "testCases: {}" },
    "laod/*.yaml to load/*.yaml",
  ],
  [
    "LF1004",
    { "loadform.yaml": "include: [load/shp.yaml]", "load/shop.yaml": "testCases: {}" },
    "load/shp.yaml to load/shop.yaml",
  ],
  ["LF1101", { "loadform.yaml": "testCases: { a: { descripton: x } }" }, "descripton to description"],
  ["LF1104", { "loadform.yaml": "variables: { a: { type: numbr, default: 1 } }" }, "numbr to number"],
  [
    "LF1204",
    { "loadform.yaml": 'testCases: { a: { description: "${vars:b}" } }\nvariables: { b: { default: x } }' },
    "${vars:b} to ${var:b}",
  ],
  [
    "LF1204",
    { "loadform.yaml": "testCases: { a: { scenarios: { b: { script: s/b.js } } } }", "s/b.js": "" },
    "s/b.js to ${file:s/b.js}",
  ],
  [
    "LF1204",
    { "loadform.yaml": `${shop}environments: { s: { testCases: { chekout: { description: x } } } }` },
    "chekout to checkout",
  ],
  [
    "LF1201",
    { "loadform.yaml": 'providers: { a: { metadata: { cloudAccesKeyId: "${env:A}" } } }' },
    "cloudAccesKeyId to cloudAccessKeyId",
  ],
  [
    "LF1204",
    { "loadform.yaml": use, "m/api.yaml": module.replace("param:", "params.") },
    "${params.users} to ${param:users}",
  ],
  [
    "LF1204",
    { "loadform.yaml": use, "m/api.yaml": module.replace("param:users", "each:kay") },
    "${each:kay} to ${each:key}",
  ],
  [
    "LF1204",
    {
      "loadform.yaml": `${use}environments: { s: { use: { ordrs: { with: { users: 3 } } } } }`,
      "m/api.yaml": module,
    },
    "ordrs to orders",
  ],
  [
    "LF1204",
    {
      "loadform.yaml":
        "use: { all: { module: m/api.yaml, forEach: { orders: , carts: } } }\nenvironments: { s: { use: { all: { forEach: { cart: { users: 3 } } } } } }",
      "m/api.yaml": module,
    },
    "cart to carts",
  ],
  [
    "LF1208",
    { "loadform.yaml": `${shop}gates: { g: { configuration: checkout/smoke, kpis: ["Outcom[success] > 5%"] } }` },
    "Outcom to outcome",
  ],
  [
    "LF1208",
    {
      "loadform.yaml": `${shop}gates: { g: { configuration: checkout/smoke, kpis: [{ expr: "Outcome[sucess] > 5%" }] } }`,
    },
    "sucess to success",
  ],
  [
    "LF1208",
    {
      "loadform.yaml": `${shop}gates: { g: { configuration: checkout/smoke, noWorse: { "firstRecevedMs[p95]": 5% } } }`,
    },
    "firstRecevedMs to firstReceivedMs",
  ],
  ["LF1301", { "loadform.yaml": shop.replace("scenario: browse", "scenario: brwose") }, "brwose to browse"],
  [
    "LF1301",
    { "loadform.yaml": shop.replace("scenario: browse", "scenario: checkout/brwose") },
    "checkout/brwose to checkout/browse",
  ],
  [
    "LF1301",
    {
      "loadform.yaml": "use: { a: { module: m/api.yaml }, b: { module: m/api.yaml } }",
      "m/api.yaml": shop.replace("scenario: browse", "scenario: chekout/browse"),
    },
    "chekout/browse to checkout/browse",
  ],
  [
    "LF1301",
    { "loadform.yaml": `${shop}gates: { g: { configuration: checkout/smok } }` },
    "checkout/smok to checkout/smoke",
  ],
  [
    "LF1302",
    {
      "loadform.yaml": 'variables: { users: { default: 1 } }\ntestCases: { a: { description: "my user ${var:user}" } }',
    },
    "user to users",
  ],
  [
    "LF1302",
    {
      "loadform.yaml":
        "variables: { users: { default: 1 } }\ntestCases:\n  a:\n    description: >-\n      my\n      ${var:user}\n    name: user\n",
    },
    "user to users",
  ],
  ["LF1304", { "loadform.yaml": "defaultEnvironment: stagin\nenvironments: { staging: {} }" }, "stagin to staging"],
  [
    "LF1306",
    { "loadform.yaml": `${shop}moved: [{ from: testCase.old, to: testCase.chekout }]` },
    "testCase.chekout to testCase.checkout",
  ],
  ["LF1311", { "loadform.yaml": use.replace(" }", ", with: { user: 3 } }"), "m/api.yaml": module }, "user to users"],
  [
    "LF1311",
    {
      "loadform.yaml": `${use}environments: { s: { use: { orders: { with: { user: 3 } } } } }\ndefaultEnvironment: s\n`,
      "m/api.yaml": module,
    },
    "user to users",
  ],
  ["LF1311", { "loadform.yaml": use, "m/api.yaml": module.replace("param:users", "param:user") }, "user to users"],
];

const problemsOf = async ({ "loadform.yaml": main = "", ...files }: Files) =>
  (await loadFiles(head + main, { files, env: { A: "x" } })).diagnostics;

describe("a problem that says what was meant", () => {
  test.each(samples)("%s %# is mended by its suggestion", async (code, files, words) => {
    const [problem, ...more] = (await problemsOf(files)).filter(isHint);
    expect([problem?.code, more]).toEqual([code, []]);
    const { file = "" } = problem ?? {};
    const written = file === "loadform.yaml" ? head + files[file] : (files[file] ?? "");
    const fixed = problem && quickFix(written, problem);
    expect(fixed?.title).toBe(`Change ${words}`);
    const rest = await problemsOf({ ...files, [file]: fixed?.text.replace(head, "") ?? "" });
    expect(rest.filter((each) => each.code === code || isHint(each))).toEqual([]);
  });

  test("is not mended by a path of another folder than the one that is listed", async () => {
    const outside = { "loadform.yaml": use.replace("m/api", "../m/api"), "m/api.yaml": module };
    const found = await problemsOf(outside);
    expect(found.map(({ code, detail }) => [code, detail.includes("Did you mean")])).toEqual([["LF1002", false]]);
  });
});

describe("a required field that is missing", () => {
  const block = `testCases:
  checkout:
    scenarios:
      browse: ${script}
    configurations:
      # At night.
      smoke:
        scenario: browse # the only one
        durationSecs: 60
        concurrentClients: 1

tags: { a: {} }
`;
  test.each([
    ["of an object in lines", block, block.replace("Clients: 1\n", "Clients: 1\n        providers: []\n")],
    [
      "of an object in lines that end in two characters",
      block.replaceAll("\n", "\r\n"),
      block.replace("Clients: 1\n", "Clients: 1\n        providers: []\n").replaceAll("\n", "\r\n"),
    ],
    [
      "of an object in brackets",
      "testCases: { a: { scenarios: { b: { language: javascript } } } }\n",
      'testCases: { a: { scenarios: { b: { language: javascript, script: "${file:scripts/browse.js}" } } } }\n',
    ],
    [
      "of an empty object",
      "testCases: { a: { scenarios: { b: {} } } }\n",
      'testCases: { a: { scenarios: { b: { script: "${file:scripts/browse.js}" } } } }\n',
    ],
    [
      "of an item of a list",
      shop.replace("provider: { id: 0 }", "regions: []"),
      shop.replace("provider: { id: 0 }", 'regions: [], provider: ""'),
    ],
    ["of a use", "use: { a: { with: { b: 1 } } }\n", "use: { a: { with: { b: 1 }, module: modules/api-test.yaml } }\n"],
  ])("is added by the quick fix: %s", async (_, before, after) => {
    const [missing, ...more] = (await problemsOf({ "loadform.yaml": before })).filter(({ code }) => code === "LF1103");
    expect(more).toEqual([]);
    const fixed = missing && quickFix(head + before, missing);
    expect(fixed?.title).toBe(`Add ${missing?.missing?.name}`);
    expect(fixed?.text).toBe(head + after);
    const rest = await problemsOf({ "loadform.yaml": after });
    expect(rest.filter(({ code }) => code === "LF1103")).toEqual([]);
  });

  test("is not added where two objects have its place", async () => {
    const text = shop.replace("[{ provider: { id: 0 } }]", "[x: {}]");
    const missing = (await problemsOf({ "loadform.yaml": text })).find(({ code }) => code === "LF1103");
    expect(missing?.missing).toEqual({ name: "provider", value: "" });
    expect(missing && quickFix(head + text, missing)).toBeUndefined();
  });
});
