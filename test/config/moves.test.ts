import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressMatcher, coveringEntry } from "../../src/model/address.ts";
import { loadFiles } from "../support/load-files.ts";
import { scenario } from "../support/one-test-case.ts";
import { toTree } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";

const project = (block: string) => loadFiles(`testCases: { k: {} }\n${block}\n`);
const problems = async (block: string) =>
  (await project(block)).diagnostics.map(({ code, summary }) => `${code} ${summary}`);

describe("a text that is no address", () => {
  test.each(["testCases.old", "testCase.old b", "testCase.old#", '"testCase.old "', "testCase.old/**", "testCase.ol*"])(
    "%s is refused under moved",
    async (from) => {
      expect(await problems(`moved: [{ from: ${from}, to: testCase.k }]`)).toEqual([
        `LF1306 ${from.replaceAll('"', "")} is not an address`,
      ]);
    },
  );

  test.each([
    "testCases.old",
    "testCase.old b",
    "testCase.old#",
    "testCases.*",
    "testCase.old*/dataStore",
    "scenario.*",
    "*/testCase.*",
    "tag.x/*",
    "testCase.a/dataStore.*",
    "testCase.a *",
  ])("%s is refused under removed", async (address) => {
    expect(await problems(`removed: [{ address: "${address}" }]`)).toEqual([`LF1306 ${address} is not an address`]);
  });
});

test.each([
  "testCase.old-*",
  "testCase.old-?",
  "testCase.old-a/**",
  "*.old-a",
  "**/scenario.*",
  "*/scenario.s",
  "testCase.a/scenario.*/dataStore.?",
])("%s may be removed", async (address) => {
  const block = `removed: [{ address: "${address}", destroy: false }]`;
  expect(await problems(block)).toEqual([]);
  expect((await project(block)).removed).toEqual([{ address, destroy: false }]);
});

test.each([
  ["shop", "done, below a parent that moves later", []],
  ["other", "to nowhere", ["LF1306 testCase.shop/scenario.b is not declared"]],
])("a move within testCase.%s: %s", async (parent, _, expected) => {
  const below = "{ from: testCase.shop/scenario.a, to: testCase.shop/scenario.b }";
  const documents = `testCases: { k: { scenarios: { b: { script: x } } } }\nmoved: [${below}, { from: testCase.${parent}, to: testCase.k }]\n`;
  expect((await loadFiles(documents)).diagnostics.map(({ code, summary }) => `${code} ${summary}`)).toEqual(expected);
});

test("a plain address that is removed wins over a glob, and covers what is below it", async () => {
  const removed = [
    { address: "testCase.**", destroy: false },
    { address: "testCase.a", destroy: true },
  ];
  const find = coveringEntry(removed);
  expect(["testCase.a/scenario.s", "testCase.b/scenario.s", "tag.x"].map((each) => find(each)?.destroy)).toEqual([
    true,
    false,
    undefined,
  ]);
});

test("the entry of an address is that which looking at all of them finds", () => {
  const step = fc.constantFrom("testCase.a", "testCase.b", "scenario.s", "*", "**", "scenario.?");
  const address = fc.array(fc.constantFrom("testCase.a", "testCase.b", "scenario.s"), { minLength: 1, maxLength: 3 });
  const globs = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 6 });
  fc.assert(
    fc.property(globs, address, (all, steps) => {
      const entries = [...new Set(all.map((each) => each.join("/")))].map((text) => ({ address: text }));
      const chain = steps.map((_, index) => steps.slice(0, steps.length - index).join("/"));
      const plain = chain.flatMap((each) => entries.filter((entry) => entry.address === each));
      const named = entries.filter((entry) => /[*?]/.test(entry.address) && chain.some(addressMatcher(entry.address)));
      expect(coveringEntry(entries)(chain[0] ?? "")).toEqual([...plain, ...named][0]);
    }),
  );
});

test("what a glob names is forgotten with what is below it, and nothing else", async () => {
  const rig = makeRig();
  const named = (key: string) => ({ kind: "testCase", key, fields: { name: key }, below: [scenario("s")] });
  await rig.apply(toTree(["old-a", "old-b", "other", "k"].map(named)));
  const removed = [{ address: "testCase.old-*", destroy: false }];
  const { counts } = await rig.apply(toTree([named("k")]), { removed });
  expect(counts).toMatchObject({ delete: 2 });
  const left = Object.keys((await rig.stored())?.state.resources ?? {});
  expect(left).toEqual(["testCase.k", "testCase.k/scenario.s"]);
  expect((await serviceBodies(rig)).filter((kind) => kind === "scenario")).toHaveLength(3);
});

test.each([
  [
    "moved: [{ from: testCase.a, to: testCase.k }, { from: testCase.b, to: testCase.k }]",
    "LF1306 two objects move to testCase.k",
  ],
  [
    "removed: [{ address: testCase.a, destroy: false }, { address: testCase.a }]",
    "LF1306 testCase.a is both deleted and forgotten",
  ],
  ["removed: [{ address: testCase.a }, { address: testCase.a, destroy: true }]", undefined],
])("entries that exclude each other are refused: %s", async (block, expected) => {
  expect(await problems(block)).toEqual(expected === undefined ? [] : [expected]);
});
