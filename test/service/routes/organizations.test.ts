import { describe, expect, it } from "vitest";
import { fieldsOf, makeRig, makeShop, type Rig, rigOf } from "../support/rig.ts";

/** The same service with a second organization and a second user, who has no access yet. */
async function withSecond(rig: Rig): Promise<Rig> {
  const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
  const [organization] = snapshot.tables.organization;
  const [user] = snapshot.tables.user;
  snapshot.tables.organization.push({ ...organization, id: 2, name: "Other" });
  snapshot.tables.user.push({ ...user, id: 2, name: "ann", email: "ann@example.com", accessType: "Regular" });
  await rig.service.restore(snapshot);
  return rigOf(rig.service);
}

describe("the caller", () => {
  it("is known by header or query, and told who it is", async () => {
    const rig = await makeRig();
    const login = await rig.ok("GET", "/login");
    expect(login).toMatchObject({
      user: { id: 1, name: "local" },
      orgs: [{ data: { id: 1, name: "Default" } }],
      sid: expect.stringMatching(/^\w{32}$/),
    });
    const bare = await rig.service.handle({ method: "GET", path: "/login?key=local" });
    expect(bare).toMatchObject({ status: 200, json: login });
  });

  it.each([
    "GET /login",
    "HEAD /test-cases/1",
    "GET /test-cases",
    "GET /nowhere",
    "GET /_loadform/state",
    "POST /start",
  ])("is refused without a key: %s", async (route) => {
    const rig = await makeRig();
    const [method = "", path = ""] = route.split(" ");
    for (const headers of [{}, { "x-api-key": "wrong" }, { authorization: "Bearer local" }]) {
      const answer = await rig.service.handle({ method, path, headers });
      expect(answer.status).toBe(401);
      if (method !== "HEAD") expect(answer.json).toMatchObject({ code: "UNAUTHORIZED" });
    }
    expect((await rig.service.handle({ method: "GET", path: "/_loadform/health" })).status).toBe(200);
  });

  it("may be told by another header", async () => {
    const rig = await makeRig({ settings: { authHeader: "Authorization" } });
    const status = async (headers: Record<string, string>) =>
      (await rig.service.handle({ method: "GET", path: "/login", headers })).status;
    expect(await status({ authorization: "Bearer local" })).toBe(200);
    expect(await status({ Authorization: "local" })).toBe(200);
    expect(await status({ "x-api-key": "local" })).toBe(401);
  });

  it("has no access to other organizations and what belongs to them: 403", async () => {
    const rig = await withSecond(await makeShop());
    expect((await rig.call("GET", "/orgs/2")).status).toBe(403);
    expect((await rig.call("POST", "/test-cases", { name: "A", org: 2 })).status).toBe(403);
    await rig.ok("POST", "/orgs/1/users/ann", { userRole: "Admin" });
    await rig.ok("DELETE", "/orgs/1/users/1");
    for (const path of ["/orgs/1", "/test-cases/1", "/scripts/1", "/test-confs/1", "/gateways/1", "/orgs/1/test-cases"])
      expect((await rig.call("GET", path)).status, path).toBe(403);
    expect((await rig.call("HEAD", "/test-cases/1")).status).toBe(403);
    expect(await rig.ok("GET", "/test-cases")).toEqual([]);
    expect((await rig.ok("GET", "/login")).orgs).toEqual([]);
  });
});

describe("organizations and users", () => {
  it("are wrapped in data, with details by default", async () => {
    const rig = await makeShop();
    expect(await rig.ok("GET", "/orgs/1")).toMatchObject({
      data: { id: 1, users: [{ userRole: "Admin" }], testCases: [{ id: 1 }], account: { locked: false } },
    });
    expect((await rig.ok("GET", "/orgs/1?down=false")).data).not.toHaveProperty("users");
    expect((await rig.call("GET", "/orgs/7")).status).toBe(404);
  });

  it("grant and revoke by either path, Regular by default", async () => {
    const rig = await withSecond(await makeRig());
    expect(await rig.ok("POST", "/orgs/1/users/2")).toMatchObject({ user: { id: 2 }, userRole: "Regular" });
    expect(await rig.ok("POST", "/users/ann@example.com/orgs/1", { userRole: "Admin" })).toMatchObject({
      userRole: "Admin",
    });
    expect(await rig.ok("GET", "/orgs/1/users")).toHaveLength(2);
    expect(await rig.ok("GET", "/users/ann/orgs")).toMatchObject([{ data: { id: 1 }, _links: { _self: "/orgs/1" } }]);
    expect(await rig.ok("DELETE", "/users/2/orgs/1")).toMatchObject({ user: { id: 2 }, userRole: "Admin" });
    expect((await rig.call("DELETE", "/orgs/1/users/2")).status).toBe(404);
  });

  it("change name, email and password, the last with the old one", async () => {
    const rig = await makeRig();
    expect(
      await rig.ok("PUT", "/users/local", { name: "Ann", email: "a@b.test", newPassword: "canary-1" }),
    ).toMatchObject({ id: 1, name: "Ann", email: "a@b.test" });
    expect(fieldsOf(await rig.call("PUT", "/users/1", { newPassword: "canary-2", oldPassword: "no" }))).toEqual([
      "oldPassword",
    ]);
    await rig.ok("PUT", "/users/1", { newPassword: "canary-2", oldPassword: "canary-1" });
    expect(JSON.stringify(rig.service.snapshot())).not.toContain("canary");
    expect((await rig.call("PUT", "/users/nobody", {})).status).toBe(404);
  });

  it("have no password to change when they sign in elsewhere: 409", async () => {
    const rig = await makeRig();
    const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
    snapshot.tables.user[0].authSource = "Saml";
    await rig.service.restore(snapshot);
    expect((await rig.call("PUT", "/users/1", { newPassword: "x" })).status).toBe(409);
  });

  it("are deleted with 201 and no body, and their key with them", async () => {
    const rig = await makeRig();
    expect(await rig.call("DELETE", "/users/1")).toMatchObject({ status: 201, body: undefined });
    expect((await rig.call("GET", "/login")).status).toBe(401);
  });

  it("list the models of the settings", async () => {
    const rig = await makeRig({ settings: { aiModels: [{ id: 4, name: "m", default: true }] } });
    expect(await rig.ok("GET", "/ai-models")).toEqual([{ id: 4, name: "m", default: true }]);
  });
});

