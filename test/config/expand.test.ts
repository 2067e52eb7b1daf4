import { describe, expect, test } from "vitest";
import { isContentMark } from "../../src/model/fingerprint.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { memoryWorkspace } from "../../src/workspace/memory-workspace.ts";
import { codesOf, loadFiles, nodeAt } from "../support/load-files.ts";
import { browse, configuration, scenario, smoke } from "./declared-snippets.ts";

/** Text or bytes behind a content field. */
async function contentOf(fields: string, options: Parameters<typeof loadFiles>[1] = {}) {
  const project = await loadFiles(scenario(fields), options);
  expect(project.diagnostics).toEqual([]);
  const mark = nodeAt(project, browse).fields.script;
  return isContentMark(mark) ? project.tree.contents.get(mark.$content) : mark;
}

describe("what is replaced in a scalar", () => {
  test.each([
    ["a file", "${file:a.js}", "from file"],
    ["an environment variable", "${env:WHO}", "world"],
    ["several in one text", "${var:greeting}, ${env:WHO}! ${var:count}", "hello, world! 3"],
    ["an escape", "$${env:WHO}", "${env:WHO}"],
    ["an escape after a dollar", "$$${env:WHO}", "$${env:WHO}"],
    ["nothing of JavaScript's own", "`${name} ${a.b} $x {y}`", "`${name} ${a.b} $x {y}`"],
    ["nothing without an end", "${env:WHO", "${env:WHO"],
    ["nothing inside what was replaced", "${file:nested.js}", "${env:WHO}"],
  ])("%s: %s", async (_, text, expected) => {
    const content = await contentOf(`script: ${JSON.stringify(text)}`, {
      files: { "a.js": "from file", "nested.js": "${env:WHO}" },
      env: { WHO: "world" },
      environment: "any",
      workspace: memoryWorkspace({
        "loadform.yaml": `project: shop\nservice: { url: "memory:" }\nenvironments: { any: {} }\nvariables: { greeting: { default: hello }, count: { default: 3 } }\n${scenario(`script: ${JSON.stringify(text)}`)}`,
        "a.js": "from file",
        "nested.js": "${env:WHO}",
      }),
    });
    expect(content).toBe(expected);
  });

  test("scripts and files are kept byte for byte", async () => {
    const script = "\uFEFFa\r\nb  \n\n";
    expect(await contentOf('script: "${file:a.js}"', { files: { "a.js": script } })).toBe(script);
    const bytes = new Uint8Array([0, 255, 13, 10, 128]);
    const yaml = scenario('script: x, dataStores: { a: { contents: "${file:a.bin}" }, b: { contents: "ä" } }');
    const project = await loadFiles(yaml, { files: { "a.bin": bytes } });
    const marks = ["a", "b"].map((key) => nodeAt(project, `${browse}/dataStore.${key}`).fields.contents);
    expect(marks).toEqual([
      { $content: sha256(bytes), bytes: 5 },
      { $content: sha256("ä"), bytes: 2 },
    ]);
    expect(project.tree.contents.get(sha256(bytes))).toEqual(bytes);
    expect(project.tree.contents.get(sha256("ä"))).toEqual(new TextEncoder().encode("ä"));
  });

  test("a path is relative to the file it stands in, in included files too", async () => {
    const project = await loadFiles("include: [load/*.yaml]\n", {
      files: {
        "load/a.yaml": scenario(
          'script: "${file:../scripts/a.js}", init: "${file:b.js} $${file:c}", teardown: "${file:./b.js}"',
        ),
        "scripts/a.js": "A",
        "load/b.js": "B",
      },
    });
    expect(project.diagnostics).toEqual([]);
    const { script, init, teardown } = nodeAt(project, browse).fields;
    const texts = [script, init, teardown].map(
      (mark) => isContentMark(mark) && project.tree.contents.get(mark.$content),
    );
    expect(texts).toEqual(["A", "B ${file:c}", "B"]);
  });

  test("one whole variable keeps its type; a whole environment variable takes the field's", async () => {
    const project = await loadFiles(
      `${configuration('durationSecs: "${var:secs}", rampupSecs: "${env:RAMP}", protect: "${var:keep}"')}variables: { secs: { default: 60 }, keep: { default: true } }\n`,
      { env: { RAMP: "7" } },
    );
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, smoke).fields).toMatchObject({ durationSecs: 60, rampupSecs: 7 });
    expect(nodeAt(project, smoke).lifecycle).toEqual({ protect: true });
  });

  test.each(["toString", "constructor", "__proto__", "hasOwnProperty"])(
    "%s is a variable like any other: it is not set where nobody set it",
    async (name) => {
      const project = await loadFiles(configuration(`durationSecs: 60, rampupSecs: "\${env:${name}}"`));
      expect(project.diagnostics).toMatchObject([{ code: "LF1303", summary: `$${name} is not set` }]);
    },
  );

  test("settings and names are replaced too", async () => {
    const project = await loadFiles(
      'project: shop\nservice: { url: "memory:${var:where}", organization: "${env:ORG}" }\nstate: "${var:where}.state"\nvariables: { where: { default: a.json } }\ntags: { a: { name: "${var:where}" } }\n',
      { env: { ORG: "Team" } },
    );
    expect(project.service).toMatchObject({ url: "memory:a.json", organization: "Team" });
    expect(project.state).toEqual({ backend: "local", path: "a.json.state" });
    expect(nodeAt(project, "tag.a").fields.name).toBe("a.json");
  });
});

