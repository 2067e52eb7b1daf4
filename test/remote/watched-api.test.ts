import { describe, expect, it } from "vitest";
import type { Api, CallOptions, RouteKey } from "../../src/api/routes.ts";
import { watchedApi } from "../../src/remote/watched-api.ts";
import { sha256 } from "../../src/workspace/hash.ts";

const list = "GET /orgs/:orgId/test-cases" as const;
/** An API that answers each list with the next of these values, streamed where that is wanted, and how each call was answered. */
function listApi(values: readonly unknown[]) {
  const asked: string[] = [];
  const call = async (_route: RouteKey, _input: unknown, options: CallOptions = {}) => {
    const value = values[asked.length];
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    asked.push(options.stream ? "streamed" : "collected");
    options.stream?.()(bytes);
    return options.stream || options.isKnown?.(bytes) ? undefined : value;
  };
  return { api: { call } as Api, asked };
}

/** The text that is remembered of an answer beside its bytes; its hash is the text itself. */
async function stableText(route: RouteKey, answer: unknown): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(answer) ?? "");
  const call = async (_route: RouteKey, _input: unknown, options?: CallOptions) => {
    options?.isKnown?.(bytes);
    return answer;
  };
  const watched = watchedApi({ call } as Api, { hash: (data) => (typeof data === "string" ? data : "bytes") });
  await watched.call(route, {} as never);
  return Object.values(watched.seen())[0]?.stable;
}

const withSchedule = (schedule: object) => [
  { id: 1, configurations: [{ id: 2, schedules: [{ id: 3, ...schedule }] }] },
];

describe("the text of an answer without what changes by itself", () => {
  it("is the same after a recurring start, in another session and after a run", async () => {
    const at = (moment: string, session: string) => [
      {
        id: 1,
        lastRunAt: moment,
        scenarios: [{ id: 4, dataStores: [{ id: 5, url: `/api/data-stores/5/download?sid=${session}` }] }],
        ...withSchedule({ scheduleType: "Recurring", nextScheduled: moment })[0],
      },
    ];
    const before = await stableText(list, at("2026-01-01T00:00:00.000Z", "a"));
    expect(before).toEqual(expect.any(String));
    expect(await stableText(list, at("2026-01-02T00:00:00.000Z", "b"))).toBe(before);
  });

  it("differs with a managed moment and with everything else", async () => {
    const single = (moment: string) =>
      stableText(list, withSchedule({ scheduleType: "Single", nextScheduled: moment }));
    expect(await single("2026-01-01T00:00:00.000Z")).toBeUndefined();
    const recurring = (active: boolean) =>
      stableText(list, withSchedule({ scheduleType: "Recurring", nextScheduled: "2026-01-01T00:00:00.000Z", active }));
    expect(await recurring(true)).not.toBe(await recurring(false));
  });

  it("leaves the answer as it was, its order included", async () => {
    const regions = { id: 1, regions: [{ activeAgentCount: 3, id: 2, name: "dc" }] };
    const before = JSON.stringify([regions]);
    expect(await stableText("GET /orgs/:orgId/providers", [regions])).toBe(
      '[{"id":1,"regions":[{"id":2,"name":"dc"}]}]',
    );
    expect(JSON.stringify([regions])).toBe(before);
  });

  it("is none where nothing changes by itself, and for what is no answer of the route", async () => {
    for (const answer of [[], [{ id: 1 }], undefined, null, "a page", [null, 7]])
      expect(await stableText(list, answer)).toBeUndefined();
    expect(await stableText("GET /data-stores/:id/download", "text")).toBeUndefined();
  });
});

describe("an answer that is expected again", () => {
  const recurring = withSchedule({ scheduleType: "Recurring", nextScheduled: "2026-01-01T00:00:00.000Z" });

  /** What another program finds after one that was answered with the first of these values. */
  async function secondRun(values: readonly unknown[]) {
    const { api, asked } = listApi(values);
    const first = watchedApi(api, { hash: sha256 });
    await first.call(list, {} as never);
    const second = watchedApi(api, { hash: sha256, isExpected: true }, first.seen());
    const isAsKnown = await second.isAsKnown();
    return { isAsKnown, asked, value: isAsKnown ? undefined : await second.call(list, {} as never) };
  }

  it("is compared as it streams by", async () => {
    expect(await secondRun([[{ id: 1 }], [{ id: 1 }]])).toMatchObject({
      isAsKnown: true,
      asked: ["collected", "streamed"],
    });
  });

  it("is requested again when it is another one", async () => {
    expect(await secondRun([[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]])).toEqual({
      isAsKnown: false,
      asked: ["collected", "streamed", "collected"],
      value: [{ id: 3 }],
    });
  });

  it("is collected where it has members that change by themselves", async () => {
    const later = withSchedule({ scheduleType: "Recurring", nextScheduled: "2026-01-02T00:00:00.000Z" });
    expect(await secondRun([recurring, later])).toMatchObject({ isAsKnown: true, asked: ["collected", "collected"] });
  });
});
