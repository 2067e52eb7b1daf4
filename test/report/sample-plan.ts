import type { Change, FieldChange, Plan } from "../../src/plan/plan.ts";

/** A plan without anything in it, to be spread into. */
export const emptyPlan: Plan = {
  project: "webshop",
  target: { url: "memory:.loadform/service.json", organization: 1 },
  changes: [],
  drift: [],
  unmanaged: [],
  foundMoves: [],
  operations: [],
  pauses: [],
  stateChanges: {},
  pending: [],
  guards: [],
  summary: { create: 0, update: 0, delete: 0, replace: 0, import: 0, move: 0, forget: 0, noop: 0 },
  diagnostics: [],
};

/** A change with what every change has. */
export function change(parts: Partial<Change> & Pick<Change, "address" | "kind" | "action">): Change {
  return { name: "Name", fields: [], risks: [], ...parts };
}

/** Creates of the test cases of as many instances, in the order of their kinds, behind one of no instance. */
export function instanceChanges(count: number) {
  const keys = Array.from({ length: count }, (_, index) => `svc${index + 1}`);
  const created = (kind: string, address: string) => change({ address, kind, action: "create", name: "N" });
  return {
    instances: new Map(keys.map((key) => [`${key}-api`, key])),
    changes: [
      created("tag", "tag.svc1-api"),
      ...keys.map((key) => created("testCase", `testCase.${key}-api`)),
      ...keys.map((key) => created("scenario", `testCase.${key}-api/scenario.call`)),
    ],
  };
}

/** A field that the project changes. */
export function field(name: string, parts: Partial<FieldChange>): FieldChange {
  return { field: name, cause: "change", ...parts };
}

/** Texts by the hashes that the sample plan uses. */
export const sampleTexts: Readonly<Record<string, string | Uint8Array>> = {
  aaaaaaaaaaaaaaaa: "const a = 1;\nconst b = 2;\nrun(a, b);\n",
  bbbbbbbbbbbbbbbb: "const a = 1;\nconst b = 3;\nrun(a, b);\n",
  cccccccccccccccc: new Uint8Array([0x89, 0x50, 0x00, 0xff]),
  dddddddddddddddd: new Uint8Array([0x89, 0x50, 0x00, 0xfe]),
};

const runner = { provider: { id: 0 }, regions: ["cloud-us-east-1", "cloud-eu-west-1"] };
const scenario = { ref: "testCase.checkout/scenario.browse" };

