import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startEditor } from "../support/editor-client.ts";
import { freshFolder } from "../support/run-cli.ts";

const main = `project: shop
service: { url: "memory:" }
# not the entries of moved:
removed:
  - { from: testCase.old, destroy: false }
moved:
  - { from: testCase.cart, to: testCase.checkout }
environments:
  staging:
    gates: { release: { configuration: checkout/smoke, kpis: ["Outcome[success] > 95%"] } }
    testCases: { only: { scenarios: { s: { script: "s()" } } } }
testCases:
  checkout:
    scenarios: { browse: { script: "b()" } }
    configurations:
      smoke: { scenario: browse, concurrentClients: 1, durationSecs: 60, providers: [{ provider: { id: 0 } }] }
`;
const root = freshFolder();
const path = join(root, "loadform.yaml");
let editor: Awaited<ReturnType<typeof startEditor>>;

beforeAll(async () => {
  writeFileSync(path, main);
  editor = await startEditor([root]);
  await editor.open(path, main);
});
afterAll(() => editor.stop());

it("a renaming adds its entry to moved, and renames what an environment's gate names", async () => {
  const edit = await editor.rename(path, "      smo|ke:", "quick");
  expect(editor.after(path, edit)).toBe(
    main
      .replace(
        "\nmoved:\n  -",
        "\nmoved:\n  - { from: testCase.checkout/configuration.smoke, to: testCase.checkout/configuration.quick }\n  -",
      )
      .replace("      smoke:", "      quick:")
      .replace("checkout/smoke", "checkout/quick"),
  );
});

it.each([
  [
    "back to a former key, of which moved has an entry",
    "  check|out:",
    "cart",
    "moved has an entry from testCase.cart: remove it",
  ],
  ["to what YAML reads as a number", "      smo|ke:", "500", "reads 500 as a number"],
  ["to what YAML reads as null", "      smo|ke:", "null", "reads null as"],
  ["of what only an environment declares", "testCases: { on|ly:", "more", "Only an environment declares testCase.only"],
])("a renaming is refused %s", async (_, mark, key, words) => {
  await expect(editor.rename(path, mark, key)).rejects.toThrow(words);
});

it.each(["{", "...\n"])("a renaming is refused where no entry can be added to the file: %s", async (how) => {
  const other = freshFolder();
  const flow = '{ project: shop, service: { url: "memory:" }, testCases: { checkout: {} } }\n';
  const text = how === "{" ? flow : `project: shop\nservice: { url: "memory:" }\ntestCases:\n  checkout: {}\n${how}`;
  const file = join(other, "loadform.yaml");
  writeFileSync(file, text);
  const second = await startEditor([other]);
  await second.open(file, text);
  await expect(second.rename(file, "check|out:", "buy")).rejects.toThrow("write both in lines");
  await second.stop();
});

it("a renaming of an instance adds its moves where the module is elsewhere in the work tree", async () => {
  const tree = freshFolder();
  const file = join(tree, "shop", "loadform.yaml");
  for (const folder of [".git", "shop", "shared"]) mkdirSync(join(tree, folder));
  writeFileSync(join(tree, "shared", "api.yaml"), "testCases: { api: {} }\n");
  const text = 'project: shop\nservice: { url: "memory:" }\nuse:\n  orders: { module: ../shared/api.yaml }\n';
  writeFileSync(file, text);
  const second = await startEditor([join(tree, "shop")]);
  await second.open(file, text);
  const edit = await second.rename(file, "  ord|ers:", "carts");
  expect(second.after(file, edit)).toBe(
    `${text.replace("orders", "carts")}moved:\n  - { from: testCase.orders-api, to: testCase.carts-api }\n`,
  );
  await second.stop();
});

it.each([
  ["a tag", "  night|ly: {}", "weekly", "write name: nightly below it"],
  ["a region", "  dc|1: {", "dc2", "write name: dc1 below it"],
])(
  "a renaming of %s that is called by its key is refused, and one that has a name is not",
  async (_, mark, key, words) => {
    const folder = freshFolder();
    const file = join(folder, "loadform.yaml");
    const text = `project: shop
service: { url: "memory:" }
providers: { grid: { providerType: Shared } }
tags:
  nightly: {}
  other: { name: each week }
regions:
  dc1: { provider: grid }
`;
    writeFileSync(file, text);
    const second = await startEditor([folder]);
    await second.open(file, text);
    await expect(second.rename(file, mark, key)).rejects.toThrow(words);
    const edit = await second.rename(file, "  oth|er: {", "weekly");
    expect(second.after(file, edit)).toContain("  weekly: { name: each week }");
    await second.stop();
  },
);
