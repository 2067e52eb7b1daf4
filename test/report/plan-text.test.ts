import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/plan/plan.ts";
import { planText } from "../../src/report/plan-text.ts";
import { plainPalette } from "../../src/report/terminal-text.ts";
import { change, emptyPlan, field, fullPlan, sampleTexts } from "./sample-plan.ts";

const style = { palette: plainPalette, requests: 5, contents: (hash: string) => sampleTexts[hash] };
const textOf = (parts: Partial<Plan>) => planText({ ...emptyPlan, ...parts }, style);

const configuration = (
  after: NonNullable<Plan["changes"][number]["after"]>,
  before?: Plan["changes"][number]["before"],
) =>
  textOf({
    changes: [
      change({
        address: "testCase.a/configuration.b",
        kind: "configuration",
        action: before ? "update" : "create",
        after,
        ...(before && { before }),
      }),
    ],
  });

const oneField = (parts: Parameters<typeof field>[1]) =>
  textOf({
    changes: [change({ address: "testCase.a", kind: "testCase", action: "update", fields: [field("x", parts)] })],
  });

describe("the text of a plan", () => {
  it("says everything that a plan can say", async () => {
    await expect(planText(fullPlan, style)).toMatchFileSnapshot("golden/full-plan.txt");
  });

  it("shows the name of its project without what would steer a terminal", () => {
    const plan = { ...fullPlan, project: "p\u001b[2J\u202e\u200b\nNo changes." };
    expect(planText(plan, style)).toContain("\np\\u001b[2J\\u202e\\u200b\\nNo changes. ");
  });

  it("paints additions green, removals red, updates yellow", async () => {
    const tag = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const palette = {
      bold: tag("b"),
      dim: tag("dim"),
      red: tag("red"),
      green: tag("green"),
      yellow: tag("yellow"),
      cyan: tag("cyan"),
    };
    await expect(planText(fullPlan, { ...style, palette })).toMatchFileSnapshot("golden/full-plan-painted.txt");
  });

  it("is one line when there is nothing to do", () => {
    expect(textOf({ summary: { ...emptyPlan.summary, noop: 12 } })).toBe(
      "No changes: 12 objects are as declared. 5 requests.\n",
    );
    expect(planText({ ...emptyPlan, summary: { ...emptyPlan.summary, noop: 1 } }, { ...style, requests: 1 })).toBe(
      "No changes: 1 object is as declared. 1 request.\n",
    );
  });

  it("counts in one line, leaving out what is unusual and zero", () => {
    const summary = { ...emptyPlan.summary, create: 3, update: 1, noop: 12 };
    const changes = [change({ address: "tag.a", kind: "tag", action: "create" })];
    expect(textOf({ summary, changes })).toContain(
      "\nPlan: 3 to create, 1 to update, 0 to delete, 12 unchanged. 5 requests.\n",
    );
  });

  it("is the same for the same plan", () => {
    expect(planText(fullPlan, style)).toBe(planText(structuredClone(fullPlan), style));
  });
});