/** One of everything that a plan can say. */
export const fullPlan: Plan = {
  ...emptyPlan,
  environment: "staging",
  changes: [
    change({
      address: "vcsRoot.scripts",
      kind: "vcsRoot",
      action: "update",
      name: "Scripts",
      id: 3,
      before: { name: "Scripts", password: { $secret: "f1" }, username: "ci" },
      after: { name: "Scripts", password: { $secret: "f2" }, username: "bot" },
      fields: [
        field("username", { before: "ci", after: "bot", cause: "both" }),
        field("password", { before: { $secret: "f1" }, after: { $secret: "f2" }, sensitive: true }),
      ],
    }),
    change({
      address: "testCase.checkout",
      kind: "testCase",
      action: "update",
      name: "Checkout",
      id: 7,
      previousAddress: "testCase.shop",
      before: { name: "Shop" },
      after: { name: "Checkout" },
      fields: [field("name", { before: "Shop", after: "Checkout" })],
    }),
    change({
      address: "testCase.checkout/scenario.browse",
      kind: "scenario",
      action: "update",
      name: "browse",
      id: 11,
      before: { script: { $content: "aaaaaaaaaaaaaaaa", bytes: 38 }, tags: ["nightly"] },
      after: { script: { $content: "bbbbbbbbbbbbbbbb", bytes: 38 }, tags: ["nightly", "slow"] },
      fields: [
        field("script", {
          before: { $content: "aaaaaaaaaaaaaaaa", bytes: 38 },
          after: { $content: "bbbbbbbbbbbbbbbb", bytes: 38 },
          cause: "drift",
        }),
        field("tags", { before: ["nightly"], after: ["nightly", "slow"] }),
      ],
    }),
    change({
      address: "testCase.checkout/scenario.browse/dataStore.users.csv",
      kind: "dataStore",
      action: "replace",
      createFirst: true,
      name: "users.csv",
      id: 5,
      reason: "replace requested",
      before: { contents: { $content: "cccccccccccccccc", bytes: 4 } },
      after: { contents: { $content: "dddddddddddddddd", bytes: 4 } },
      fields: [
        field("contents", {
          before: { $content: "cccccccccccccccc", bytes: 4 },
          after: { $content: "dddddddddddddddd", bytes: 4 },
        }),
      ],
      risks: ["120 data rows"],
    }),
    change({
      address: "testCase.checkout/configuration.smoke",
      kind: "configuration",
      action: "update",
      name: "smoke",
      id: 20,
      before: {
        scenario: { id: 4 },
        providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
        concurrentClients: 20,
        durationSecs: 60,
        scriptParams: { baseUrl: "https://old.example.com", token: { $secret: "t1" } },
      },
      after: {
        scenario,
        providers: [runner],
        concurrentClients: 30,
        durationSecs: 60,
        scriptParams: { baseUrl: "https://shop.example.com", token: { $secret: "t1" } },
      },
      fields: [
        field("scenario", { before: { id: 4 }, after: scenario, unknown: true }),
        field("providers", { before: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }], after: [runner] }),
        field("concurrentClients", { before: 20, after: 30 }),
        field("scriptParams", {
          before: { baseUrl: "https://old.example.com", token: { $secret: "t1" } },
          after: { baseUrl: "https://shop.example.com", token: { $secret: "t1" } },
          sensitive: true,
        }),
        field("iterations", { before: 5 }),
      ],
    }),
    change({
      address: "testCase.checkout/configuration.smoke/schedule.nightly",
      kind: "schedule",
      action: "create",
      name: "nightly",
      reason: "deleted outside",
      after: {
        scheduleType: "Recurring",
        exclusions: [{ recurringInterval: "Day", startHour: 22, startMinute: 0, endHour: 2, endMinute: 0 }],
      },
      fields: [
        field("scheduleType", { after: "Recurring" }),
        field("exclusions", {
          after: [{ recurringInterval: "Day", startHour: 22, startMinute: 0, endHour: 2, endMinute: 0 }],
        }),
      ],
      nextTimes: [{ at: Date.UTC(2026, 10, 21, 2, 30) }, { at: Date.UTC(2026, 10, 21, 23, 30), skippedBy: 0 }],
    }),
    change({
      address: "testCase.checkout/gateway.shop",
      kind: "gateway",
      action: "no-op",
      name: "shop",
      id: 2,
      importing: true,
      before: { name: "shop" },
      after: { name: "shop" },
    }),
    change({
      address: "testCase.old",
      kind: "testCase",
      action: "delete",
      name: "Old",
      id: 1,
      before: { name: "Old" },
      risks: ["3 executions", "2 unmanaged objects"],
    }),
    change({
      address: "testCase.spare",
      kind: "testCase",
      action: "forget",
      name: "Spare",
      id: 9,
      before: { name: "Spare" },
    }),
  ],
  drift: [
    change({
      address: "testCase.checkout/scenario.browse",
      kind: "scenario",
      action: "update",
      before: { language: "typescript" },
      after: { language: "javascript" },
      fields: [field("language", { before: "typescript", after: "javascript", cause: "drift" })],
    }),
    change({
      address: "testCase.checkout/configuration.smoke/schedule.nightly",
      kind: "schedule",
      action: "delete",
      before: {},
    }),
  ],
  pending: [{ address: "tag.nightly", kind: "tag", name: "nightly", binding: { kind: "tag", applied: {} } }],
  unmanaged: [{ kind: "configuration", id: 44, name: "by hand", parent: "testCase.checkout" }],
  summary: { create: 1, update: 4, delete: 1, replace: 1, import: 1, move: 1, forget: 1, noop: 12 },
};
