import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadProject, type Project } from "../../src/config/load-project.ts";
import { kinds } from "../../src/kinds/index.ts";
import { diskWorkspace } from "../../src/workspace/disk-workspace.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { codesOf, loadFiles } from "../support/load-files.ts";
import { loadProgram } from "../support/load-program.ts";

const shop = `testCases:
  checkout:
    scenarios:
      browse: { script: "run();" }
    configurations:
      smoke: &load { scenario: browse, concurrentClients: 5, durationSecs: 60, providers: [{ provider: { id: 0 }, numRegions: 1 }] }
      peak: *load
`;

/** Gates in a file of their own, so that lines count from theirs. */
const gatesIn = (gates: string, main = "", options: Parameters<typeof loadFiles>[1] = {}): Promise<Project> =>
  loadFiles(`include: [gates.yaml]\n${main}${shop}`, { ...options, files: { "gates.yaml": gates } });

const at = ({ diagnostics }: Project) =>
  diagnostics.map(({ severity, code, file, line, column }) => [severity, code, `${file}:${line}:${column}`].join(" "));

const gate = (members: string) => `gates:\n  release:\n    configuration: checkout/smoke\n${members}`;

describe("a gate", () => {
  it("in an included file is read with all its parts", async () => {
    const project = await gatesIn(
      gate(`    kpis:
      - Outcome[success] > 95%
      - { expr: "firstReceivedMs[p95] < 1s", breakOnFail: true, resource: "GET */checkout*" }
    noWorse: { "firstReceivedMs[p95]": [+10%, +20ms], "Outcome[success]": -0.5pp, count: -5, throughput: -0 }
    baseline: { last: 5 }
    minimum: { requests: 1000 }
    endedEarly: allow
    tags: [release-gate]
    waitSecs: 3600
`),
    );
    expect(project.diagnostics).toEqual([]);
    expect(project.gates).toMatchObject([
      {
        ...{ name: "release", address: "testCase.checkout/configuration.smoke", baseline: { is: "last", count: 5 } },
        ...{ minimumRequests: 1000, mayEndEarly: true, tags: ["release-gate"], waitSecs: 3600 },
        kpis: [
          { expr: "Outcome[success] > 95%", breakOnFail: false, kpi: { threshold: 95, unit: "%" } },
          { expr: "firstReceivedMs[p95] < 1s", breakOnFail: true, resource: "GET */checkout*" },
        ],
        noWorse: [
          {
            metric: "firstReceivedMs[p95]",
            allowances: [
              { sign: 1, amount: 10, unit: "%" },
              { amount: 20, unit: "ms" },
            ],
          },
          { metric: "Outcome[success]", allowances: [{ sign: -1, amount: 0.5, unit: "pp" }] },
          { metric: "count", allowances: [{ sign: -1, amount: 5 }] },
          { metric: "throughput", allowances: [{ sign: -1, amount: 0 }] },
        ],
      },
    ]);
    expect(project.locateKpi?.("release", 1)).toEqual({ file: "gates.yaml", line: 6, column: 9 });
  });

  it.each(["checkout/smoke", "testCase.checkout/configuration.smoke"])("is about %s", async (configuration) => {
    const { gates } = await gatesIn(`gates: { release: { configuration: ${configuration} } }`);
    expect(gates).toMatchObject([{ address: "testCase.checkout/configuration.smoke", kpis: [], minimumRequests: 1 }]);
  });

  it.each([
    ["previous", { is: "previous" }],
    ["none", { is: "none" }],
    ["{ tag: nightly }", { is: "tag", tag: "nightly" }],
    ["{ execution: 7 }", { is: "execution", id: 7 }],
  ])("has the baseline %s", async (baseline, expected) => {
    const { gates } = await gatesIn(gate(`    baseline: ${baseline}\n`));
    expect(gates).toMatchObject([{ baseline: expected }]);
  });

  it("is patched by an environment", async () => {
    const staging = 'environments:\n  staging: { gates: { release: { kpis: ["count > 9"], waitSecs: 60 } } }\n';
    const project = await gatesIn(gate("    kpis: [count > 5]\n    tags: [a]\n"), staging, { environment: "staging" });
    expect(project.diagnostics).toEqual([]);
    expect(project.gates).toMatchObject([{ kpis: [{ expr: "count > 9" }], waitSecs: 60, tags: ["a"] }]);
    expect(project.locateKpi?.("release", 0)).toMatchObject({ file: "loadform.yaml", line: 5 });
  });

  it("takes values of variables", async () => {
    const variables = "variables:\n  slow: { default: 300 }\n  least: { default: 7 }\n";
    const gates = gate(
      '    kpis: ["firstReceivedMs[p95] < ${var:slow}ms"]\n    minimum: { requests: "${var:least}" }\n',
    );
    const project = await gatesIn(gates, variables, { vars: { slow: "250" } });
    expect(project.diagnostics).toEqual([]);
    expect(project.gates).toMatchObject([{ kpis: [{ expr: "firstReceivedMs[p95] < 250ms" }], minimumRequests: 7 }]);
  });

  it("comes from a program", async () => {
    const root = mkdtempSync(join(tmpdir(), "loadform-gates-"));
    writeFileSync(
      join(root, "loadform.config.ts"),
      `import { App, Configuration, Scenario, TestCase } from "loadform";
const app = new App({
  project: "shop",
  service: { url: "memory:" },
  gates: {
    release: {
      configuration: "checkout/smoke",
      kpis: ["count > 5", { expr: "firstReceivedMs[p95] < 1s", breakOnFail: true }],
      noWorse: { count: ["-5%", -3] },
      baseline: { last: 3 },
    },
  },
});
const checkout = new TestCase(app, "checkout");
const browse = new Scenario(checkout, "browse", { script: "run();" });
new Configuration(checkout, "smoke", { scenario: browse, concurrentClients: 5, durationSecs: 60,
  providers: [{ provider: { id: 0 }, numRegions: 1 }] });
export default app;
`,
    );
    const project = await loadProject({
      ...{ workspace: diskWorkspace(root), kinds, env: {}, vars: {}, unsetEnv: "error", hash: sha256 },
      loadModule: loadProgram,
    });
    expect(project.diagnostics).toEqual([]);
    expect(project.gates).toMatchObject([
      {
        ...{ name: "release", address: "testCase.checkout/configuration.smoke", baseline: { is: "last", count: 3 } },
        kpis: [{ expr: "count > 5" }, { breakOnFail: true }],
        noWorse: [
          {
            metric: "count",
            allowances: [
              { sign: -1, amount: 5, unit: "%" },
              { sign: -1, amount: 3 },
            ],
          },
        ],
      },
    ]);
  });
});

