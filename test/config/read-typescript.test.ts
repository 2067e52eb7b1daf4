import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { loadProject, type ProjectInput } from "../../src/config/load-project.ts";
import { kinds } from "../../src/kinds/index.ts";
import { diskWorkspace } from "../../src/workspace/disk-workspace.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { copyExample } from "../support/copy-example.ts";
import { loadProgram } from "../support/load-program.ts";
import { repository } from "../support/source-files.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder on disk, since modules are imported from there. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "loadform-ts-"));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function load(root: string, options: Partial<ProjectInput> = {}) {
  return loadProject({
    workspace: diskWorkspace(root),
    kinds,
    env: {},
    vars: {},
    unsetEnv: "error",
    hash: sha256,
    loadModule: loadProgram,
    ...options,
  });
}

const program = `import { App, Configuration, file, Scenario, TestCase, variable } from "loadform";
import { users } from "./users.ts";

interface Shop { readonly name: string }
const shop: Shop = { name: "Checkout" };
const app = new App({ project: "webshop", service: { url: "memory:" }, variables: { secs: { default: 60 } },
  environments: { staging: { variables: { secs: { default: 5 } } } } });
const checkout = new TestCase(app, "checkout", { name: shop.name });
const browse = new Scenario(checkout, "browse", { script: file("scripts/browse.js") });
new Configuration(checkout, "smoke", { scenario: browse, concurrentClients: users, durationSecs: variable("secs"),
  providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"], numRegions: 1 }] });
export default app;
`;

const yaml = `project: webshop
service: { url: "memory:" }
variables: { secs: { default: 60 } }
testCases:
  checkout:
    name: Checkout
    scenarios: { browse: { script: "\${file:scripts/browse.js}" } }
    configurations:
      smoke: { scenario: browse, concurrentClients: 20, durationSecs: "\${var:secs}", providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1], numRegions: 1 }] }
`;

const shared = { "scripts/browse.js": "run()", "users.ts": "export const users: number = 20;\n" };

