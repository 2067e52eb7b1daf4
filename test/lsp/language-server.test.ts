import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEditor } from "../support/editor-client.ts";
import { freshFolder } from "../support/run-cli.ts";

const main = `project: shop
service: { url: "memory:" }
include: ["load/*.yaml"]
variables:
  users: { type: number, default: 20 }
environments:
  staging:
    testCases: { checkout: { scenarios: { browse: { name: Slower } } } }
providers:
  grid: { name: Our grid, providerType: Shared }
tags:
  nightly: {}
gates:
  release: { configuration: checkout/smoke, kpis: ["Outcome[success] > 95%"] }
`;
const load = `testCases:
  checkout:
    name: Checkout 🛒
    scenarios:
      browse:
        script: \${file:../scripts/browse.js}
        tags: [nightly]
    configurations:
      smoke:
        scenario: browse
        concurrentClients: \${var:users}
        durationSecs: 60
        providers:
          - { provider: grid }
`;

function project(files: Readonly<Record<string, string>>): string {
  const root = freshFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const rangeOf = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

const labels = (items: readonly { readonly label: string }[]) => items.map(({ label }) => label);

describe("loadform lsp", () => {
  const root = project({
    "loadform.yaml": main,
    "load/shop.yaml": load,
    "scripts/browse.js": 'log.info("browse");',
    "docker-compose.yaml": "services: {}\n",
  });
  const [mainPath, shop] = [join(root, "loadform.yaml"), join(root, "load/shop.yaml")];
  let editor: Awaited<ReturnType<typeof startEditor>>;
  beforeAll(async () => {
    editor = await startEditor([root]);
    await editor.open(mainPath, main);
    await editor.open(shop, load);
  });
  afterAll(async () => {
    expect(await editor.stop()).toBe(0);
  });

  const change = (...args: Parameters<typeof editor.change>) => editor.change(...args);

  it("shows the problems of an unsaved text at their words, corrects them, and takes them back", async () => {
    await change(shop, "scenario: browse", "scenario: brwose");
    const [problem] = await editor.problemsWith(shop, "no scenario brwose");
    expect(problem).toMatchObject({ code: "LF1301", severity: 1, source: "loadform" });
    expect(problem?.range).toEqual({ start: { line: 9, character: 18 }, end: { line: 9, character: 24 } });
    const [action] = problem ? await editor.actions(shop, problem) : [];
    expect(action?.title).toBe("Change brwose to browse");
    expect(editor.after(shop, action?.edit)).toBe(load);
    await change(shop, "brwose", "browse");
    await editor.noProblems(shop);
  });

  it("corrects an unknown key, a wrong word and an unknown variable", async () => {
    await change(shop, "durationSecs", "durationSec");
    await change(shop, "var:users", "var:user");
    await change(mainPath, "type: number", "type: numbr");
    const inShop = await editor.problemsWith(shop, "unknown variable");
    const inMain = await editor.problemsWith(mainPath, "does not take this value");
    const titles = await Promise.all([
      ...inShop.map((each) => editor.actions(shop, each)),
      ...inMain.map((each) => editor.actions(mainPath, each)),
    ]);
    expect(labels(titles.flat().map(({ title }) => ({ label: title }))).sort()).toEqual(
      ["Change durationSec to durationSecs", "Change numbr to number", "Change user to users"].sort(),
    );
    await change(shop, "durationSec:", "durationSecs:");
    await change(shop, "var:user}", "var:users}");
    await change(mainPath, "type: numbr", "type: number");
    await editor.noProblems(shop);
    await editor.noProblems(mainPath);
  });

  it("proposes keys that are not there yet, in a text that cannot be read", async () => {
    await change(shop, "        durationSecs: 60\n", "        durationSecs: 60\n        ite\n");
    await editor.problemsWith(shop, "");
    const items = await editor.complete(shop, "        ite|\n");
    expect(labels(items)).toContain("iterationSleepSecs");
    expect(labels(items)).not.toContain("durationSecs");
    expect(items.find(({ label }) => label === "iterationSleepSecs")?.textEdit).toMatchObject({
      newText: "iterationSleepSecs: ",
    });
    await change(shop, "        ite\n", "");
    await editor.noProblems(shop);
  });

  it.each([
    ["scenario: |browse", ["browse"]],
    ["tags: [|nightly]", ["nightly"]],
    ["provider: |grid", ["grid"]],
    ["$" + "{var:|users}", ["users"]],
    ["$" + "{file:|../scripts/browse.js}", []],
    ["$" + "{|var:users}", ["var:", "env:", "file:"]],
  ])("proposes at %s", async (mark, expected) => {
    expect(labels(await editor.complete(shop, mark))).toEqual(expected);
  });

  it("proposes words of a choice, gates' configurations and top-level keys", async () => {
    expect(labels(await editor.complete(mainPath, "type: |number"))).toEqual(["string", "number", "boolean"]);
    expect(labels(await editor.complete(mainPath, "configuration: |checkout"))).toEqual(["checkout/smoke"]);
    expect(labels(await editor.complete(shop, "|testCases:"))).toContain("vcsRoots");
  });

  it("shows a field with its type, default and limits", async () => {
    const shown = await editor.hover(shop, "concurrent|Clients");
    expect(shown?.contents).toMatchObject({ value: expect.stringMatching(/whole number.*1 or more/s) });
    expect(await editor.hover(shop, "scenario: bro|wse")).toMatchObject({
      contents: { value: expect.stringContaining("testCase.checkout/scenario.browse") },
    });
  });

  it("leads to declarations and finds uses in all files", async () => {
    const scenario = await editor.definition(shop, "scenario: bro|wse");
    expect(scenario).toMatchObject([
      { uri: expect.stringMatching(/shop\.yaml$/), range: { start: { line: 4, character: 6 } } },
      { uri: expect.stringMatching(/loadform\.yaml$/), range: { start: { line: 7 } } },
    ]);
    expect(await editor.definition(shop, "$" + "{file:../scripts/bro|wse.js}")).toMatchObject({
      uri: expect.stringMatching(/scripts\/browse\.js$/),
    });
    const variable = await editor.references(shop, "$" + "{var:us|ers}");
    expect(variable?.map(({ range }) => range.start)).toEqual([
      { line: 4, character: 2 },
      { line: 10, character: expect.any(Number) },
    ]);
    const grid = await editor.references(mainPath, "  gr|id:");
    expect(grid?.map(({ uri }) => uri.split("/").at(-1))).toEqual(["loadform.yaml", "shop.yaml"]);
  });

  it("renames a key in all files, with the move that keeps the object", async () => {
    const edit = await editor.rename(shop, "      smo|ke:", "quick");
    expect(editor.after(shop, edit)).toBe(load.replace("smoke:", "quick:"));
    expect(editor.after(mainPath, edit)).toBe(
      `${main.replace("checkout/smoke", "checkout/quick")}moved:\n  - { from: testCase.checkout/configuration.smoke, to: testCase.checkout/configuration.quick }\n`,
    );
    const testCase = await editor.rename(shop, "  check|out:", "buy");
    expect(editor.after(mainPath, testCase)).toContain("configuration: buy/smoke");
    expect(editor.after(mainPath, testCase)).toContain("{ buy: { scenarios:");
    const variable = await editor.rename(mainPath, "  us|ers:", "people");
    expect(editor.after(shop, variable)).toBe(load.replace("var:users", "var:people"));
    await expect(editor.rename(shop, "      smo|ke:", "a b")).rejects.toThrow("cannot be a key");
  });

  it("offers the name alone for a renaming, of a path and of an expression too", async () => {
    const users = await editor.prepareRename(shop, "${var:us|ers}");
    expect(users).toEqual({ range: rangeOf(10, 33, 38), placeholder: "users" });
    const path = await editor.prepareRename(mainPath, "checkout/smo|ke");
    expect(path).toEqual({ range: rangeOf(13, 37, 42), placeholder: "smoke" });
  });

  it("renames nothing where a file cannot be read, or where it is not known what declares the name", async () => {
    await change(shop, "        durationSecs: 60\n", "        durationSecs: [\n");
    await editor.problemsWith(shop, "");
    await expect(editor.rename(mainPath, "  us|ers:", "people")).rejects.toThrow(
      "load/shop.yaml cannot be read as YAML, and may have the name: correct it first",
    );
    await change(shop, "        durationSecs: [\n", "        durationSecs: 60\n");
    await editor.noProblems(shop);
    await change(shop, "      smoke:", "      &x smoke:");
    await expect(editor.rename(shop, "      &x smo|ke:", "quick")).rejects.toThrow("rename it by hand");
    await change(shop, "      &x smoke:", "      smoke:");
    await editor.noProblems(shop);
  });

  it("formats what has only comments, or nothing, as it is", async () => {
    for (const [index, text] of ["# only\n", "", "\n\n", "---\n# c\n", "# c\r\n"].entries()) {
      const path = join(root, `load/notes-${index}.yaml`);
      await editor.open(path, text);
      expect(await editor.format(path)).toEqual([]);
    }
  });

  it("corrects no key to one that the mapping has already", async () => {
    await change(shop, "        durationSecs: 60\n", "        durationSecs: 60\n        durationSec: 60\n");
    const [problem] = await editor.problemsWith(shop, "unknown key durationSec");
    expect(problem ? await editor.actions(shop, problem) : undefined).toEqual([]);
    await change(shop, "        durationSec: 60\n", "");
    await editor.noProblems(shop);
  });

  it("outlines the objects of a file", async () => {
    const [checkout] = await editor.symbols(shop);
    expect(checkout).toMatchObject({ name: "checkout", detail: "testCase" });
    expect(checkout?.children?.map(({ name, detail }) => [name, detail])).toEqual([
      ["browse", "scenario"],
      ["smoke", "configuration"],
    ]);
  });

  it("formats as fmt does", async () => {
    expect(await editor.format(shop)).toEqual([]);
    await change(shop, "tags: [nightly]", "tags:   [nightly]");
    expect(editor.after(shop, { changes: { [`file://${shop}`]: await editor.format(shop) } })).toBe(load);
    await change(shop, "tags:   [nightly]", "tags: [nightly]");
  });

  it("has nothing to say of files that no project reads", async () => {
    const compose = join(root, "docker-compose.yaml");
    await editor.open(compose, "services: {}\n");
    expect(await editor.complete(compose, "|services")).toEqual([]);
    const stray = join(freshFolder(), "loose.yaml");
    await editor.open(stray, "test: 1\n");
    expect(await editor.complete(stray, "|test")).toEqual([]);
    expect(await editor.symbols(stray)).toBeNull();
  });

  it("counts columns as editors do: line ends of two characters, a mark at the start, emoji", async () => {
    const other = project({ "loadform.yaml": "" });
    const path = join(other, "loadform.yaml");
    await editor.open(path, `\uFEFFproject: shop # 🛒\r\ntags: { "🛒": { nam: x } }\r\nproviders: {}\r\n`);
    const problems = await editor.problemsWith(path, "unknown key nam");
    const unknown = problems.find(({ message }) => message.includes("unknown key nam"));
    expect(unknown?.range).toEqual({ start: { line: 1, character: 16 }, end: { line: 1, character: 19 } });
    expect(labels(await editor.complete(path, "|providers"))).toContain("testCases");
  });

  it("sees that files were deleted under it", async () => {
    const other = project({
      "loadform.yaml": 'project: shop\ninclude: ["more.yaml"]\n',
      "more.yaml": "tags: { a: }\n",
    });
    const path = join(other, "loadform.yaml");
    await editor.open(path, 'project: shop\ninclude: ["more.yaml"]\n');
    rmSync(join(other, "more.yaml"));
    await editor.changedOutside(join(other, "more.yaml"));
    await editor.problemsWith(path, "matches nothing");
    rmSync(other, { recursive: true });
    await editor.changedOutside(path);
    expect(labels(await editor.complete(path, "|include"))).toContain("testCases");
  });

  it("runs no program of a project, and says so", async () => {
    const other = project({
      "loadform.config.ts": `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(join(root, "ran"))}, "");\n`,
      "loadform.yaml": "projekt: x\n",
    });
    await editor.open(join(other, "loadform.yaml"), "projekt: x\n");
    await editor.until(() => editor.messages.find((each) => each.includes("is a program")));
    expect(await editor.complete(join(other, "loadform.yaml"), "|projekt")).toEqual([]);
    expect(editor.problems(join(other, "loadform.yaml"))).toEqual([]);
    expect(existsSync(join(root, "ran"))).toBe(false);
  });
});

it("shows the problems of the environment that is asked for", async () => {
  const text = `project: shop
service: { url: "memory:" }
environments: { staging: { tags: { nightly: { name: "\${var:word}" } } } }
`;
  const root = project({ "loadform.yaml": text });
  const path = join(root, "loadform.yaml");
  const opened = async (...flags: readonly string[]) => {
    const editor = await startEditor([root], { flags });
    await editor.open(path, text);
    return editor;
  };
  const [usual, staging] = [await opened(), await opened("--env", "staging")];
  expect(await staging.problemsWith(path, "unknown variable word")).toHaveLength(1);
  await usual.change(path, "project: shop", "projekt: shop");
  await usual.problemsWith(path, "unknown key");
  await usual.change(path, "projekt: shop", "project: shop");
  await usual.noProblems(path);
  expect([await usual.stop(), await staging.stop()]).toEqual([0, 0]);
});
