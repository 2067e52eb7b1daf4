import { describe, expect, test } from "vitest";
import { scriptProblems } from "../../../src/config/check-scripts.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { codes } from "../../../src/model/codes.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { loadFiles } from "../../support/load-files.ts";

const configuration = "scenario: call, durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 } }]";
const scenarios = 'scenarios: { call: { script: "a()", paramsConfig: [{ name: host, required: true }] } }';
const load = (members: string) => `{ ${scenarios}, configurations: { load: { ${members} } } }`;

interface Sample {
  /** The test case `api`, in the module's third line. */
  readonly api: string;
  readonly parameters?: string;
  /** What the use gives. */
  readonly given?: string;
  readonly rest?: string;
  /** The problem's line in the module where it is another one. */
  readonly line?: number;
}

/** One problem within a module for each code that a module can have. */
const samples: Readonly<Record<string, Sample>> = {
  LF1002: { api: '{ scenarios: { call: { script: "${file:none.js}" } } }' },
  LF1003: { api: "{ scenarios: [", line: 4 },
  LF1005: {
    api: '{ scenarios: { a: { script: "a()" }, "${param:key}": { script: "b()" } } }',
    parameters: "key: {}",
    given: "key: a",
  },
  LF1101: { api: "{ descripton: x }" },
  LF1102: { api: "{ description: [1] }" },
  LF1103: { api: load("scenario: call, durationSecs: 60, concurrentClients: 1") },
  LF1104: { api: load(`${configuration}, iterationSleepSecs: -1`) },
  LF1105: { api: '{ scenarios: { "a b": { script: "a()" } } }' },
  LF1201: { api: load("scenario: call, durationSecs: 60, providers: [{ provider: { id: 0 } }]") },
  LF1202: { api: load(configuration.replace("60", "0")) },
  LF1203: {
    api: load(`${configuration}, scriptParams: { key: open }`).replace(
      "required: true",
      "required: true }, { name: key, encrypted: true",
    ),
  },
  LF1204: { api: '{ description: "${params.path}" }' },
  LF1205: { api: load(configuration) },
  LF1206: { api: '{ scenarios: { call: { script: "a(" } } }' },
  LF1301: { api: load(configuration.replace("call", "none")) },
  LF1302: { api: '{ description: "${var:none}" }' },
  LF1303: { api: '{ description: "${env:NONE}" }' },
  LF1310: { api: "{}", rest: "use: { self: { module: api.yaml } }\n", line: 4 },
  LF1311: { api: '{ description: "${param:none}" }' },
};

/** Codes of problems that are never within a module. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  "of the project's main file": ["LF1001", "LF1004", "LF1011", "LF1304", "LF1305", "LF1306", "LF1309"],
  "of gates, which a module does not have": ["LF1207", "LF1208"],
  "of programs, which have no modules": ["LF1006", "LF1010", "LF1307", "LF1308"],
  "of a command that writes files": ["LF1007", "LF1008", "LF1009"],
};

async function problemsOf({ api, parameters = "", given = "", rest = "" }: Sample): Promise<readonly Diagnostic[]> {
  const files = {
    "m/api.yaml": `parameters: { ${parameters} }\ntestCases:\n  api: ${api}\n${rest}`,
    "m/outer.yaml": `use:\n  in: { module: api.yaml, with: { ${given} } }\n`,
  };
  const project = await loadFiles("use:\n  one: { module: m/outer.yaml }\n", { files });
  return [...project.diagnostics, ...(await scriptProblems(project, kinds))];
}

describe("a problem in a module", () => {
  test.each(Object.entries(samples))("%s names its line there and the uses that led to it", async (code, sample) => {
    const [found] = (await problemsOf(sample)).filter((each) => each.code === code);
    const { file, line, used = [] } = found ?? {};
    expect([`${file}:${line}`, ...used.map((at) => `${at.file}:${at.line}`)]).toEqual([
      ...[`m/api.yaml:${sample.line ?? 3}`, "m/outer.yaml:2", "loadform.yaml:4"],
    ]);
  });

  test("has a sample here for every code of projects", () => {
    const known = [...Object.keys(samples), ...Object.values(elsewhere).flat()];
    expect(known.sort()).toEqual(Object.keys(codes).filter((code) => code.startsWith("LF1")));
  });
});

test("an object of which a patch changes a part is at its line of the module", async () => {
  const patch = "{ testCases: { t: { description: other, gateways: { g: { url: 'https://a.example' } } } } }";
  const project = await loadFiles(`use:\n  a: { module: m.yaml, patch: ${patch} }\n`, {
    files: { "m.yaml": "testCases:\n  t: { name: mine }\n" },
  });
  const places = [project.locate("testCase.a-t"), project.locate("testCase.a-t", ["description"])];
  expect(places.map((place) => `${place?.file}:${place?.line}`)).toEqual(["m.yaml:2", "loadform.yaml:4"]);
  expect(project.locate("testCase.a-t/gateway.g")).toMatchObject({ file: "loadform.yaml", line: 4 });
});

describe("a key that is made of a parameter", () => {
  const inner = `parameters: { users: { type: number, required: true } }
testCases:
  t: { scenarios: { s: { script: "a()" } }, description: "u\${param:users}" }
`;
  const outer = (entry: string) => `parameters: { n: { type: number, required: true } }
use:
  "in\${param:n}": { module: i.yaml, with: { users: 1 } }
  each:
    module: i.yaml
    forEach:
      "\${each:key}-\${param:n}": { ${entry} }
`;
  const using = (entry: string) =>
    loadFiles("use:\n  a: { module: o.yaml, with: { n: 3 } }\n", {
      files: { "o.yaml": outer(entry), "i.yaml": inner },
    });

  test("is one of instances, too", async () => {
    const { diagnostics, tree } = await using("users: 2");
    expect(diagnostics).toEqual([]);
    const fields = [...tree.nodes.values()].filter(({ kind }) => kind === "testCase");
    expect(fields.map(({ handle, fields: { description } }) => [handle, description])).toEqual([
      ["testCase.a-in3-t", "u1"],
      ["testCase.a-a-3-t", "u2"],
    ]);
  });

  test("leads to its line", async () => {
    const { diagnostics } = await using("user: 2");
    expect(diagnostics.map(({ code, file, line }) => `${code} ${file}:${line}`)).toEqual([
      "LF1103 o.yaml:7",
      "LF1311 o.yaml:7",
    ]);
  });

  test("is refused where a key cannot be such a value", async () => {
    const files = { "o.yaml": outer("users: 2"), "i.yaml": inner };
    const { diagnostics } = await loadFiles(
      "use:\n  a: { module: o.yaml, with: { n: 1.5 } }\n  b: { module: o.yaml, with: { n: -1 } }\n",
      { files: { ...files, "o.yaml": files["o.yaml"].replace('"in$', '"$') } },
    );
    expect(diagnostics.map(({ code, summary }) => `${code} ${summary}`)).toEqual(["LF1105 -1 is not usable as a key"]);
  });
});

test("an expression in the default of a parameter is taken as it is, with a warning", async () => {
  const module =
    'parameters: { a: {}, b: { default: "${param:a}" } }\ntestCases: { t: { description: "${param:b}" } }\n';
  const { diagnostics } = await loadFiles("use:\n  x: { module: m.yaml, with: { a: 1 } }\n", {
    files: { "m.yaml": module },
  });
  expect(diagnostics.map(({ code, summary, file, line }) => [code, summary, `${file}:${line}`])).toContainEqual([
    "LF1204",
    "${param:a} is taken as the text itself",
    "m.yaml:1",
  ]);
});
