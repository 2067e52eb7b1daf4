import { describe, expect, it } from "vitest";
import { type Drift, findDrift } from "../../src/drift/find-drift.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { driftDocument } from "../../src/report/drift-json.ts";
import { driftMarkdown } from "../../src/report/drift-markdown.ts";
import { driftText } from "../../src/report/drift-text.ts";
import { plainPalette } from "../../src/report/terminal-text.ts";
import { change, emptyPlan, field, sampleTexts } from "./sample-plan.ts";

const script = (hash: string) => ({ $content: hash.repeat(16), bytes: 40 });

/** Every class of drift, beside what is none. */
const plan: Plan = {
  ...emptyPlan,
  environment: "staging",
  changes: [
    change({
      address: "testCase.checkout",
      kind: "testCase",
      action: "update",
      fields: [
        field("name", { before: "By hand", after: "Checkout", cause: "both" }),
        field("description", { before: "x | y\n@someone", after: "Buying\npath", cause: "drift" }),
      ],
    }),
    change({
      address: "testCase.checkout/configuration.smoke",
      kind: "configuration",
      action: "update",
      fields: [
        field("durationSecs", { before: 60, after: 90 }),
        field("concurrentClients", { before: 99, after: 20, cause: "drift" }),
      ],
    }),
    change({ address: "testCase.checkout/gateway.shop", kind: "gateway", action: "create", reason: "deleted outside" }),
    change({
      address: "testCase.checkout/gateway.new",
      kind: "gateway",
      action: "create",
      after: { url: "https://n.test" },
    }),
    change({
      address: "testCase.checkout/gateway#9",
      kind: "gateway",
      action: "delete",
      name: "theirs",
      id: 9,
      reason: "unmanaged",
      before: { name: "theirs", url: "https://t.test" },
    }),
    change({
      address: "testCase.checkout/scenario.browse",
      kind: "scenario",
      action: "update",
      fields: [field("script", { before: script("b"), after: script("a"), cause: "drift" })],
    }),
    change({
      address: "vcsRoot.scripts",
      kind: "vcsRoot",
      action: "update",
      fields: [
        field("username", { before: { $secret: "f2" }, after: { $secret: "f1" }, cause: "drift", sensitive: true }),
      ],
    }),
  ],
  drift: [
    change({
      address: "testCase.checkout",
      kind: "testCase",
      action: "update",
      id: 3,
      before: { name: "Shop", description: "Buying\npath" },
      after: { name: "By hand", description: "x | y\n@someone" },
      fields: [
        field("name", { before: "Shop", after: "By hand", cause: "both" }),
        field("description", { before: "Buying\npath", after: "x | y\n@someone", cause: "drift" }),
      ],
    }),
    change({
      address: "testCase.checkout/configuration.smoke",
      kind: "configuration",
      action: "update",
      id: 4,
      fields: [field("concurrentClients", { before: 20, after: 99, cause: "drift" })],
    }),
    change({
      address: "testCase.checkout/gateway.shop",
      kind: "gateway",
      action: "delete",
      before: { url: "https://s.test" },
    }),
    change({
      address: "testCase.checkout/scenario.browse",
      kind: "scenario",
      action: "update",
      id: 5,
      fields: [field("script", { before: script("a"), after: script("b"), cause: "drift" })],
    }),
    change({ address: "testCase.gone", kind: "testCase", action: "delete", before: {} }),
    change({
      address: "testCase.ignored",
      kind: "testCase",
      action: "update",
      fields: [field("description", { before: "a", after: "b", cause: "drift" })],
    }),
    change({
      address: "vcsRoot.scripts",
      kind: "vcsRoot",
      action: "update",
      fields: [
        field("username", { before: { $secret: "f1" }, after: { $secret: "f2" }, cause: "drift", sensitive: true }),
      ],
    }),
  ],
  unmanaged: [{ kind: "testCase", id: 8, name: "Theirs", parent: "testCase.checkout" }],
};

