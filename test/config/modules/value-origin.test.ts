import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Scalar } from "yaml";
import type { Project } from "../../../src/config/load-project.ts";
import { yamlEditor } from "../../../src/yaml/yaml-editor.ts";
import { check } from "../../support/deep.ts";
import { loadFiles, nodeAt } from "../../support/load-files.ts";

const configuration = (own: string) =>
  `{ scenario: call, durationSecs: 60, ${own}providers: [{ provider: { id: 0 } }] }`;
const module = (parameters: string, own: string) => `parameters: ${parameters}
testCases:
  api:
    scenarios: { call: { script: "a()" } }
    configurations:
      load: ${configuration(own)}
`;
const users = 'concurrentClients: "${param:users}", ';
const simple = module("{ users: { default: 5 } }", users);

const path = (key: string) => ["testCases", key, "configurations", "load"];
const originOf = (project: Project, key: string, field = "concurrentClients") => project.findOrigin?.(path(key), field);

describe("the origin of a value of a module", () => {
  const uses = (use: string, files: Readonly<Record<string, string>> = { "m.yaml": simple }) =>
    loadFiles(`use: ${use}\n`, { files });

  test.each([
    ["under with", "{ a: { module: m.yaml, with: { users: 7 } } }", ["use", "a", "with"], "users"],
    [
      "in an entry of forEach",
      "{ x: { module: m.yaml, forEach: { a: { users: 7 }, b: {} } } }",
      ["use", "x", "forEach", "a"],
      "users",
    ],
    [
      "under with beside several entries, in which it is overridden",
      "{ x: { module: m.yaml, with: { users: 7 }, forEach: { a: {}, b: {} } } }",
      ["use", "x", "forEach", "a"],
      "users",
    ],
    [
      "under with beside one entry",
      "{ x: { module: m.yaml, with: { users: 7 }, forEach: { a: {} } } }",
      ["use", "x", "with"],
      "users",
    ],
    [
      "in a patch",
      "{ a: { module: m.yaml, patch: { testCases: { api: { configurations: { load: { concurrentClients: 8 } } } } } } }",
      ["use", "a", "patch", "testCases", "api", "configurations", "load"],
      "concurrentClients",
    ],
  ])("is %s", async (_, use, place, name) => {
    expect(originOf(await uses(use), "a-api")).toMatchObject({ file: "loadform.yaml", path: place, name });
  });

  test("is in the module's file where one instance uses it, and nowhere where several do", async () => {
    const one = await uses("{ a: { module: m.yaml } }");
    const place = { file: "m.yaml", path: path("api"), name: "durationSecs", raw: 60 };
    expect(originOf(one, "a-api", "durationSecs")).toEqual(place);
    const two = await uses("{ a: { module: m.yaml }, b: { module: m.yaml } }");
    expect(originOf(two, "a-api", "durationSecs")).toEqual({ why: "m.yaml declares it for 2 instances" });
  });

  test.each([
    ["a default", "{ a: { module: m.yaml } }", simple, "it is the default of the parameter users (m.yaml:1)"],
    [
      "a part of a text",
      "{ a: { module: m.yaml, with: { word: w } } }",
      module("{ word: {} }", 'description: "in ${param:word}", '),
      "it is made of ${param:word}",
    ],
    [
      "the instance's key",
      "{ a: { module: m.yaml } }",
      module("{}", 'description: "${each:key}", '),
      "it is made of ${each:key}",
    ],
    [
      "a patch of several entries",
      "{ x: { module: m.yaml, forEach: { a: {}, b: {} }, patch: { testCases: { api: { configurations: { load: { description: d } } } } } } }",
      simple,
      "the patch is for 2 instances",
    ],
  ])("is none of %s", async (_, use, text, why) => {
    const project = await uses(use, { "m.yaml": text });
    const field = text === simple && !use.includes("patch") ? "concurrentClients" : "description";
    expect(originOf(project, "a-api", field)).toEqual({ why });
  });

  test("is where the outermost use gives it, through a module in between", async () => {
    const files = {
      "m.yaml": simple,
      "outer.yaml":
        "parameters: { clients: {} }\nuse: { in: { module: m.yaml, with: { users: '${param:clients}' } } }\n",
    };
    const project = await uses("{ a: { module: outer.yaml, with: { clients: 3 } } }", files);
    expect(originOf(project, "a-in-api")).toMatchObject({ path: ["use", "a", "with"], name: "clients", raw: 3 });
    const patched = { in: { with: { users: 9 } } };
    const other = await uses(
      `{ a: { module: outer.yaml, with: { clients: 3 }, patch: ${JSON.stringify({ use: patched })} } }`,
      files,
    );
    expect(originOf(other, "a-in-api")).toMatchObject({ path: ["use", "a", "patch", "use", "in", "with"], raw: 9 });
  });

  test("is nowhere for a module outside the project's folder, and for an object of the project itself", async () => {
    const own = await loadFiles(
      `testCases: { own: { configurations: { load: ${configuration("")} }, scenarios: { call: {} } } }\n`,
    );
    expect(originOf(own, "own")).toBeUndefined();
  });
});

