import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { State } from "../../src/state/state.ts";
import { checksummedText, readState, StateUnusable, stateText } from "../../src/state/state-text.ts";
import { StoreFailed } from "../../src/state/store.ts";
import { repository } from "../support/source-files.ts";

const folder = join(repository, "test", "fixtures", "states");
const golden = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
const full = golden.find(({ name }) => name === "v1-full.json")!.text;
const runs = process.env["LOADFORM_DEEP"] ? 1000 : 200;

/** The text with one part of it replaced; the part has to be there. */
function changed(from: string, to: string): string {
  expect(full).toContain(from);
  return full.replace(from, to);
}

describe("golden states (P19)", () => {
  test.each(golden)("$name opens, and nothing of it is lost when it is written again", ({ text }) => {
    const state = readState(text);
    expect(state).toEqual(JSON.parse(text));
    expect(readState(stateText(state))).toEqual(state);
    expect(stateText(readState(stateText(state)))).toBe(stateText(state));
  });

  test("the text names its members in a stable order, one resource to a line", () => {
    const { resources } = readState(full);
    const reversed = { ...readState(full), resources: Object.fromEntries(Object.entries(resources).reverse()) };
    expect(stateText(reversed)).toBe(stateText(readState(full)));
    const lines = stateText(reversed).split("\n");
    for (const address of Object.keys(resources))
      expect(lines.filter((line) => line.startsWith(`    ${JSON.stringify(address)}: {`))).toHaveLength(1);
  });
});

describe("a state that its own reader would refuse", () => {
  const resource = { kind: "testCase", id: 1, createdAt: "2026-11-20T10:00:00.000Z", applied: {} };
  test.each([
    ["no id", { ...resource, id: undefined }],
    ["an id that is a text", { ...resource, id: "7" }],
    ["a time that is none", { ...resource, createdAt: "soon" }],
  ])("is not made into a text: %s", (_, damaged) => {
    const state = { ...readState(full), resources: { "testCase.a": damaged as never } };
    expect(() => stateText(state)).toThrow(StoreFailed);
    expect(() => checksummedText(state)).toThrow("could not be read back");
  });
});

test("a state of Terraform is called so, and one of nobody by its format", () => {
  const foreign = { version: 4, terraform_version: "1.11.4", serial: 1, lineage: "a", resources: [] };
  expect(() => readState(JSON.stringify(foreign))).toThrow(
    "it is a state of Terraform or OpenTofu; name another place for loadform",
  );
  expect(() => readState('{"version":4}')).toThrow('its format is null, not "loadform-state/1"');
});

describe("members of a binding that hold nothing", () => {
  const bare = { kind: "testCase", id: 1, createdAt: "2026-01-01T00:00:00Z", applied: { name: "a" } } as const;
  const lookalike = { ...bare, applied: { name: 'x","seen":{}}', metadata: { content: {}, secrets: {} } } } as const;
  const state: State = { ...readState(full), resources: { "testCase.a": bare, "testCase.b": lookalike } };

  test("stand in the text", () => {
    const { resources } = JSON.parse(stateText(state)) as { resources: Record<string, object> };
    for (const resource of Object.values(resources))
      expect(resource).toMatchObject({ seen: {}, content: {}, secrets: {}, applied: expect.anything() });
  });

  test.each([
    ["our layout", (text: string) => text],
    ["one line", (text: string) => JSON.stringify(JSON.parse(text))],
    ["a member to a line", (text: string) => JSON.stringify(JSON.parse(text), undefined, 2)],
    ["lines of another system", (text: string) => text.replaceAll("\n", "\r\n")],
  ])("are absent again when it is read in %s, and what only looks like them stays", (_, layout) => {
    for (const text of [stateText(state), checksummedText(state)])
      expect(readState(layout(text).replace(/,\s*"checksum": ?"\w+"/, ""))).toStrictEqual(state);
    expect(readState(checksummedText(state))).toStrictEqual(state);
  });
});

describe("a damaged state is refused (P19)", () => {
  test("wherever it is cut off", () => {
    const end = full.trimEnd().length;
    for (let length = 0; length < end; length++)
      expect(() => readState(full.slice(0, length)), `cut at ${length}`).toThrow(StateUnusable);
  });

  const cases: readonly (readonly [string, string, string])[] = [
    ["another format", '"loadform-state/1"', '"loadform-state/2"'],
    ["a serial that is text", '"serial": 17', '"serial": "17"'],
    ["a negative serial", '"serial": 17', '"serial": -17'],
    ["a broken serial", '"serial": 17', '"serial": 1.7'],
    ["a serial that cannot be raised", '"serial": 17', '"serial": 9007199254740991'],
    ["no lineage", '"lineage": "6d1f0a2b3c4d5e6f708192a3b4c5d6e7"', '"lineage": ""'],
    ["a target without organization", '"organization": 1', '"organisation": 1'],
    ["a misspelt target", '"target"', '"tarqet"'],
    ["a misspelt environment", '"environment"', '"environmemt"'],
    ["a Terraform version", '"format"', '"version": 4, "format"'],
    ["a binding without id", '"id":7', '"ix":7'],
    ["a binding with a broken id", '"id":7', '"id":7.5'],
    [
      "a binding with a broken time",
      '"createdAt":"2026-01-01T00:00:02.000Z"',
      '"createdAt":"2026-01-01T00:0x:02.000Z"',
    ],
    ["a binding of another kind", '"kind":"scenario"', '"kind":"gateway"'],
    ["a binding at no address", '"testCase.checkout/scenario.browse"', '"testCase.checkout/browse"'],
    ["a misspelt protection", '"protect":true', '"brotect":true'],
    ["a protection that is text", '"protect":true', '"protect":"true"'],
    ["a fingerprint that is a number", '"0123456789abcdef0123456789abcdef"', "17"],
    ["a create in doubt without its time", '"t": 1767225600000,', ""],
    ["a create in doubt with broken ids", '"preIds": [0, 2]', '"preIds": [0, "2"]'],
    ["a create in doubt that is text", '"pending": [', '"pending": ["x",'],
  ];
  test.each(cases)("%s", (_title, from, to) => {
    expect(() => readState(changed(from, to))).toThrow(StateUnusable);
  });

  test("no flipped bit changes the shape of what is read: members, addresses and types stay", () => {
    const shapeOf = (state: State): unknown => JSON.parse(JSON.stringify(state), (key, value) => mask(key, value));
    const mask = (key: string, value: unknown): unknown =>
      ["applied", "seen", "sent", "content", "secrets"].includes(key) || typeof value !== "object"
        ? typeof value
        : value;
    const bytes = Buffer.from(full);
    const expected = maskAddresses(shapeOf(readState(full)));
    const flips = fc.tuple(fc.nat(bytes.length - 1), fc.nat(6));
    fc.assert(
      fc.property(flips, ([at, bit]) => {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        try {
          expect(maskAddresses(shapeOf(readState(flipped.toString("utf8"))))).toEqual(expected);
        } catch (problem) {
          if (!(problem instanceof StateUnusable)) throw problem;
        }
      }),
      { numRuns: runs },
    );
  });
});

/** A key is free text: a flip in one is as good an address as before. */
function maskAddresses(state: unknown): unknown {
  const { resources, ...rest } = state as { resources: Record<string, unknown> };
  return {
    ...rest,
    resources: Object.values(resources)
      .map((each) => JSON.stringify(each))
      .sort(),
  };
}
