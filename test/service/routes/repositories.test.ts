import { describe, expect, it } from "vitest";
import { fieldsOf, makeRig } from "../support/rig.ts";

const web = { name: "Scripts", url: "https://git.test/load.git" };
const withUser = { ...web, vcsAuthType: "Username", username: "ci", password: "canary-secret" };
const withKey = {
  name: "Keys",
  url: "git@git.test:load.git",
  vcsAuthType: "PrivateKey",
  privateKey: "Y2FuYXJ5LXNlY3JldA==",
  privateKeyName: "ci",
};

describe("repositories", () => {
  it.each([
    ["defaults", web, { vcsType: "Git", branch: "HEAD", vcsAuthType: "None" }],
    ["any case of git", { ...web, vcsType: "gIt" }, { vcsType: "Git" }],
    ["a user and a password", withUser, { username: "ci" }],
    ["a key over ssh", withKey, { privateKeyName: "ci" }],
    ["an ssh url without a key", { ...web, url: "ssh://git@git.test/load.git" }, { vcsAuthType: "None" }],
  ])("take %s", async (_, body, expected) => {
    const rig = await makeRig();
    const made = await rig.ok("POST", "/orgs/1/vcs-roots", body);
    expect(made).toMatchObject(expected);
    expect(await rig.ok("GET", "/vcs-roots/1")).toEqual(made);
    expect(await rig.ok("GET", "/vcs-roots")).toEqual([made]);
    expect(await rig.ok("GET", "/orgs/1/vcs-roots")).toEqual([made]);
    expect(made).not.toHaveProperty("password");
    expect(made).not.toHaveProperty("privateKey");
  });

  it.each([
    ["API: another type than git", { ...web, vcsType: "svn" }, ["vcsType"]],
    ["API: another scheme", { ...web, url: "ftp://git.test" }, ["url"]],
    ["no url", { name: "A" }, ["url"]],
    ["API: a user over ssh", { ...withUser, url: withKey.url }, ["url"]],
    ["API: a key over http", { ...withKey, url: web.url }, ["url"]],
    ["API: an unknown way to authenticate", { ...web, vcsAuthType: "Token" }, ["vcsAuthType"]],
    ["DECISION a user without a password", { ...withUser, password: undefined }, ["password"]],
    ["DECISION a user without a name", { ...withUser, username: undefined }, ["username"]],
    ["DECISION no key", { ...withKey, privateKey: null }, ["privateKey"]],
    ["API: a key that is no base64", { ...withKey, privateKey: "-----BEGIN" }, ["privateKey"]],
  ])("refuse %s", async (_, body, fields) => {
    const rig = await makeRig();
    expect(fieldsOf(await rig.call("POST", "/orgs/1/vcs-roots", body))).toEqual(fields);
  });

  it("keep a stored secret, drop it with its variant, and ask for it again", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/vcs-roots", withUser);
    expect(await rig.ok("PUT", "/vcs-roots/1", { branch: "main" })).toMatchObject({ branch: "main", username: "ci" });
    expect(await rig.ok("PUT", "/vcs-roots/1", { branch: null })).toMatchObject({ branch: "HEAD" });
    expect(await rig.ok("PUT", "/vcs-roots/1", { vcsAuthType: "None" })).not.toHaveProperty("username");
    const again = await rig.call("PUT", "/vcs-roots/1", { vcsAuthType: "Username" });
    expect(fieldsOf(again)).toEqual(["username", "password"]);
  });

  it("keep nothing of a secret but a salted digest", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/vcs-roots", withUser);
    await rig.ok("POST", "/orgs/1/vcs-roots", withKey);
    const kept = JSON.stringify([rig.service.snapshot(), rig.service.requests]);
    expect(kept).not.toMatch(/canary|Y2FuYXJ5/);
    expect(kept).toMatch(/"password":"[0-9a-f]{64}"/);
  });

  it("report a foreign secret instead of keeping it", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/vcs-roots", { ...web, password: "canary" });
    expect(rig.service.requests.at(-1)?.unknownFields).toEqual(["password"]);
    expect(JSON.stringify(rig.service.snapshot())).not.toContain("password");
  });

  it("are deleted", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/vcs-roots", web);
    expect(await rig.ok("DELETE", "/vcs-roots/1")).toMatchObject({ id: 1, name: "Scripts" });
    expect((await rig.call("HEAD", "/vcs-roots/1")).status).toBe(404);
  });
});