describe("a KPI that cannot be read is an error at its column", () => {
  it.each([
    ["plain", "    kpis:\n      - count > 5 %\n", "5:19"],
    ["quoted", '    kpis:\n      - "count > 5 %"\n', "5:20"],
    ["in a flow", "    kpis: [count > 5, count > 5 %]\n", "4:33"],
    ["as an object", "    kpis:\n      - { expr: count > 5 %, breakOnFail: true }\n", "5:27"],
    ["as a block", "    kpis:\n      - >-\n        count > 5 %\n", "5:9"],
    ["with an escape", '    kpis:\n      - "count\\x20> 5 %"\n', "5:9"],
  ])("%s", async (_, members, place) => {
    const project = await gatesIn(gate(members));
    expect(at(project)).toEqual([`error LF1207 gates.yaml:${place}`]);
    expect(project.gates).toEqual([]);
  });

  it.each([
    ["count >> 5", "6:16", "expected a finite number"],
    ["count < 1e400", "6:17", "expected a finite number"],
    ["count", "6:14", "found no comparison"],
    ["count[p95 < 5", "6:14", 'without its "]"'],
    ["firstReceivedMs < 5", "6:24", "without a selector"],
    ["firstReceivedMs[p95] < 5%", "6:33", "expected ms or s"],
    ["Outcome[success] > 95 s", "6:31", "expected none"],
  ])("%s", async (expr, place, detail) => {
    const project = await gatesIn(gate(`    kpis:\n      - count > 5\n      - ${expr}\n`));
    expect(at(project)).toEqual([`error LF1207 gates.yaml:${place}`]);
    expect(project.diagnostics[0]?.detail).toContain(detail);
  });
});