const waysOut = {
  putBack: (address?: string) => `loadform apply --env staging${address === undefined ? "" : ` --target ${address}`}`,
  declare: "loadform import --env staging --all",
  accept: (address: string) => `loadform drift --env staging --accept ${address}`,
};
const contents = (hash: string) => sampleTexts[hash];
const textOf = (drift: Drift) => driftText(drift, { palette: plainPalette, contents, requests: 3, waysOut });

describe("drift in a plan", () => {
  it("is what the next apply would undo: not what is ignored, said here too, or declared by nobody any more", () => {
    const { drifted, changed } = findDrift(plan);
    expect(drifted.map(({ address, action }) => `${action} ${address}`)).toEqual([
      "update testCase.checkout",
      "update testCase.checkout/configuration.smoke",
      "delete testCase.checkout/gateway.shop",
      "update testCase.checkout/scenario.browse",
      "update vcsRoot.scripts",
      "create testCase.checkout/gateway#9",
    ]);
    expect(changed.map(({ address, fields }) => [address, fields.map((each) => each.field)])).toEqual([
      ["testCase.checkout/configuration.smoke", ["durationSecs"]],
      ["testCase.checkout/gateway.new", []],
    ]);
  });

  it("is none in a plan without any", () => {
    expect(textOf(findDrift(emptyPlan))).toBe("No drift. 3 requests.\n");
  });
});

describe("the report on drift", () => {
  it("says everything as text", async () => {
    await expect(textOf(findDrift(plan))).toMatchFileSnapshot("golden/drift.txt");
  });

  it("says what can only be accepted by hand, instead of the command that would be refused", () => {
    const address = "testCase.checkout/configuration.smoke";
    const byHand = [{ address, field: "concurrentClients", what: "change the variable users (loadform.yaml:4)" }];
    const drift = { ...findDrift(plan), byHand };
    const line = `${address} concurrentClients: change the variable users (loadform.yaml:4)`;
    const options = { contents, identity: [], problems: [], lineOf: () => undefined, waysOut };
    for (const text of [textOf(drift), driftMarkdown(drift, options)]) {
      expect(text).toContain(line);
      expect(text).not.toContain(`--accept ${address}`);
    }
    const many = Array.from({ length: 12 }, (_, at) => ({ address: `testCase.t${at}`, what: "it is a secret" }));
    const cut = { ...drift, byHand: many };
    for (const text of [textOf(cut), driftMarkdown(cut, options)]) {
      expect(text).toContain("testCase.t9: it is a secret\n");
      expect(text).toContain("… and 2 more\n");
      expect(text).not.toContain("testCase.t10:");
    }
  });

  it("cuts the diff of a long text at 20 lines", () => {
    const script = (word: string) => Array.from({ length: 100 }, (_, line) => `${word} ${line}`).join("\n");
    const found = findDrift(plan);
    const [object] = found.drifted.filter(({ action }) => action === "update");
    const drift = {
      ...found,
      drifted: object
        ? [
            {
              ...object,
              fields: [{ field: "main", before: script("old"), after: script("new"), cause: "drift" as const }],
            },
          ]
        : [],
    };
    const lines = textOf(drift as Drift).split("\n");
    expect(lines.filter((line) => /^ +-old/.test(line))).toHaveLength(19);
    expect(lines.join("\n")).toContain("… 183 more lines");
    expect(
      driftMarkdown(drift as Drift, { contents, identity: [], problems: [], lineOf: () => undefined, waysOut }),
    ).toContain("… 183 more lines");
  });

  it("says everything as Markdown, and lets no name break out of it", async () => {
    const options = { contents, identity: [".", "staging"], problems: [], lineOf: () => undefined, waysOut };
    await expect(driftMarkdown(findDrift(plan), options)).toMatchFileSnapshot("golden/drift-markdown.txt");
  });

  it("says everything as JSON, without a secret", async () => {
    const document = driftDocument(findDrift(plan), {
      createdAt: "2026-11-20T10:00:00.000Z",
      requests: 3,
      diagnostics: [],
    });
    const text = `${JSON.stringify(document, undefined, 2)}\n`;
    expect(text).not.toContain("$secret");
    await expect(text).toMatchFileSnapshot("golden/drift-json.txt");
  });
});
