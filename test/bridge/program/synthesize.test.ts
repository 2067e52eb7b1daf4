import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunApp } from "../../../src/bridge/program/run-app.ts";
import { loadProject } from "../../../src/config/load-project.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { sha256 } from "../../../src/workspace/hash.ts";
import { memoryWorkspace } from "../../../src/workspace/memory-workspace.ts";

const shop: JsonObject = {
  provider: { loadform: [{ url: "memory:" }] },
  resource: {
    loadform_test_case: {
      group_checkout_1234: { "//": { metadata: { path: "shop/group/checkout" } }, name: "Checkout" },
    },
  },
};
type AppRun = Parameters<RunApp>[0];
type AppEnd = Awaited<ReturnType<RunApp>>;

const others: JsonObject = { resource: { random_id: { r: {} } } };

/** A program that writes these stacks, and what it was run with. */
function program(stacks: Readonly<Record<string, JsonObject>>, more: JsonObject = {}, end: Partial<AppEnd> = {}) {
  const runs: AppRun[] = [];
  const runApp = async (run: AppRun): Promise<AppEnd> => {
    runs.push(run);
    const manifest: Record<string, Json> = {};
    for (const [name, content] of Object.entries(stacks)) {
      const path = `stacks/${name}/cdk.tf.json`;
      await write(join(run.env["CDKTF_OUTDIR"] ?? "", path), content);
      manifest[name] = { name, synthesizedStackPath: path, ...more };
    }
    await write(join(run.env["CDKTF_OUTDIR"] ?? "", "manifest.json"), { version: "0.21.0", stacks: manifest });
    return { code: 0, lastLines: [], ...end };
  };
  return { runs, runApp };
}

async function write(path: string, value: Json) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value));
}

function load(
  cdktf: Json,
  { runApp }: Pick<ReturnType<typeof program>, "runApp">,
  more: { readonly environment?: string } = {},
) {
  const workspace = memoryWorkspace({ "cdktf.json": JSON.stringify(cdktf) }, "/work/shop");
  const rest = { kinds, env: { PATH: "/bin" }, vars: {}, unsetEnv: "error", hash: sha256 } as const;
  return loadProject({ workspace, runApp, ...rest, ...more });
}

describe("a folder with cdktf.json", () => {
  test("is what its program synthesizes into a folder of its own", async () => {
    const made = program({ shop, others });
    const context = { excludeStackIdFromLogicalIds: "true" };
    const targetVersions = { terraform: ">=1.11.0" };
    const project = await load({ app: "node main.js", context, targetVersions, output: "old" }, made);
    expect(project.diagnostics).toEqual([]);
    expect(project).toMatchObject({ name: "shop", language: "terraform", service: { url: "memory:" } });
    expect([...project.tree.nodes.keys()]).toEqual(["testCase.group_checkout_1234"]);
    const [{ app, cwd, env }] = made.runs as [AppRun];
    expect({ app, cwd, path: env["PATH"] }).toEqual({ app: "node main.js", cwd: "/work/shop", path: "/bin" });
    expect(JSON.parse(env["CDKTF_CONTEXT_JSON"] ?? "")).toEqual({ ...context, targetVersions });
  });

  test("has one stack with resources of loadform", async () => {
    const two = await load({ app: "x" }, program({ a: shop, b: shop }));
    expect(two.diagnostics).toMatchObject([{ code: "LF1010", detail: expect.stringContaining("in a, b.") }]);
    const none = await load({ app: "x" }, program({ others }));
    expect(none.diagnostics).toMatchObject([{ code: "LF1010", detail: expect.stringContaining("in others.") }]);
  });

  test("may have lost its last resource", async () => {
    const project = await load({ app: "x" }, program({ others, shop: { provider: shop["provider"] ?? null } }));
    expect(project.diagnostics).toEqual([]);
    expect(project.tree.nodes.size).toBe(0);
  });

  test("says what its program says of constructs", async () => {
    const stacktrace = ["at lib (/work/shop/node_modules/x.js:1:1)", "at main (/work/shop/main.js:7:3)"];
    const annotation = (level: string) => ({
      level: `@cdktf/${level}`,
      message: `a ${level}`,
      constructPath: "shop/x",
      stacktrace,
    });
    const annotations = ["info", "warn", "error"].map(annotation);
    const { diagnostics } = await load({ app: "x" }, program({ shop }, { annotations }));
    const place = { file: "main.js", line: 7, column: 3 };
    expect(diagnostics).toMatchObject([
      { severity: "warning", summary: "a warn", ...place },
      { severity: "error", summary: "a error", ...place },
    ]);
  });

  test("tells problems by the construct that made the object", async () => {
    const bad = JSON.parse(
      JSON.stringify(shop).replace('"Checkout"', '"Checkout","description":5,"x":"y"'),
    ) as JsonObject;
    const long = JSON.parse(JSON.stringify(shop).replace('"Checkout"', '" "')) as JsonObject;
    const first = await load({ app: "x" }, program({ shop: bad }));
    expect(first.diagnostics).toMatchObject([
      { code: "LF1101", detail: expect.stringContaining("shop/group/checkout") },
    ]);
    const second = await load({ app: "x" }, program({ shop: long }));
    expect(second.diagnostics).toMatchObject([
      { code: "LF1202", detail: expect.stringContaining("shop/group/checkout") },
    ]);
  });

  test("has no environments, and says what to do in their place", async () => {
    const { diagnostics } = await load({ app: "x" }, program({ shop }), { environment: "staging" });
    expect(diagnostics).toMatchObject([{ code: "LF1304", summary: "unknown environment staging" }]);
    expect(diagnostics[0]?.detail).toMatch(/--var NAME=… or \$TF_VAR_NAME.*a folder of its own/);
    expect((await load({ app: "x" }, program({ shop }), { environment: "" })).diagnostics).toEqual([]);
  });

  test("is refused when its program fails, with the last lines of that", async () => {
    const { diagnostics } = await load({ app: "node x" }, program({ shop }, {}, { code: 7, lastLines: ["a", "b"] }));
    expect(diagnostics).toMatchObject([{ code: "LF1010", file: "cdktf.json" }]);
    expect(diagnostics[0]?.detail).toContain("exit code 7, so nothing was synthesized. Its last lines:\n  a\n  b");
  });

  test("is refused when its program writes nothing, and without a program", async () => {
    const silent = { runApp: async () => ({ code: 0, lastLines: [] }) };
    expect((await load({ app: "true" }, silent)).diagnostics).toMatchObject([{ summary: "nothing was synthesized" }]);
    expect((await load({ language: "go" }, silent)).diagnostics).toMatchObject([{ summary: "app is missing" }]);
  });
});