describe("tags", () => {
  it("come with the first scenario or run that carries them", async () => {
    const rig = await makeShop();
    expect(await rig.ok("GET", "/orgs/1/tags")).toMatchObject([{ id: 1, name: "nightly", inherited: false }]);
    await rig.ok("POST", "/test-confs/1/executions");
    expect(await rig.ok("POST", "/executions/1/tags", ["release", "nightly"])).toMatchObject([
      { name: "nightly" },
      { id: 2, name: "release" },
    ]);
    await rig.ok("PUT", "/scripts/1", { tags: [] });
    expect(await rig.ok("GET", "/orgs/1/tags")).toHaveLength(2);
    expect(fieldsOf(await rig.call("POST", "/executions/1/tags", [5]))).toEqual(["body[0]"]);
  });

  it("are counted on request", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(3_600_000);
    expect(await rig.ok("GET", "/orgs/1/tag-info?includeCounts=true")).toEqual([
      {
        id: 1,
        tagId: 1,
        parentId: null,
        tag: expect.objectContaining({ name: "nightly" }),
        matchCountInfo: { total: 1, success: 1, failures: 0 },
      },
    ]);
    expect((await rig.ok("GET", "/orgs/1/tag-info"))[0]).not.toHaveProperty("matchCountInfo");
    expect(await rig.ok("GET", "/orgs/1/tag-info?offset=1")).toEqual([]);
    expect(await rig.ok("GET", "/orgs/1/tag-info?limit=0")).toEqual([]);
  });

  it("are deleted by id or name, alone or together, and taken off their carriers", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/scripts/1", { tags: ["a", "b", "c d", "e", "f"] });
    await rig.ok("POST", "/test-confs/1/executions");
    expect(await rig.ok("DELETE", "/orgs/1/tags/2")).toMatchObject({ name: "a" });
    expect(await rig.ok("DELETE", "/orgs/1/tags", [3])).toMatchObject([{ name: "b" }]);
    expect(await rig.ok("DELETE", "/orgs/1/tags-byname/c%20d")).toMatchObject({ name: "c d" });
    expect(await rig.ok("DELETE", "/orgs/1/tags-byname", ["e"])).toMatchObject([{ name: "e" }]);
    expect(await rig.ok("GET", "/scripts/1")).toMatchObject({ tags: ["f"] });
    expect((await rig.ok("GET", "/executions/1")).tags).toMatchObject([{ name: "f" }]);
  });

  it("are all kept when one of a list does not exist: 404", async () => {
    const rig = await makeShop();
    expect((await rig.call("DELETE", "/orgs/1/tags", [1, 9])).status).toBe(404);
    expect((await rig.call("DELETE", "/orgs/1/tags-byname/none")).status).toBe(404);
    expect(fieldsOf(await rig.call("DELETE", "/orgs/1/tags", ["1"]))).toEqual(["body[0]"]);
    expect(await rig.ok("GET", "/orgs/1/tags")).toHaveLength(1);
  });
});

describe("a copy to another organization", () => {
  it("is refused where a configuration uses what only its own has, and nothing is made", async () => {
    const first = await makeShop();
    await first.ok("POST", "/providers", { name: "Ours", organizationId: 1, providerType: "CloudOnDemand" });
    const snapshot = JSON.parse(JSON.stringify((await withSecond(first)).service.snapshot()));
    snapshot.tables.grant.push({ ...snapshot.tables.grant[0], id: 2, organizationId: 2 });
    await first.service.restore(snapshot);
    const rig = await rigOf(first.service);
    await rig.ok("POST", "/test-cases", { name: "There", org: 2 });
    const copies = [
      "/test-cases/1/copy?name=Copy&targetOrg=2",
      "/scripts/1/copy?name=s&targetTestCase=2&copyConfs=true",
    ];
    await rig.ok("PUT", "/test-confs/1", { providers: [{ providerId: 1, params: { regions: "eu-west-1" } }] });
    const before = rig.service.snapshot().tables;
    for (const path of copies)
      expect(await rig.call("POST", path)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining("configuration 1 (Smoke) runs on provider 1 (Ours), which") },
      });
    expect(rig.service.snapshot().tables).toEqual(before);
    await rig.ok("PUT", "/test-confs/1", { providers: [{ providerId: 0 }] });
    await rig.ok("POST", "/test-cases", { name: "Beside", org: 1 });
    const beside = await rig.ok("POST", "/test-cases/3/scripts", { name: "other", main: "1" });
    await rig.ok("PUT", "/test-confs/1", { scriptId: beside.id });
    expect((await rig.call("POST", copies[0] ?? "")).body.message).toContain("runs scenario 2 (other) of another");
    await rig.ok("PUT", "/test-confs/1", { scriptId: 1 });
    expect((await rig.ok("POST", copies[1] ?? "")).configurations).toMatchObject([{ name: "Smoke" }]);
    const { id } = await rig.ok("POST", copies[0] ?? "");
    expect(await rig.ok("GET", `/test-cases/${id}`)).toMatchObject({ organization: { id: 2 } });
  });
});