describe("a TypeScript project", () => {
  test("an App knows the environment that it was asked for, whatever other programs are read at the same time", async () => {
    const text = (turns: number) => `import { App, TestCase } from "loadform";
for (let turn = 0; turn < ${turns}; turn++) await new Promise((resolve) => setImmediate(resolve));
const app = new App({ project: "p", service: { url: "memory:" }, environments: { dev: {}, staging: {} } });
new TestCase(app, "t", { description: String(app.environment) });
export default app;`;
    const roots = [1, 20, 40].map((turns) => folderOf({ "loadform.config.ts": text(turns) }));
    const asked = ["dev", "staging", "dev"];
    const projects = await Promise.all(roots.map((root, index) => load(root, { environment: asked[index] as string })));
    expect(projects.map(({ tree }) => tree.nodes.get("testCase.t")?.fields.description)).toEqual(asked);
  });

  test.each([
    ["calls process.exit", "process.exit(0);", "process.exit", 3],
    [
      "waits for what never happens",
      'setTimeout(() => process.emit("beforeExit", 0), 1); await new Promise(() => {});',
      "nothing settles",
      3,
    ],
    ["throws an error later", 'setTimeout(() => { throw new Error("later"); }, 0); await later();', "later", 3],
    ["throws an error after its last line", 'setTimeout(() => { throw new Error("late"); }, 60);', "late", 3],
    ["calls process.exit after its last line", "setTimeout(() => process.exit(0), 60);", "process.exit", 3],
    ["throws no Error", 'throw Object.assign(Object.create(null), { code: "E" });', '{"code":"E"}', 1],
    ["throws for a cause", 'throw new Error("top", { cause: new Error("of this") });', "top (of this)", 3],
  ])("that %s fails, and not loadform with it", async (_, line, words, at) => {
    const before = process.exit;
    const text = `import { App } from "loadform";
const later = () => new Promise((resolve) => setTimeout(resolve, 50));
${line}
export default new App({ project: "p", service: { url: "memory:" } });`;
    const { diagnostics } = await load(folderOf({ "loadform.config.ts": text }));
    expect(diagnostics).toMatchObject([{ code: "LF1006", file: "loadform.config.ts", line: at }]);
    expect(diagnostics[0]?.detail).toContain(words);
    expect(process.exit).toBe(before);
  });

  test("is whole only when nothing is under way that it began", async () => {
    const text = `import { App, TestCase } from "loadform";
import { readFile } from "node:fs/promises";
const app = new App({ project: "p", service: { url: "memory:" } });
async function main() {
  await new Promise((resolve) => setTimeout(resolve, 30));
  await readFile("package.json");
  new TestCase(app, "late");
}
main();
setInterval(() => {}, 1000).unref();
export default app;`;
    const { diagnostics, tree } = await load(folderOf({ "loadform.config.ts": text }));
    expect([diagnostics, [...tree.nodes.keys()]]).toEqual([[], ["testCase.late"]]);
  });

  test.each([
    `createInterface({ input: createReadStream("package.json") }).on("line", () => {}).on("close", late);`,
    `const server = createServer((_, answer) => setTimeout(() => answer.end(), 30)).listen(0, "127.0.0.1", async () => {
  (await fetch("http://127.0.0.1:" + server.address().port)).ok && late(); server.close(); });`,
  ])("waits for what begins in the next turn only: %s", async (lines) => {
    const text = `import { App, TestCase } from "loadform";
import { createReadStream } from "node:fs"; import { createServer } from "node:http"; import { createInterface } from "node:readline";
const app = new App({ project: "p", service: { url: "memory:" } });
const late = () => void new TestCase(app, "late");
${lines}
export default app;`;
    const { diagnostics, tree } = await load(folderOf({ "loadform.config.ts": text }));
    expect([diagnostics, [...tree.nodes.keys()]]).toEqual([[], ["testCase.late"]]);
  });

  test("waits for a file to be closed, however long the system takes", async () => {
    const text = `import { App, TestCase } from "loadform";
import { pbkdf2 } from "node:crypto";
import { open } from "node:fs/promises";
const app = new App({ project: "p", service: { url: "memory:" } });
async function main() {
  const handle = await open("package.json");
  // All threads are busy for a while.
  for (let each = 0; each < 4; each++) pbkdf2("p", "s", 200_000, 64, "sha512", () => {});
  await handle.close();
  new TestCase(app, "late");
}
main();
export default app;`;
    const { diagnostics, tree } = await load(folderOf({ "loadform.config.ts": text }));
    expect([diagnostics, [...tree.nodes.keys()]]).toEqual([[], ["testCase.late"]]);
  });

  test.each([
    ["a child process", 'await promisify(execFile)("true");', []],
    ["a child process that nobody waits for", 'spawn("true");', []],
    ["a server and a connection", "await exchange();", []],
    [
      "a message of a process that need not be waited for",
      'const child = fork("./child.cjs"); child.unref(); child.on("message", () => new TestCase(app, "said"));',
      ["testCase.said"],
    ],
  ])("is over when %s is", async (_, line, made) => {
    const text = `import { App, TestCase } from "loadform";
import { execFile, fork, spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { promisify } from "node:util";
process.chdir(import.meta.dirname);
const exchange = () => new Promise((resolve) => {
  const server = createServer((socket) => socket.end("x")).listen(0, () => {
    connect(server.address().port).resume().once("close", () => server.close(resolve));
  });
});
const app = new App({ project: "p", service: { url: "memory:" } });
${line}
export default app;`;
    const files = {
      "loadform.config.ts": text,
      "child.cjs": "setTimeout(() => process.send(1, () => process.exit()), 300);",
    };
    const cwd = process.cwd();
    const { diagnostics, tree } = await load(folderOf(files)).finally(() => process.chdir(cwd));
    expect([diagnostics, [...tree.nodes.keys()]]).toEqual([[], made]);
  });

  test("that does not end is read as it is after 5 s, with a warning", async () => {
    const text = `import { App, TestCase } from "loadform";
const app = new App({ project: "p", service: { url: "memory:" } });
new TestCase(app, "t");
const timer = setInterval(() => {}, 1000);
setTimeout(() => clearInterval(timer), 20_000).unref();
export default app;`;
    const { diagnostics, tree } = await load(folderOf({ "loadform.config.ts": text }));
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "LF1006", summary: "the program does not end" }]);
    expect([...tree.nodes.keys()]).toEqual(["testCase.t"]);
  });

  test("that throws errors of its own as one is told so", async () => {
    const text = 'import { App } from "loadform";\nthrow new AggregateError([], "nothing worked");';
    const { diagnostics } = await load(folderOf({ "loadform.config.ts": text }));
    expect(diagnostics).toMatchObject([{ severity: "error", code: "LF1006", line: 2 }]);
    expect(diagnostics[0]?.detail).toContain("nothing worked");
  });

  test("has all that is wrong in it reported, at the lines that made it, in a folder of any name", async () => {
    const text = `import { App, TestCase } from "loadform";
import { Construct } from "constructs";
const app = new App({ project: "p", service: { url: "memory:" },
  limits: { users: { atPeak: Number("none") } } });
new TestCase(new Construct(app, "a"), "shop");
new TestCase(new Construct(app, "b"), "shop").node.addValidation({ validate: () => ["has no owner"] });
new TestCase(app, "t", { description: (() => "text") as never });
export default app;`;
    const root = join(folderOf({ "a (b): 1%20/loadform.config.ts": text }), "a (b): 1%20");
    mkdirSync(join(root, "node_modules"));
    symlinkSync(join(repository, "node_modules/constructs"), join(root, "node_modules/constructs"));
    const { diagnostics } = await load(root);
    expect(diagnostics.map(({ line, detail }) => `${line} ${detail}`)).toEqual([
      expect.stringMatching(/^3 limits\.users\.atPeak is NaN: /),
      "6 b/testCase.shop: has no owner",
      '6 b/testCase.shop is a second testCase "shop": rename or remove one',
      expect.stringMatching(/^7 description is a function: /),
    ]);
  });

  test.each([
    ["dev", "dev"],
    ["", undefined],
    [undefined, "staging"],
  ])("an App knows the chosen environment (asked: %s)", async (asked, chosen) => {
    const root = folderOf({
      "loadform.config.ts": `import { App, TestCase } from "loadform";
const app = new App({ project: "p", service: { url: "memory:" }, environments: { dev: {}, staging: {} }, defaultEnvironment: "staging" });
new TestCase(app, "t", { description: String(app.environment) });
export default app;`,
    });
    const project = await load(root, asked === undefined ? {} : { environment: asked });
    expect(project.diagnostics).toEqual([]);
    expect(project.environment).toBe(chosen);
    expect(project.tree.nodes.get("testCase.t")?.fields.description).toBe(String(chosen));
    expect(process.env["LOADFORM_ENV"]).toBeUndefined();
  });

  test("is the same tree as its YAML, and wins over it in the same folder", async () => {
    const program_ = await load(folderOf({ "loadform.config.ts": program, "loadform.yaml": "broken: [", ...shared }));
    const written = await load(folderOf({ "loadform.yaml": yaml, ...shared }));
    expect([program_.diagnostics, written.diagnostics]).toEqual([[], []]);
    expect([program_.language, written.language]).toEqual(["typescript", "yaml"]);
    expect([...program_.tree.nodes]).toEqual([...written.tree.nodes]);
    expect([...program_.tree.contents]).toEqual([...written.tree.contents]);
  });

  test("takes environments and variables", async () => {
    const root = folderOf({ "loadform.config.ts": program, ...shared });
    const durationOf = async (options: Partial<ProjectInput>) =>
      (await load(root, options)).tree.nodes.get("testCase.checkout/configuration.smoke")?.fields.durationSecs;
    expect(await durationOf({})).toBe(60);
    expect(await durationOf({ environment: "staging" })).toBe(5);
    expect(await durationOf({ vars: { secs: "7" } })).toBe(7);
  });

  test.each(['include: ["a.yaml"]', 'use: { m: { module: "m.yaml" } }'])("has no %s", async (said) => {
    const given = `{ project: "p", service: { url: "memory:" }, environments: { st: { ${said} } } }`;
    const text = `import { App } from "loadform";\nexport default new App(${given});\n`;
    const told = [{ code: "LF1104", summary: `${said.split(":")[0]} has no effect` }];
    expect((await load(folderOf({ "loadform.config.ts": text }))).diagnostics).toMatchObject(told);
  });

  test("is read anew each time", async () => {
    const root = folderOf({ "loadform.config.ts": program, ...shared });
    await load(root);
    writeFileSync(join(root, "users.ts"), "export const users = 21;\n");
    const project = await load(root);
    expect(project.tree.nodes.get("testCase.checkout/configuration.smoke")?.fields.concurrentClients).toBe(21);
  });

  test("finds the line that made an object", async () => {
    const root = folderOf({
      "loadform.config.ts": program.replace("durationSecs: variable", "step: 3, durationSecs: variable"),
      ...shared,
    });
    const project = await load(root);
    expect(project.diagnostics).toMatchObject([
      { code: "LF1202", address: "testCase.checkout/configuration.smoke", file: "loadform.config.ts", line: 10 },
    ]);
    expect(project.locate("testCase.checkout/scenario.browse", ["script"])).toMatchObject({ line: 9 });
  });

  test("the example is the same tree as the YAML example", async () => {
    const root = folderOf({});
    for (const name of ["typescript", "webshop"]) copyExample(name, join(root, name));
    const [program_, written] = await Promise.all([load(join(root, "typescript")), load(join(root, "webshop"))]);
    expect([program_.diagnostics, written.diagnostics]).toEqual([[], []]);
    expect([...program_.tree.nodes.keys()]).toEqual([...written.tree.nodes.keys()]);
  });
});
