import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startEditor } from "../support/editor-client.ts";
import { freshFolder } from "../support/run-cli.ts";

const main = `project: shop
service: { url: "memory:" }
use:
  orders:
    module: modules/api.yaml
    with:
      path: /orders
  others:
    module: modules/api.yaml
    forEach:
      carts: { path: /carts, users: 2 }
gates:
  release: { configuration: orders-api/load, kpis: ["Outcome[success] > 95%"] }
environments:
  staging: { use: { orders: { with: { users: 3 } } } }
`;
const module = `parameters:
  path: { description: What is requested }
  users: { type: number, default: 5 }
testCases:
  api:
    scenarios:
      call: { script: "get('\${param:path}');" }
    configurations:
      load:
        scenario: call
        durationSecs: 60
        concurrentClients: \${param:users}
        providers: [{ provider: { id: 0 } }]
`;
const patch =
  "    patch: { testCases: { api: { description: '${param:path}', configurations: { load: { scenario: call } } } } }\n";
const labels = (items: readonly { readonly label: string }[]) => items.map(({ label }) => label);
const places = (
  found: readonly { readonly uri: string; readonly range: { readonly start: { readonly line: number } } }[] | null,
) => (found ?? []).map(({ uri, range }) => `${uri.split("/").at(-1)}:${range.start.line + 1}`);

