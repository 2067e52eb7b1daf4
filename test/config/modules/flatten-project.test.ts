import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeYaml } from "../../../src/authoring/write-yaml.ts";
import type { Project, ProjectInput } from "../../../src/config/load-project.ts";
import { flattenProject } from "../../../src/config/modules/flatten-project.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { TreeNode } from "../../../src/model/tree.ts";
import { check } from "../../support/deep.ts";
import { loadFiles } from "../../support/load-files.ts";

const env = { TOKEN: "hidden-word", LABEL: "a ${LABEL} $${x}" };

function flat(project: Project) {
  const { parts, name, state, environment } = project;
  if (parts === undefined) throw new Error("the project cannot be read");
  return flattenProject(parts, { kinds, name, state, ...(environment === undefined ? {} : { environment }) });
}

/** The project, and the same read from the one document that it expands to. */
async function both(
  yaml: string,
  options: Partial<ProjectInput> & { readonly files: Readonly<Record<string, string>> },
) {
  const project = await loadFiles(yaml, { env, ...options });
  const { document, diagnostics } = flat(project);
  expect(diagnostics).toEqual([]);
  const text = writeYaml([], { file: "loadform.yaml", kinds, head: document });
  const again = await loadFiles(text, { env, files: options.files });
  return { project, again, text };
}

/** A source may spell the same text in another way; the text itself is compared with the fields. */
function spelt({ sources, ...node }: TreeNode) {
  return { ...node, sources: Object.keys(sources ?? {}) };
}

/** What a plan is made from. Keys are in no order that means anything. */
function planned({ tree, name, service, state, moved, removed, gates, limits }: Project) {
  return {
    nodes: [...tree.nodes.values()].map(spelt).sort((left, right) => (left.handle < right.handle ? -1 : 1)),
    contents: Object.fromEntries(tree.contents),
    name,
    service,
    state,
    moved,
    removed,
    gates,
    limits,
  };
}

const pieces = [
  "x",
  "${param:text}",
  "${each:key}",
  "${var:word}",
  "${env:TOKEN}",
  "$${env:TOKEN}",
  "${other}",
  "${var:made}",
  "a\nb",
  "${env:LABEL}",
];
const template = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((all) => all.join(" "));
const plain = fc
  .array(fc.constantFrom("/a", "b c", "${var:word}", "${env:TOKEN}", "$${x}", "$$"), { minLength: 1, maxLength: 2 })
  .map((all) => all.join(""));

const configuration = (scenario: string) =>
  fc.record(
    {
      scenario: fc.constant(scenario),
      name: template.map((text) => `${scenario} ${text.replaceAll("\n", " ")}`),
      durationSecs: fc.constantFrom<unknown>(60, "${var:secs}", "${param:users}"),
      concurrentClients: fc.constantFrom<unknown>("${param:users}", 3),
      providers: fc.constant([{ provider: "grid" }]),
    },
    { requiredKeys: ["scenario", "durationSecs", "concurrentClients", "providers"] },
  );

const script = fc.oneof(
  template,
  fc.constantFrom("${file:s.js}", "// ${file:s.js}\n${param:text}", "${file:${param:file}.js}", "${param:script}"),
);

const testCase = fc.record(
  {
    description: template,
    protect: fc.boolean(),
    scenarios: fc.record(
      { call: fc.record({ script }), "${each:key}-s": fc.record({ script }) },
      { requiredKeys: ["call"] },
    ),
    configurations: fc.record(
      { load: configuration("main/call"), other: configuration("call") },
      { requiredKeys: ["load"] },
    ),
  },
  { requiredKeys: ["scenarios"] },
);

const given = fc.record(
  {
    text: plain,
    users: fc.integer({ min: 1, max: 9 }),
    script: fc.constantFrom("a()", "${file:top.js}"),
    file: fc.constantFrom("s", "t"),
  },
  { requiredKeys: ["text"] },
);
const patch = fc.record({ testCases: fc.record({ main: fc.record({ description: template }) }) });
const parameters = { text: {}, users: { default: 5 }, script: { default: "x()" }, file: { default: "s" } };
const innerUse = fc.record({
  module: fc.constant("inner.yaml"),
  with: given.map((all) => ({ ...all, text: "${param:text}" })),
});
const outer = fc.record({ main: testCase, "${each:key}": testCase }, { requiredKeys: ["main"] });