describe("one field", () => {
  const cases: readonly [string, Parameters<typeof field>[1], string][] = [
    ["shows old and new", { before: 1, after: 2 }, "~ x: 1 → 2"],
    ["shows a value that was not there", { after: true }, "+ x: true"],
    ["shows a value that goes", { before: "a" }, '- x: "a" → (none)'],
    ["shows null as null", { before: 1, after: null }, "~ x: 1 → null"],
    ["never shows a secret", { after: { $secret: "f1" } }, "+ x: (sensitive)"],
    ["says that a secret changed", { before: { $secret: "f1" }, after: { $secret: "f2" } }, "~ x: (secret changed)"],
    ["never shows a secret that goes", { before: { $secret: "f1" } }, "- x: (sensitive) → (none)"],
    ["marks what changed outside", { before: 1, after: 2, cause: "drift" }, "~ x: 1 → 2  (changed outside)"],
    [
      "marks what changed on both sides",
      { before: 1, after: 2, cause: "both" },
      "~ x: 1 → 2  (changed outside and here)",
    ],
    [
      "shows a reference as its address",
      { before: { id: 0 }, after: { ref: "provider.grid" } },
      "~ x: { id: 0 } → provider.grid",
    ],
    [
      "says that the id behind a reference comes with the apply",
      { before: { ref: "provider.grid" }, after: { ref: "provider.grid" }, unknown: true },
      "~ x: provider.grid (known after apply)",
    ],
    [
      "shows texts that it does not have by hash",
      { before: { $content: "0123456789abcdef", bytes: 1 }, after: { $content: "fedcba9876543210", bytes: 2 } },
      "~ x: (1 byte, sha256 0123456789ab) → (2 bytes, sha256 fedcba987654)",
    ],
    [
      "shows a text that is new by size and hash",
      { after: { $content: "aaaaaaaaaaaaaaaa", bytes: 38 } },
      "+ x: (38 bytes, sha256 aaaaaaaaaaaa)",
    ],
    [
      "shows a remembered text, of which only the hash is known, without a size",
      { before: { $content: "0123456789abcdef", bytes: 0 }, after: { $content: "fedcba9876543210", bytes: 2 } },
      "~ x: (sha256 0123456789ab) → (2 bytes, sha256 fedcba987654)",
    ],
    ["spells out control characters", { before: "a", after: "b\u001b[31m\u202e" }, '~ x: "a" → "b\\u001b[31m\\u202e"'],
  ];
  it.each(cases)("%s", (_title, parts, expected) => {
    expect(oneField(parts).split("\n")).toContain(`      ${expected}`);
  });

  it("shows lines of text as a diff", () => {
    expect(oneField({ before: "a\nb\n", after: "a\nc\n" })).toContain(
      "      ~ x:\n          @@ -1,2 +1,2 @@\n           a\n          -b\n          +c\n",
    );
  });

  it("hides the secret in a mapping and says when it changed", () => {
    const text = oneField({
      before: { token: { $secret: "1" }, url: "a" },
      after: { token: { $secret: "2" }, url: "a" },
    });
    expect(text).toContain("- token: (sensitive)\n");
    expect(text).toContain("+ token: (secret changed)\n");
  });

  it("cuts a diff that nobody would read to its end", () => {
    const lines = (word: string) => Array.from({ length: 500 }, (_, index) => `${word} ${index}\n`).join("");
    const text = oneField({ before: lines("old"), after: lines("new") });
    expect(text.split("\n").length).toBeLessThan(140);
    expect(text).toContain("… 881 more lines");
  });

  it("does not compare texts line by line that have next to nothing in common", () => {
    const lines = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}\n`).join("");
    expect(oneField({ before: lines("old"), after: lines("new") })).toContain(
      "too large to compare line by line: 3000 lines → 3000 lines",
    );
    expect(oneField({ before: lines("same"), after: `${lines("same")}more\n` })).toContain("+more\n");
  });

  it("does not compare texts of many megabytes line by line", () => {
    expect(oneField({ before: "a\n".repeat(1_500_000), after: "b\n".repeat(1_500_000) })).toContain(
      "too large to compare line by line: 1500000 lines → 1500000 lines",
    );
  });

  it("keeps line ends visible", () => {
    expect(oneField({ before: "a\r\nb\n", after: "a\nb\n" })).toContain("-a\\r\n");
  });
});

describe("the load of a configuration", () => {
  const providers = [{ provider: { id: 0 }, regions: ["r1", "r2"] }];
  const cases: readonly [string, Parameters<typeof configuration>, string | undefined][] = [
    [
      "counts users over regions and hours with half the ramp-up",
      [{ concurrentClients: 100, durationSecs: 3600, rampupSecs: 0, providers }],
      "load: 100 users × 2 regions = 200 users at peak, about 200 user-hours (new)",
    ],
    [
      "takes the ramp-up that the service takes when none is set",
      [{ concurrentClients: 1, durationSecs: 3540, providers: [{ provider: { id: 0 }, numRegions: 1 }] }],
      "load: 1 user × 1 region = 1 user at peak, about 1 user-hours (new)",
    ],
    [
      "adds up test runners with users of their own",
      [
        {
          concurrentClients: 10,
          iterations: 5,
          providers: [...providers, { provider: { id: 1 }, numRegions: 3, concurrentClients: 4 }],
        },
      ],
      "load: 10 users × 2 regions + 4 users × 3 regions = 32 users at peak (new)",
    ],
    [
      "runs in every named region, whatever numRegions says",
      [
        {
          concurrentClients: 50,
          iterations: 5,
          providers: [{ provider: { id: 0 }, regions: ["a", "b"], numRegions: 1 }],
        },
      ],
      "load: 50 users × 2 regions = 100 users at peak (new)",
    ],
    [
      "runs in one region where none is named and no number is given",
      [{ concurrentClients: 50, iterations: 5, providers: [{ provider: { id: 0 } }] }],
      "load: 50 users × 1 region = 50 users at peak (new)",
    ],
    [
      "counts the hours of each region by its weight",
      [
        {
          profileType: "Step",
          startConcurrentClients: 10,
          step: 10,
          concurrentClients: 10,
          durationSecs: 3600,
          providers: [
            {
              provider: { id: 0 },
              regions: [
                { name: "a", weight: 3 },
                { name: "b", weight: 1 },
              ],
            },
          ],
        },
      ],
      "load: 10 users × 2 regions = 20 users at peak, about 17.5 user-hours (new)",
    ],
    [
      "follows the levels of a step profile",
      [
        {
          profileType: "Step",
          startConcurrentClients: 10,
          step: 10,
          concurrentClients: 25,
          durationSecs: 3600,
          providers: [{ provider: { id: 0 }, regions: ["r1"] }],
        },
      ],
      "load: 25 users × 1 region = 25 users at peak, about 18.33 user-hours (new)",
    ],
    [
      "says where a breaking point ends",
      [{ profileType: "BreakingPoint", durationSecs: 60, providers }],
      "load: users are added until a trigger fires, up to the account's maximum",
    ],
    [
      "says that it stays as it is",
      [
        { concurrentClients: 5, iterations: 1, providers },
        { concurrentClients: 5, iterations: 2, providers },
      ],
      "load: 5 users × 2 regions = 10 users at peak (as now)",
    ],
    [
      "says how much less it is",
      [
        { concurrentClients: 5, durationSecs: 3600, rampupSecs: 0, providers },
        { concurrentClients: 10, durationSecs: 3600, rampupSecs: 0, providers },
      ],
      "load: 5 users × 2 regions = 10 users at peak, about 10 user-hours (now 20 users, 20 user-hours: −10, −10)",
    ],
    ["says nothing when users or regions are not declared", [{ durationSecs: 60, providers }], undefined],
  ];
  it.each(cases)("%s", (_title, args, expected) => {
    const line = configuration(...args)
      .split("\n")
      .find((each) => each.includes("load:"));
    expect(line?.trim()).toBe(expected);
  });
});

describe("the next runs of a schedule", () => {
  const schedule = (parts: Partial<Plan["changes"][number]>) =>
    textOf({ changes: [change({ address: "a.b", kind: "schedule", action: "update", ...parts })] });

  it("are shown with the window that skips them", () => {
    const exclusions = [{ recurringInterval: "Week", startDayOfWeek: 6, startHour: 0, endDayOfWeek: 1, endHour: 0 }];
    const nextTimes = [{ at: Date.UTC(2026, 10, 21, 8, 15), skippedBy: 0 }];
    expect(schedule({ after: { exclusions }, nextTimes })).toContain(
      "next runs: 2026-11-21 08:15 (skipped by Week day 6 00:00–day 1 00:00) UTC",
    );
  });

  it("are none for one that never fires", () => {
    expect(schedule({ after: {}, nextTimes: [] })).toContain("next runs: none");
  });

  it("stand under a condition while the schedule is not made", () => {
    expect(schedule({ action: "create", after: {}, nextTimes: [{ at: 0 }] })).toContain(
      "next runs if applied now: 1970-01-01 00:00 UTC",
    );
  });
});
