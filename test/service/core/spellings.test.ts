import { beforeAll, describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/api/routes.ts";
import { mountedRoutes } from "../../../src/service/core/router.ts";
import { makeFullShop } from "../support/full-shop.ts";
import { flat, type Rig, rigOf } from "../support/rig.ts";

const contents = Buffer.from("a,b\n5,6\n").toString("base64");
/** Bodies that are taken, by route; the others take none, or an empty one. */
const bodies: Readonly<Record<string, JsonValue>> = {
  "PUT /test-cases/:testCaseId": { name: "Renamed" },
  "PUT /test-confs/:confId": { name: "Renamed" },
  "PUT /test-schedules/:scheduleId": { active: false },
  "PUT /scripts/:id": { name: "Renamed" },
  "POST /scripts/:id/data-stores/contents": { name: "more.csv", contents },
  "PUT /data-stores/:id/contents": { name: "rows.csv", contents },
  "PUT /data-stores/:id": { name: "renamed.csv" },
  "PATCH /gateways/:id": { name: "Renamed" },
  "PATCH /recordings/:id": { name: "Renamed" },
  "PUT /vcs-roots/:vcsRootId": { name: "Renamed" },
  "PUT /providers/:id": { name: "Renamed" },
  "PUT /regions/:id": { active: true },
  "PUT /agents/:agentId": { regionIds: [8] },
  "PUT /users/:user": { name: "Renamed" },
  "POST /test-cases": { name: "Another", org: 1 },
  "POST /test-cases/:testCaseId/scripts": { name: "Another", main: "1" },
  "POST /test-cases/:testCaseId/confs": { ...flat, name: "Another" },
};

const routes = mountedRoutes().filter(({ path }) => !path.startsWith("/_loadform"));
const aliases = routes.filter(({ alias }) => alias);
const wantsBody = ["POST", "PUT", "PATCH"];
/** What these objects refuse whatever the spelling: nothing waits, it is used, hosts that may not be reached, no file, no such connection. */
const refused = [
  "DELETE /scripts/:id",
  "PUT /executions/:id/manual-start",
  "GET /recordings/:id/load",
  "GET /recordings/:id/traffic/:connectionId",
  "POST /scripts/:id/data-stores",
  "GET /vcs-root/:vcsRootId/refs",
  "POST /vcs-root/refs",
  "POST /vcs-root/:vcsRootId/refs",
];

/** The region of the shop's own grid; all other objects have the id 1. */
const ownRegion = "8";

let shop: Rig;
beforeAll(async () => {
  shop = await makeFullShop();
});

/** What a copy of the shop answers, and what it is afterwards. */
async function answered(method: string, path: string, key: string) {
  const rig = await rigOf(shop.service.fork());
  const target = path
    .replace(/(?<=^(?:\/api)?\/regions\/):id|(?<=^(?:\/api)?\/providers.*):regionId/, ownRegion)
    .replace(/:\w+/g, "1");
  const body = wantsBody.includes(method) ? (bodies[key] ?? {}) : undefined;
  const { status, body: json, headers } = await rig.call(method, target, body);
  const state = rig.service.snapshot();
  await rig.close();
  return { status, json, type: headers["content-type"], state };
}

describe("another spelling answers as its route does (API 1, Scenarios, Recordings, Repositories; API 2, Test runners)", () => {
  it.each(aliases.map(({ method, path, key }) => [method, path, key] as const))(
    "%s %s: %s",
    async (method, path, key) => {
      const other = await answered(method, path, key);
      const [verb = "", spelled = ""] = key.split(" ");
      expect(other).toEqual(await answered(verb, spelled, key));
      if (refused.includes(key)) expect([400, 404, 409, 415]).toContain(other.status);
      else expect(other.status).toBeLessThan(300);
    },
  );
});

describe("a path under /api is the path (API 1, General conventions)", () => {
  it.each(routes.map(({ method, path, key }) => [method, path, key] as const))("%s %s", async (method, path, key) => {
    const plain = await answered(method, path, key);
    expect(await answered(method, `/api${path}`, key)).toEqual(plain);
    expect([404, 405].includes(plain.status) ? String(plain.json?.message) : "").not.toContain("found no route");
    expect(plain.status).toBeLessThan(500);
  });
});