const projects = fc.record({
  inner: fc.record({ main: testCase }),
  outer,
  nested: fc.boolean().chain((isNested) => (isNested ? innerUse.map((use) => ({ in: use })) : fc.constant({}))),
  uses: fc.record(
    {
      one: fc.record({ module: fc.constant("m/outer.yaml"), with: given, patch }, { requiredKeys: ["module", "with"] }),
      all: fc.record({ module: fc.constant("m/outer.yaml"), with: given, forEach: fc.record({ p: given, q: given }) }),
    },
    { requiredKeys: ["one"] },
  ),
  secs: fc.constantFrom(30, 45),
  defaults: fc.record(
    {
      testCase: fc.record({ description: plain }),
      configuration: fc.record({ iterationSleepSecs: fc.constantFrom(2, "${var:secs}") }),
    },
    { requiredKeys: [] },
  ),
  staged: fc.boolean(),
});

function filesOf({
  inner,
  outer,
  nested,
  uses,
  secs,
  defaults,
  staged,
}: typeof projects extends fc.Arbitrary<infer T> ? T : never) {
  const yaml = {
    project: "shop",
    service: { url: "memory:x.json" },
    variables: {
      word: { default: "wörd" },
      secs: { type: "number", default: secs },
      made: { default: "${env:TOKEN}/${var:word}" },
    },
    defaults,
    use: uses,
    providers: { grid: { providerType: "Shared" } },
    testCases: { own: { description: "${var:made} ${file:top.js}" } },
    environments: { staging: { use: { one: { with: { text: "${var:environment}" } } } } },
    ...(staged && { defaultEnvironment: "staging" }),
  };
  const files = {
    "m/outer.yaml": JSON.stringify({ parameters, testCases: outer, use: nested }),
    "m/inner.yaml": JSON.stringify({ parameters, testCases: inner }),
    ...{ "m/s.js": "s(`${x}`)", "m/t.js": "t()", "m/top.js": "inner()", "top.js": "top() // ${env:TOKEN}" },
  };
  return { yaml: `# project: as JSON\n${JSON.stringify(yaml)}`, files };
}

describe("a project as one document", () => {
  test("gives what the project gives, whatever its modules are", async () => {
    let objects = 0;
    await check(
      "expand",
      fc.asyncProperty(projects, async (drawn) => {
        const { yaml, files } = filesOf(drawn);
        const { project, again } = await both(yaml, { files });
        expect(project.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(again.diagnostics).toEqual([]);
        expect(planned(again)).toEqual(planned(project));
        objects += project.tree.nodes.size;
      }),
      { few: 60, deep: 3_000 },
    );
    expect(objects).toBeGreaterThan(100);
  });

  test("keeps the environment's state, and has no environment, variable, default or module", async () => {
    const { yaml, files } = filesOf({ ...minimal, staged: true });
    const { project, again, text } = await both(yaml, { files });
    expect(project.state).toEqual({ backend: "local", path: ".loadform/state.staging.json" });
    expect(again.state).toEqual(project.state);
    expect(text).not.toMatch(/environment|variables|defaults|use:|hidden-word/);
    expect(text).toContain("${env:TOKEN}");
  });

  test("has the project's name without its variables", async () => {
    const yaml = 'project: "${var:n}"\nservice: { url: "memory:" }\nvariables: { n: { default: 7 } }\n';
    const { again, text } = await both(yaml, { files: {} });
    expect([again.name, again.diagnostics, text]).toEqual(["7", [], expect.stringContaining('project: "7"')]);
  });

  test("has paths from the project's folder", async () => {
    const { yaml, files } = filesOf(minimal);
    expect((await both(yaml, { files })).text).toContain("${file:m/s.js}");
  });
});

const minimal = {
  inner: { main: { scenarios: { call: { script: "x" } } } },
  outer: { main: { scenarios: { call: { script: "${file:s.js}" } } } },
  nested: {},
  uses: { one: { module: "m/outer.yaml", with: { text: "x" } } },
  secs: 30,
  defaults: {},
  staged: false,
} as Parameters<typeof filesOf>[0];