describe("loadform lsp with modules", () => {
  const root = freshFolder();
  const [mainPath, modulePath] = [join(root, "loadform.yaml"), join(root, "modules/api.yaml")];
  let editor: Awaited<ReturnType<typeof startEditor>>;
  beforeAll(async () => {
    mkdirSync(dirname(modulePath));
    writeFileSync(mainPath, main);
    writeFileSync(modulePath, module);
    editor = await startEditor([root], {
      workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } },
    });
    await editor.open(mainPath, main);
    await editor.open(modulePath, module);
    // The project is read once before its texts are broken.
    await editor.complete(mainPath, "|project");
  });
  afterAll(async () => {
    expect(await editor.stop()).toBe(0);
  });
  afterEach(async () => {
    await editor.edit(mainPath, 0, editor.textOf(mainPath).length, main);
    await editor.edit(modulePath, 0, editor.textOf(modulePath).length, module);
  });
  const change = (...args: Parameters<typeof editor.change>) => editor.change(...args);

  it("proposes the parameters of the module that a use names, and the paths of modules", async () => {
    await change(mainPath, "      path: /orders\n", "      path: /orders\n      u\n");
    const [users, ...more] = await editor.complete(mainPath, "      u|\n");
    expect([users, more]).toMatchObject([
      { label: "users", detail: "number", documentation: { value: "Default: 5." }, textEdit: { newText: "users: " } },
      [],
    ]);
    await change(mainPath, "      u\n", "");
    expect(labels(await editor.complete(mainPath, "carts: { |path"))).toEqual(["path", "users"]);
    expect(labels(await editor.complete(mainPath, "staging: { use: { orders: { with: { |users"))).toEqual([
      "path",
      "users",
    ]);
    expect(labels(await editor.complete(mainPath, "module: |modules"))).toEqual(["modules/api.yaml"]);
  });

  it("proposes in a module its parameters, its own objects, keys and values", async () => {
    expect(labels(await editor.complete(modulePath, "$" + "{param:|users}"))).toEqual(["path", "users"]);
    expect(labels(await editor.complete(modulePath, "$" + "{|param:users}"))).toEqual([
      ...["var:", "env:", "file:", "param:", "each:key"],
    ]);
    expect(labels(await editor.complete(modulePath, "scenario: |call"))).toEqual(["call"]);
    expect(labels(await editor.complete(modulePath, "provider: { |id"))).toEqual(["id", "name"]);
    expect(labels(await editor.complete(modulePath, "type: |number"))).toEqual(["string", "number", "boolean", "list"]);
    expect(labels(await editor.complete(modulePath, "        |durationSecs"))).toContain("iterationSleepSecs");
    expect(labels(await editor.complete(modulePath, "|testCases"))).toEqual(expect.arrayContaining(["use"]));
  });

  it("proposes the objects of instances, and leads to the module's lines", async () => {
    expect(labels(await editor.complete(mainPath, "configuration: |orders-api"))).toEqual([
      "orders-api/load",
      "carts-api/load",
    ]);
    expect(places((await editor.definition(mainPath, "orders-api/lo|ad")) as never)).toEqual(["api.yaml:9"]);
    expect(await editor.definition(mainPath, "module: modules/a|pi.yaml")).toMatchObject({
      uri: expect.stringMatching(/modules\/api\.yaml$/),
    });
  });

  it("shows a parameter, leads to it and finds its uses", async () => {
    const shown = {
      contents: {
        value: "**path**: string, required, a parameter of modules/api.yaml\n\nWhat is requested\n\nRequired.",
      },
    };
    expect(await editor.hover(mainPath, "      pa|th: /orders")).toMatchObject(shown);
    expect(await editor.hover(modulePath, "$" + "{param:pa|th}")).toMatchObject(shown);
    expect(places((await editor.definition(mainPath, "carts: { pa|th")) as never)).toEqual(["api.yaml:2"]);
    expect(places((await editor.definition(modulePath, "$" + "{param:us|ers}")) as never)).toEqual(["api.yaml:3"]);
    expect(places(await editor.references(modulePath, "  us|ers: { type")).sort()).toEqual([
      ...["api.yaml:12", "api.yaml:3", "loadform.yaml:11", "loadform.yaml:15"],
    ]);
  });

  it("renames a parameter in its module and in all uses", async () => {
    const edit = await editor.rename(mainPath, "carts: { path: /carts, us|ers", "clients");
    expect(editor.after(modulePath, edit)).toBe(
      module.replace("  users:", "  clients:").replace("param:users", "param:clients"),
    );
    expect(editor.after(mainPath, edit)).toBe(main.replaceAll("users:", "clients:"));
    await change(modulePath, 'call: { script: "get', 'call: { description: "$${param:users}", script: "get');
    const escaped = await editor.rename(modulePath, "  us|ers: { type", "clients");
    expect(editor.after(modulePath, escaped)).toContain("$${param:users}");
    await change(modulePath, 'description: "$${param:users}", ', "");
    await expect(editor.rename(modulePath, "  us|ers: { type", "path")).rejects.toThrow("has a parameter path already");
    await expect(editor.rename(modulePath, "  us|ers: { type", "a b")).rejects.toThrow("cannot be the name");
  });

  it("renames a key of a module there and where the project names it, and asks before it adds a move", async () => {
    const inModule = await editor.rename(modulePath, "      ca|ll: { script", "request");
    expect(editor.after(modulePath, inModule)).toBe(
      module.replace("      call:", "      request:").replace("scenario: call", "scenario: request"),
    );
    expect(editor.after(mainPath, inModule)).toBe(main);
    await change(mainPath, "      path: /orders\n", `      path: /orders\n${patch}`);
    for (const [path, mark] of [
      [modulePath, "      lo|ad:\n"],
      [mainPath, "configurations: { lo|ad"],
    ] as const) {
      const edit = await editor.rename(path, mark, "quick");
      expect(edit?.changeAnnotations).toBeUndefined();
      expect(editor.after(modulePath, edit)).toBe(module.replace("      load:", "      quick:"));
      expect(editor.after(mainPath, edit)).toBe(
        main
          .replace("      path: /orders\n", `      path: /orders\n${patch.replace("load", "quick")}`)
          .replace("api/load", "api/quick"),
      );
    }
    const test = await editor.rename(modulePath, "  a|pi:", "web");
    expect(editor.after(mainPath, test)).toContain("patch: { testCases: { web: {");
    expect(editor.after(mainPath, test)).toContain("configuration: orders-web/load");
    await change(mainPath, patch, "");
    await expect(editor.rename(mainPath, "orders-api/lo|ad", "quick")).rejects.toThrow("A module declares it");
    await change(mainPath, "gates:", "tags: { nightly: { name: each night } }\ngates:");
    const asked = await editor.rename(mainPath, "tags: { nigh|tly", "daily");
    expect(asked?.changeAnnotations).toMatchObject({
      moved: { label: "Add an entry to moved", needsConfirmation: true },
    });
    const edits = (asked?.documentChanges ?? []).flatMap((each) => ("edits" in each ? each.edits : []));
    expect(edits.filter((each) => "annotationId" in each)).toMatchObject([
      { newText: expect.stringContaining("from: tag.nightly") },
    ]);
    await change(mainPath, "tags: {", "moved: []\ntags: {");
    await expect(editor.rename(mainPath, "tags: { nigh|tly", "daily")).rejects.toThrow("moved is a list in brackets");
    await change(mainPath, "moved: []\ntags: { nightly: { name: each night } }\n", "");
  });

  it("answers in a patch as in the module", async () => {
    await change(mainPath, "      path: /orders\n", `      path: /orders\n${patch}`);
    expect(labels(await editor.complete(mainPath, "patch: { |testCases"))).toEqual(["parameters", "use", "testCases"]);
    expect(labels(await editor.complete(mainPath, "testCases: { |api"))).toEqual(["api"]);
    expect(labels(await editor.complete(mainPath, "load: { |scenario"))).toContain("durationSecs");
    expect(labels(await editor.complete(mainPath, "load: { scenario: |call"))).toEqual(["call"]);
    expect(await editor.hover(mainPath, "load: { scen|ario")).toMatchObject({
      contents: { value: expect.stringContaining("**scenario**: reference to a scenario") },
    });
    expect(places((await editor.definition(mainPath, "load: { scenario: ca|ll")) as never)).toEqual(["api.yaml:7"]);
    expect(places((await editor.definition(mainPath, "configurations: { lo|ad")) as never)).toEqual(["api.yaml:9"]);
    expect(places(await editor.references(modulePath, "      ca|ll: { script"))).toEqual([
      ...["api.yaml:7", "api.yaml:10", "loadform.yaml:8"],
    ]);
    expect(places(await editor.references(modulePath, "      lo|ad:\n"))).toEqual([
      ...["api.yaml:9", "loadform.yaml:14", "loadform.yaml:8"],
    ]);
    const edit = await editor.rename(modulePath, "  pa|th: {", "route");
    expect(editor.after(mainPath, edit)).toContain("description: '${param:route}'");
    await change(mainPath, patch, "");
  });

  it("shows an instance, finds it and renames it with the moves of its test cases", async () => {
    expect(await editor.hover(mainPath, "  ord|ers:\n")).toMatchObject({
      contents: {
        value: expect.stringContaining("`orders` (instance)\n\nUses modules/api.yaml\n\nTest cases: `orders-api`"),
      },
    });
    expect(await editor.hover(mainPath, "      car|ts:")).toMatchObject({
      contents: { value: expect.stringContaining("Test cases: `carts-api`") },
    });
    expect(places(await editor.references(mainPath, "  ord|ers:\n"))).toEqual([
      ...["loadform.yaml:4", "loadform.yaml:15", "loadform.yaml:13"],
    ]);
    const edit = await editor.rename(mainPath, "use: { ord|ers", "purchases");
    expect(edit?.changeAnnotations).toBeDefined();
    expect(editor.after(mainPath, edit)).toBe(
      `${main.replace("  orders:\n", "  purchases:\n").replace("orders-api", "purchases-api").replace("use: { orders", "use: { purchases")}moved:\n  - { from: testCase.orders-api, to: testCase.purchases-api }\n`,
    );
    const group = await editor.rename(mainPath, "  oth|ers:\n", "more");
    expect(editor.after(mainPath, group)).toContain("  more:\n");
    await expect(editor.rename(mainPath, "      car|ts:", "orders")).rejects.toThrow("orders exists already");
    expect(labels(await editor.complete(mainPath, "staging: { use: { |orders"))).toEqual(["orders", "others"]);
    expect(await editor.symbols(mainPath)).toMatchObject([
      { name: "orders", detail: "instance" },
      { name: "others", children: [{ name: "carts", detail: "instance" }] },
    ]);
  });

  it("leads from the default environment to where it is declared", async () => {
    await change(mainPath, "environments:", "defaultEnvironment: staging\nenvironments:");
    expect(places((await editor.definition(mainPath, "defaultEnvironment: sta|ging")) as never)).toEqual([
      "loadform.yaml:16",
    ]);
    expect(places(await editor.references(mainPath, "  sta|ging: {"))).toEqual([
      "loadform.yaml:16",
      "loadform.yaml:14",
    ]);
    await expect(editor.rename(mainPath, "  sta|ging: {", "test")).rejects.toThrow("stored under its name");
    await change(mainPath, "defaultEnvironment: staging\n", "");
  });

  it("proposes and shows the key of the instance", async () => {
    await change(modulePath, "durationSecs: 60", "durationSecs: 60\n        description: ${each:key}");
    expect(labels(await editor.complete(modulePath, "${each:|key}"))).toEqual(["key"]);
    expect(await editor.hover(modulePath, "${each:k|ey}")).toMatchObject({
      contents: { value: expect.stringContaining("the key of the instance") },
    });
    await change(modulePath, "\n        description: ${each:key}", "");
  });

  it("shows a problem of a module at its line, with the uses that led there", async () => {
    await change(modulePath, "durationSecs: 60", "durationSecs: long");
    const [problem] = await editor.problemsWith(modulePath, "durationSecs");
    expect(problem?.range.start).toEqual({ line: 10, character: 22 });
    expect(problem?.relatedInformation).toMatchObject([
      { location: { uri: expect.stringMatching(/loadform\.yaml$/), range: { start: { line: 3, character: 2 } } } },
    ]);
    await change(modulePath, "durationSecs: long", "durationSecs: 60");
    await editor.noProblems(modulePath);
  });

  it("corrects the problem that is asked for, not another one of its line, and a word within a longer text", async () => {
    const whole = module.slice(module.indexOf("load:"));
    const broken = 'load: { scenario: call, description: "of ${each:kay}", durationSecs: 60, providers: [] }\n';
    await change(modulePath, whole, broken);
    const found = await editor.problemsWith(modulePath, "${each:kay}");
    const [misspelt, missing] = ["LF1204", "LF1201"].map((code) => found.find((each) => each.code === code));
    if (!misspelt || !missing) throw new Error(JSON.stringify(found));
    expect(missing.range.start.line).toBe(misspelt.range.start.line);
    expect(await editor.actions(modulePath, missing)).toEqual([]);
    const [action, ...more] = await editor.actions(modulePath, misspelt);
    expect([action?.title, more]).toEqual(["Change ${each:kay} to ${each:key}", []]);
    const corrected = editor.after(modulePath, action?.edit);
    expect(corrected).toBe(module.replace(whole, broken.replace("kay", "key")));
    // An editor that names no problem asks by the place of its cursor.
    expect(await editor.actions(modulePath, { range: misspelt.range })).toHaveLength(1);
    expect(await editor.actions(modulePath, { range: missing.range })).toEqual([]);
    await change(modulePath, broken, whole);
    await editor.noProblems(modulePath);
  });

  it("formats a module, and still answers in one that cannot be read", async () => {
    const [first, second] = ["        durationSecs: 60\n", "        concurrentClients: ${param:users}\n"];
    const edits = await editor.format(modulePath);
    expect(editor.after(modulePath, { changes: { [`file://${modulePath}`]: edits } })).toBe(
      module.replace(first + second, second + first),
    );
    await change(modulePath, "        durationSecs: 60\n", "        durationSecs: 60\n        ite\n");
    await editor.problemsWith(modulePath, "");
    expect(labels(await editor.complete(modulePath, "        ite|\n"))).toContain("iterationSleepSecs");
    expect(labels(await editor.complete(modulePath, "$" + "{param:|users}"))).toEqual(["path", "users"]);
    await change(modulePath, "        ite\n", "");
    await editor.noProblems(modulePath);
  });
});