describe("variables", () => {
  const yaml = `${configuration('durationSecs: "${var:secs}"')}variables: { secs: { type: number, default: 1 } }\nenvironments: { staging: { variables: { secs: { default: 2 } } } }\n`;

  test.each([
    ["the project's default", {}, 1],
    ["the environment's default", { environment: "staging" }, 2],
    ["$LOADFORM_VAR_secs", { environment: "staging", env: { LOADFORM_VAR_secs: "3" } }, 3],
    ["--var", { environment: "staging", env: { LOADFORM_VAR_secs: "3" }, vars: { secs: "4" } }, 4],
  ])("%s", async (_, options, expected) => {
    const project = await loadFiles(yaml, options);
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, smoke).fields.durationSecs).toBe(expected);
    expect(project.variables).toEqual({ secs: expected });
  });

  test("a number that would lose digits is refused, whatever has it", async () => {
    for (const given of [
      { vars: { secs: "9007199254740993" } },
      { env: { LOADFORM_VAR_secs: " -12345678901234567890" } },
    ])
      expect((await loadFiles(yaml, given)).diagnostics).toMatchObject([{ code: "LF1102" }]);
    expect((await loadFiles(yaml, { vars: { secs: "1e3" } })).diagnostics).toEqual([]);
  });

  test("what came from ${env:…} is masked in the list and sensitive where it is used", async () => {
    const project = await loadFiles(
      'variables: { a: { default: "${env:TOKEN}" }, b: { default: "x ${var:a}" } }\ntestCases: { t: { description: "${var:b}" } }\n',
      { env: { TOKEN: "hunter2" } },
    );
    expect(project.variables).toEqual({ a: "(sensitive)", b: "(sensitive)" });
    expect(nodeAt(project, "testCase.t")).toMatchObject({
      fields: { description: "x hunter2" },
      sensitive: ["description"],
      sources: { description: "x ${env:TOKEN}" },
    });
  });

  test("a value given from outside is not replaced again", async () => {
    const project = await loadFiles(
      'variables: { a: { default: x } }\ntestCases: { t: { description: "${var:a}" } }\n',
      { vars: { a: "${env:TOKEN}" }, env: { TOKEN: "hunter2" } },
    );
    expect(nodeAt(project, "testCase.t").fields.description).toBe("${env:TOKEN}");
  });
});

describe("environments", () => {
  const yaml = `environments: { dev: {}, staging: {} }\ndefaultEnvironment: staging\ntestCases: { t: { description: "in <\${var:environment}>" } }\n`;

  test.each([
    ["the default", undefined, "staging"],
    ["the one that is asked for", "dev", "dev"],
    ["none, asked for with an empty name", "", undefined],
  ])("%s is chosen, and known as a variable", async (_, asked, chosen) => {
    const project = await loadFiles(yaml, asked === undefined ? {} : { environment: asked });
    expect(project.diagnostics).toEqual([]);
    expect(project.environment).toBe(chosen);
    expect(nodeAt(project, "testCase.t").fields.description).toBe(`in <${chosen ?? ""}>`);
    expect(project.state).toEqual({ backend: "memory" });
    expect(project.variables).toEqual({});
  });

  test("a default that is not declared, and a variable of the reserved name, are errors at their places", async () => {
    const project = await loadFiles(
      "environments: { staging: {} }\ndefaultEnvironment: stagin\nvariables: { environment: { default: x } }\n",
      { vars: { environment: "dev" } },
    );
    expect(project.diagnostics.map(({ code, line, detail }) => [code, line, detail])).toEqual([
      ["LF1304", 4, "defaultEnvironment names stagin, which is not declared under environments. Did you mean staging?"],
      ["LF1302", 5, "--var sets environment, which is not a variable: use --env NAME"],
      ["LF1302", 5, "It contains the name of the chosen environment: give your variable another name"],
    ]);
  });

  test("are merged over the whole document: objects join, null removes, lists are replaced", async () => {
    const project = await loadFiles(
      `project: shop
service: { url: "memory:a.json" }
testCases: { a: { description: x }, b: {}, c: { scenarios: { s: { script: run(), tags: [one, two] } } } }
environments:
  staging:
    service: { url: "memory:b.json" }
    testCases: { a: { description: y }, b: null, c: { scenarios: { s: { tags: [three] } } }, d: { name: D } }
`,
      { environment: "staging" },
    );
    expect(project).toMatchObject({ environment: "staging", diagnostics: [], service: { url: "memory:b.json" } });
    expect(project.state).toEqual({ backend: "local", path: ".loadform/state.staging.json" });
    expect([...project.tree.nodes.keys()]).toEqual(["testCase.a", "testCase.c", "testCase.d", "testCase.c/scenario.s"]);
    expect(nodeAt(project, "testCase.a").fields.description).toBe("y");
    expect(nodeAt(project, "testCase.c/scenario.s").fields.tags).toEqual(["three"]);
  });

  test("a problem in a patch is found in the patch", async () => {
    const project = await loadFiles(
      `${configuration("durationSecs: 5")}environments:\n  staging:\n    testCases: { checkout: { configurations: { smoke: { durationSecs: 0 } } } }\n`,
      { environment: "staging" },
    );
    expect(project.diagnostics).toMatchObject([{ code: "LF1202", line: 10, column: 71 }]);
  });
});

test("a mapping like the mark of a value that is lacking is an ordinary mapping", async () => {
  const project = await loadFiles(
    'testCases: { a: { description: { $unset: "x" } } }\ndefaults: { testCase: { description: { $unset: "" } } }\n',
  );
  expect(codesOf(project)).toEqual(["LF1102", "LF1102"]);
});
