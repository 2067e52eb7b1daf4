import { expect, test } from "vitest";
import type { JsonValue } from "../../src/api/routes.ts";
import { createService } from "../../src/service/index.ts";

const load = {
  name: "c",
  scriptId: 1,
  durationSecs: 60,
  concurrentClients: 5,
  providers: [{ providerId: 0, params: { regions: "cloud-us-east-1" } }],
};
const stepless = { profileType: "Step", startConcurrentClients: 1, concurrentClients: 60, step: 1 };
const trigger = { conditions: [{ metric: "m", operator: "GT", threshold: 1 }], actions: [{ actionType: "Call" }] };
const git = { name: "r", url: "https://git.test/a.git" };
const confs = "POST /test-cases/1/confs";
const roots = "POST /orgs/1/vcs-roots";

type Case = readonly [what: string, request: string, body: JsonValue | undefined];

const documented: readonly Case[] = [
  ["two bases", confs, { ...load, iterations: 2 }],
  ["no users", confs, { ...load, concurrentClients: null }],
  ["iterations of a Step profile", confs, { ...load, ...stepless, step: 5, durationSecs: null, iterations: 2 }],
  ["more than 50 steps", confs, { ...load, ...stepless }],
  ["no pause between iterations", confs, { ...load, iterationSleepSecs: 0 }],
  ["a ramp-up below 0", confs, { ...load, rampupSecs: -1 }],
  ["BreakingPoint without triggers", confs, { ...load, profileType: "BreakingPoint" }],
  ["an unsupported action", confs, { ...load, triggers: [trigger] }],
  ["another repository than git", roots, { ...git, vcsType: "svn" }],
  ["a password over ssh", roots, { ...git, url: "ssh://g@git.test/a", vcsAuthType: "Username", username: "ci" }],
  ["cloud keys of a grid", "PUT /providers/1", { metadata: { cloudAccessKeyId: "id" } }],
  ["another type of a provider", "PUT /providers/1", { providerType: "CloudOnDemand" }],
  ["another organization of a provider", "PUT /providers/1", { organizationId: 2 }],
  ["the name of another test case", "PUT /test-cases/1", { name: "Other" }],
  ["a decision and a documented rule", confs, { ...load, name: "", iterations: 2 }],
];

const decided: readonly Case[] = [
  ["no users by number", confs, { ...load, concurrentClients: 0 }],
  ["no runner", confs, { ...load, providers: [] }],
  ["an unknown scenario", confs, { ...load, scriptId: 9 }],
  ["a name of a control character", confs, { ...load, name: "\u0007" }],
  ["a number as text", confs, { ...load, rampupSecs: "5" }],
  ["a scenario in use", "DELETE /scripts/1", undefined],
  ["no such object", "PUT /test-cases/99", { name: "x" }],
];

async function shop() {
  const service = createService({ clock: { mode: "frozen", now: Date.parse("2026-11-20T10:00:00Z") } });
  const send = (request: string, body?: JsonValue) => {
    const [method = "", path = ""] = request.split(" ");
    const headers = { "x-api-key": service.apiKey, "content-type": "application/json" };
    return service.handle({ method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  };
  const setUp: readonly (readonly [string, JsonValue])[] = [
    ["POST /test-cases", { name: "Shop", org: 1 }],
    ["POST /test-cases", { name: "Other", org: 1 }],
    ["POST /test-cases/1/scripts", { name: "s", main: "go()" }],
    ["POST /providers", { name: "grid", organizationId: 1, providerType: "Shared" }],
    [confs, load],
  ];
  for (const [request, body] of setUp) expect((await send(request, body)).status, request).toBe(200);
  return send;
}

test.each(documented)("a refusal of %s says that the documents state it", async (_, request, body) => {
  const answer = await (await shop())(request, body);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.origin).toBe("documented");
});

test.each(decided)("a refusal of %s says that we decided it", async (_, request, body) => {
  const answer = await (await shop())(request, body);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.origin).toBe("decision");
});

test("the origin of a refusal is not sent", async () => {
  const answer = await (await shop())(confs, { ...load, iterations: 2 });
  expect(answer.origin).toBe("documented");
  expect(Object.keys(answer.json as object).sort()).toEqual(["code", "errors", "message"]);
  expect(`${answer.body()} ${JSON.stringify(answer.headers)}`).not.toContain("documented");
});