describe("a value that is written at its origin", () => {
  const count = fc.integer({ min: 1, max: 9 });
  const value = fc.option(count, { nil: undefined });
  const given = value.map((number) => (number === undefined ? {} : { users: number }));
  const patch = value.map((number) =>
    number === undefined
      ? {}
      : { patch: { testCases: { api: { configurations: { load: { concurrentClients: number } } } } } },
  );
  const use = (file: string, [first, second]: readonly [string, string]) =>
    fc
      .oneof(
        fc.record({ with: given }),
        fc.record({ with: given, forEach: fc.record({ [first]: given, [second]: given }, { requiredKeys: [first] }) }),
      )
      .chain((made) => patch.map((more) => ({ module: file, ...made, ...more })));
  const projects = fc.record({
    own: fc.constantFrom(users, "concurrentClients: 4, "),
    inner: fc.option(
      fc
        .tuple(use("m.yaml", ["i", "j"]), fc.boolean())
        .map(([made, isPassed]) => (isPassed ? { ...made, with: { users: "${param:users}" } } : made)),
      { nil: undefined },
    ),
    uses: fc.record({ one: use("outer.yaml", ["p", "q"]), two: use("m.yaml", ["r", "s"]) }, { requiredKeys: ["one"] }),
  });

  interface Written {
    readonly before: Project;
    readonly after: Project;
    readonly key: string;
    readonly keys: readonly string[];
    readonly at: string;
  }

  /** A project with another value at the origin of one; undefined where that has none. */
  async function writeOne(
    { own, inner, uses }: Record<"own" | "inner" | "uses", unknown>,
    pick: number,
  ): Promise<Written | undefined> {
    const files = {
      "m.yaml": module("{ users: { default: 5 } }", String(own)),
      "outer.yaml": `${module("{ users: { default: 6 } }", String(own))}use: ${JSON.stringify(inner === undefined ? {} : { in: inner })}\n`,
    };
    const main = `project: shop\nservice: { url: "memory:" }\nuse: ${JSON.stringify(uses)}\n`;
    const before = await loadFiles(main, { files });
    expect(before.diagnostics).toEqual([]);
    const keys = [...before.tree.nodes.values()].filter(({ kind }) => kind === "testCase").map((node) => node.key);
    const key = keys[pick % keys.length] ?? "";
    const origin = originOf(before, key) ?? { why: "no module" };
    if ("why" in origin) return undefined;
    const { file, parameters = [], ...place } = origin;
    const texts: Record<string, string> = { ...files, "loadform.yaml": main };
    const editor = yamlEditor(texts[file] ?? "");
    const how = { order: parameters, whole: false, mayDrop: false, isDefaulted: false };
    editor.write({ ...place, ...how, field: place.name, next: new Scalar(77) });
    const { "loadform.yaml": yaml = "", ...others } = { ...texts, [file]: editor.text() };
    return { before, after: await loadFiles(yaml, { files: others }), key, keys, at: placeText(before, key) };
  }

  const clients = (project: Project, key: string) =>
    nodeAt(project, `testCase.${key}/configuration.load`).fields["concurrentClients"];

  function placeText(project: Project, key: string): string {
    const origin = originOf(project, key) ?? { why: "" };
    return "why" in origin ? origin.why : JSON.stringify([origin.file, origin.path]);
  }

  test("is the value of its object, and of no other one whose origin is elsewhere", async () => {
    let count = 0;
    const property = fc.asyncProperty(projects, fc.nat(), async (project, pick) => {
      const written = await writeOne(project, pick);
      if (written === undefined) return;
      count++;
      const { before, after, key, keys, at } = written;
      expect(after.diagnostics).toEqual([]);
      expect(clients(after, key)).toBe(77);
      for (const each of keys.filter((other) => placeText(before, other) !== at))
        expect(clients(after, each), each).toBe(clients(before, each));
    });
    await check("origins", property, { few: 300, deep: 20_000 });
    expect(count).toBeGreaterThan(20);
  });
});
