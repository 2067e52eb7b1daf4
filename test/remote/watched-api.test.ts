import { describe, expect, it } from "vitest";
import type { Api, CallOptions, RouteKey } from "../../src/api/routes.ts";
import { type SharedAnswers, watchedApi } from "../../src/remote/watched-api.ts";
import { sha256 } from "../../src/workspace/hash.ts";

const list = "GET /orgs/:orgId/test-cases" as const;
const roots = "GET /orgs/:orgId/vcs-roots" as const;
/** An API whose lists are what `live` says at the moment, with an ETag, and how each call was answered. */
function listApi(live: Partial<Record<RouteKey, unknown>>) {
  const answers: string[] = [];
  const call = async (route: RouteKey, _input: unknown, { isKnown, unlessTag, answered }: CallOptions = {}) => {
    const text = JSON.stringify(live[route]);
    const etag = `"${sha256(text)}"`;
    answered?.({ etag });
    const isSame = unlessTag === etag;
    answers.push(`${route.split("/").at(-1)} ${isSame ? "unsent" : "sent"}`);
    return isSame || isKnown?.(new TextEncoder().encode(text)) ? undefined : JSON.parse(text);
  };
  return { api: { call } as Api, answers };
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

describe("the longest known answer", () => {
  const recurring = (moment: string) => withSchedule({ scheduleType: "Recurring", nextScheduled: moment });
  const before = { [roots]: [{ id: 9 }], [list]: recurring("2026-01-01T00:00:00.000Z") };

  /** What another program, or several that share their answers, find after one that was answered with those lists. */
  async function secondRun(live: Partial<Record<RouteKey, unknown>>, shared?: SharedAnswers) {
    const { api, answers } = listApi(before);
    const first = watchedApi(api, { hash: sha256 });
    for (const route of [roots, list] as const) await first.call(route, {} as never);
    const then = listApi(live);
    const found = Array.from({ length: shared ? 2 : 1 }, async () => {
      const second = watchedApi(then.api, { hash: sha256, shared }, first.seen());
      const isAsKnown = await second.isAsKnown();
      const values = isAsKnown ? [] : await Promise.all([1, 2].map(() => second.call(list, {} as never)));
      return { isAsKnown, values, seen: second.seen() };
    });
    return { found: await Promise.all(found), answers: [answers, then.answers], seen: first.seen() };
  }

  it("is not sent again while it has its ETag", async () => {
    const { found, answers } = await secondRun(before);
    expect(found).toEqual([{ isAsKnown: true, values: [], seen: {} }]);
    expect(answers).toEqual([
      ["vcs-roots sent", "test-cases sent"],
      ["test-cases unsent", "vcs-roots sent"],
    ]);
  });

  it("is compared without what changes by itself when it has another one", async () => {
    const { found, answers } = await secondRun({ ...before, [list]: recurring("2026-01-02T00:00:00.000Z") });
    expect(found).toMatchObject([{ isAsKnown: true }]);
    expect(answers[1]).toEqual(["test-cases sent", "vcs-roots sent"]);
  });

  it("is requested once more when another list is not as it was", async () => {
    const { found, answers, seen } = await secondRun({ ...before, [roots]: [] });
    const values = [before[list], before[list]];
    expect(found).toEqual([{ isAsKnown: false, values, seen: { [`${list} {}`]: seen[`${list} {}`] } }]);
    expect(answers[1]).toEqual(["test-cases unsent", "vcs-roots sent", "test-cases sent"]);
  });

  it("is read once by all who share it, whole where some of them know none", async () => {
    for (const isConditional of [true, false]) {
      const { found, answers } = await secondRun(before, { answers: new Map(), isConditional });
      expect(found.map(({ isAsKnown }) => isAsKnown)).toEqual([true, true]);
      expect(answers[1]).toEqual([`test-cases ${isConditional ? "unsent" : "sent"}`, "vcs-roots sent"]);
    }
  });

  it("is requested once more for all who share it when another list is not as it was", async () => {
    const { found, answers } = await secondRun({ ...before, [roots]: [] }, { answers: new Map(), isConditional: true });
    const values = [before[list], before[list]];
    expect(found).toMatchObject([1, 2].map(() => ({ isAsKnown: false, values })));
    expect(answers[1]).toEqual(["test-cases unsent", "vcs-roots sent", "test-cases sent"]);
  });

  it("is one that the service sent when it is another one", async () => {
    const { found, answers } = await secondRun({ ...before, [list]: [{ id: 2 }] });
    expect(found).toMatchObject([{ isAsKnown: false, values: [[{ id: 2 }], [{ id: 2 }]] }]);
    expect(answers[1]).toEqual(["test-cases sent", "vcs-roots sent"]);
  });
});