describe("bad input", () => {
  it.each([
    [
      "gates: { release: { configuration: checkout/smoek } }",
      "error LF1301 gates.yaml:1:36",
      "Did you mean checkout/smoke?",
    ],
    [
      "gates: { release: { configuration: testCase.checkout/configuration.smok } }",
      "error LF1301 gates.yaml:1:36",
      "Did you mean testCase.checkout/configuration.smoke?",
    ],
    [
      "gates: { release: { configuration: testCase.checkout } }",
      "error LF1301 gates.yaml:1:36",
      "A gate is about one configuration",
    ],
    [gate("    baseline: newest\n"), "error LF1207 gates.yaml:4:15", 'found "newest"'],
    [gate("    baseline: { last: 3, tag: a }\n"), "error LF1207 gates.yaml:4:5", "one of { last: N }"],
    [gate("    baseline: {}\n"), "error LF1207 gates.yaml:4:5", "one of { last: N }"],
    [gate("    noWorse: { count: ten }\n"), "error LF1207 gates.yaml:4:23", 'found "ten"'],
    [gate("    noWorse: { count: [+5%, +1ms] }\n"), "error LF1207 gates.yaml:4:29", "found the unit ms; expected none"],
    [gate("    noWorse: { count: 5% }\n"), "error LF1207 gates.yaml:4:23", "expected a sign"],
    [gate("    noWorse: { count: [+5%, -5%] }\n"), "error LF1207 gates.yaml:4:16", "expected one sign"],
    [gate("    noWorse: { count: [] }\n"), "error LF1207 gates.yaml:4:16", "expected at least one allowance"],
    [gate('    noWorse: { "outcome[success": -1pp }\n'), "error LF1207 gates.yaml:4:24", 'without its "]"'],
    [gate("    noWorse: { firstReceivedMs: +5% }\n"), "error LF1207 gates.yaml:4:16", "without a selector"],
    [
      gate('    noWorse: { "Outcome[success]": -1ms }\n'),
      "error LF1207 gates.yaml:4:36",
      "expected pp for this figure",
    ],
  ])("%s", async (gates, place, detail) => {
    const project = await gatesIn(gates);
    expect(at(project)).toEqual([place]);
    expect(project.diagnostics[0]?.detail).toContain(detail);
    expect(project.gates).toEqual([]);
  });

  it.each([
    ["gates: [release]\n", "gates.yaml:1:1"],
    ["gates: { release: checkout/smoke }\n", "gates.yaml:1:19"],
    ["gates: { release: { kpis: [count > 5] } }\n", "gates.yaml:1:10"],
    [gate("    kpi: [count > 5]\n"), "gates.yaml:4:5"],
    [gate("    kpis: count > 5\n"), "gates.yaml:4:11"],
    [gate("    kpis: [5]\n"), "gates.yaml:4:12"],
    [gate("    kpis: [{ breakOnFail: true }]\n"), "gates.yaml:4:12"],
    [gate("    kpis: [{ expr: count > 5, breakOnFail: maybe }]\n"), "gates.yaml:4:44"],
    [gate("    kpis: [{ expr: count > 5, resources: a }]\n"), "gates.yaml:4:31"],
    [gate("    minimum: 5\n"), "gates.yaml:4:14"],
    [gate("    minimum: { requests: many }\n"), "gates.yaml:4:26"],
    [gate("    minimum: { requests: -1 }\n"), "gates.yaml:4:26"],
    [gate("    baseline: { last: 0 }\n"), "gates.yaml:4:23"],
    [gate("    baseline: { execution: abc }\n"), "gates.yaml:4:28"],
    [gate("    waitSecs: soon\n"), "gates.yaml:4:15"],
    [gate("    endedEarly: deny\n"), "gates.yaml:4:17"],
    [gate("    tags: [[a]]\n"), "gates.yaml:4:12"],
    [gate("    noWorse: [count]\n"), "gates.yaml:4:5"],
    [gate("    noWorse: { count: { a: 1 } }\n"), "gates.yaml:4:16"],
  ])("of another shape: %s", async (gates, place) => {
    const project = await gatesIn(gates);
    expect(project.diagnostics.map(({ file, line, column }) => `${file}:${line}:${column}`)).toEqual([place]);
    expect(project.diagnostics[0]?.severity).toBe("error");
  });

  it("names a wrong member with the right one", async () => {
    const { diagnostics } = await gatesIn(gate("    noworse: { count: +5% }\n"));
    expect(`${diagnostics[0]?.summary} ${diagnostics[0]?.detail}`).toContain("noWorse");
  });

  it.each([
    [gate("    kpis:\n      - fristReceivedMs[p95] < 5\n"), "5:9"],
    [gate("    kpis:\n      - firstReceivedMs[p90] < 5\n"), "5:9"],
    [gate("    noWorse: { cuont: +5% }\n"), "4:16"],
  ])("that may be right is a warning: %s", async (gates, place) => {
    const project = await gatesIn(gates);
    expect(at(project)).toEqual([`warning LF1208 gates.yaml:${place}`]);
    expect(project.gates).toHaveLength(1);
  });

  it("in one gate leaves the others", async () => {
    const project = await gatesIn(
      "gates:\n  a: { configuration: checkout/smoke, kpis: [count] }\n  b: { configuration: checkout/peak }\n",
    );
    expect(project.gates.map(({ name }) => name)).toEqual(["b"]);
  });

  it("of a secret is told without its value", async () => {
    const project = await gatesIn(gate('    kpis: ["count > ${env:LIMIT}"]\n'), "", {
      env: { LIMIT: "hunter2-token" },
    });
    expect(codesOf(project)).toEqual(["LF1207"]);
    expect(JSON.stringify(project.diagnostics)).not.toContain("hunter2");
  });

  it("of an unset variable of the environment is told once", async () => {
    expect(codesOf(await gatesIn(gate('    kpis: ["count > ${env:LIMIT}"]\n')))).toEqual(["LF1303"]);
  });

  it.each([
    '    kpis: ["count > ${env:LIMIT}"]\n',
    '    minimum: { requests: "${env:LIMIT}" }\n',
    '    baseline: "${env:LIMIT}"\n',
    '    noWorse: { count: "${env:LIMIT}" }\n',
  ])("of an unset variable leaves a gate that nothing is judged by: %s", async (members) => {
    const project = await gatesIn(gate(members), "", { unsetEnv: "warning" });
    expect(at(project).map((each) => each.slice(0, 14))).toEqual(["warning LF1303"]);
    expect(project.gates).toMatchObject([{ name: "release", isUnset: true, kpis: [] }]);
  });
});
