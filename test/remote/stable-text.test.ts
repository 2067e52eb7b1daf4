import { describe, expect, it } from "vitest";
import { stableText } from "../../src/remote/stable-text.ts";

const list = "GET /orgs/:orgId/test-cases" as const;
const withSchedule = (schedule: object) => [
  { id: 1, configurations: [{ id: 2, schedules: [{ id: 3, ...schedule }] }] },
];

describe("the text of an answer without what changes by itself", () => {
  it("is the same after a recurring start, in another session and after a run", () => {
    const at = (moment: string, session: string) => [
      {
        id: 1,
        lastRunAt: moment,
        scenarios: [{ id: 4, dataStores: [{ id: 5, url: `/api/data-stores/5/download?sid=${session}` }] }],
        ...withSchedule({ scheduleType: "Recurring", nextScheduled: moment })[0],
      },
    ];
    expect(stableText(list, at("2026-01-01T00:00:00.000Z", "a"))).toBe(
      stableText(list, at("2026-01-02T00:00:00.000Z", "b")),
    );
  });

  it("differs with a managed moment and with everything else", () => {
    const single = (moment: string) =>
      stableText(list, withSchedule({ scheduleType: "Single", nextScheduled: moment }));
    expect(single("2026-01-01T00:00:00.000Z")).toBeUndefined();
    const recurring = (active: boolean) =>
      stableText(list, withSchedule({ scheduleType: "Recurring", nextScheduled: "2026-01-01T00:00:00.000Z", active }));
    expect(recurring(true)).not.toBe(recurring(false));
  });

  it("leaves the answer as it was, its order included", () => {
    const regions = { id: 1, regions: [{ activeAgentCount: 3, id: 2, name: "dc" }] };
    const before = JSON.stringify([regions]);
    expect(stableText("GET /orgs/:orgId/providers", [regions])).toBe('[{"id":1,"regions":[{"id":2,"name":"dc"}]}]');
    expect(JSON.stringify([regions])).toBe(before);
  });

  it("is none where nothing changes by itself, and for what is no answer of the route", () => {
    for (const answer of [[], [{ id: 1 }], undefined, null, "a page", [null, 7]])
      expect(stableText(list, answer)).toBeUndefined();
    expect(stableText("GET /data-stores/:id/download", "text")).toBeUndefined();
  });
});
