import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { listRefs } from "../../../src/service/git/list-refs.ts";
import {
  type GitFolder,
  type GitServer,
  makeRepository,
  refsOfFixture,
  serveRepository,
  type Treatment,
} from "../support/git-fixture.ts";
import { type Answered, fieldsOf, makeRig, type Way } from "../support/rig.ts";

let repository: GitFolder;
const servers: GitServer[] = [];

beforeAll(() => {
  repository = makeRepository();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.splice(0).map((each) => each.close()));
});

afterAll(() => repository.remove());

async function serve(treatment?: Treatment): Promise<GitServer> {
  const server = await serveRepository(repository.folder, treatment);
  servers.push(server);
  return server;
}

const login = { vcsAuthType: "Username", username: "ci", password: "canary secret%40" };
const refused = (answer: Answered) => [answer.status, fieldsOf(answer), answer.body.message];

describe.each<Way>(["in process", "over HTTP"])("refs of a repository %s", (way) => {
  it("are asked of git by the url of a file", async () => {
    const rig = await makeRig({ way });
    expect(await rig.ok("POST", "/vcs-root/refs", { url: repository.url() })).toEqual(refsOfFixture);
    expect(await rig.ok("GET", "/vcs-roots")).toEqual([]);
    await rig.close();
  });

  it("are asked of git over http on loopback", async () => {
    const rig = await makeRig({ way });
    const { url } = await serve();
    expect(await rig.ok("POST", "/vcs-root/refs", { name: "A", url: `${url}/shop.git` })).toEqual(refsOfFixture);
    await rig.close();
  });
});

describe("refs", () => {
  it("of an empty repository are none", async () => {
    const rig = await makeRig();
    expect(await rig.ok("POST", "/vcs-root/refs", { url: repository.url("empty.git") })).toEqual([]);
  });

  it.each([
    ["GET", "/vcs-root/1/refs"],
    ["GET", "/vcs-roots/1/refs"],
    ["GET", "/api/vcs-roots/1/refs"],
    ["POST", "/vcs-root/1/refs"],
    ["POST", "/vcs-roots/1/refs"],
  ])("of a saved repository are answered to %s %s", async (method, path) => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/vcs-roots", { name: "A", url: repository.url() });
    expect(await rig.ok(method, path)).toEqual(refsOfFixture);
  });

  it("are answered to the other spelling of the test without saving", async () => {
    const rig = await makeRig();
    expect(await rig.ok("POST", "/vcs-roots/refs", { url: repository.url() })).toEqual(refsOfFixture);
  });

  it("answer HEAD without a body", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/vcs-roots", { name: "A", url: repository.url() });
    expect(await rig.call("HEAD", "/vcs-root/1/refs")).toMatchObject({ status: 200, body: undefined });
  });

  it("are asked with overriding fields that are not kept", async () => {
    const rig = await makeRig();
    const saved = await rig.ok("POST", "/orgs/1/vcs-roots", { name: "A", url: "https://git.test/none.git" });
    expect(await rig.ok("POST", "/vcs-root/1/refs", { url: repository.url() })).toEqual(refsOfFixture);
    expect(await rig.ok("GET", "/vcs-roots/1")).toEqual(saved);
  });

  it("of a repository that does not exist are 404", async () => {
    const rig = await makeRig();
    expect((await rig.call("GET", "/vcs-root/9/refs")).status).toBe(404);
    expect((await rig.call("POST", "/vcs-root/9/refs", {})).status).toBe(404);
  });

  it.each([
    ["no url", {}, ["url"]],
    ["a scheme that runs commands", { url: "ext::sh -c id" }, ["url"]],
    [
      "all invalid fields at once",
      { url: "x", vcsType: "svn", vcsAuthType: "Username" },
      ["url", "vcsType", "username", "password"],
    ],
    ["a user without a password", { url: "http://localhost/a", vcsAuthType: "Username", username: "ci" }, ["password"]],
  ])("are refused with %s", async (_, body, fields) => {
    const rig = await makeRig();
    const answer = await rig.call("POST", "/vcs-root/refs", body);
    expect([answer.status, [...fieldsOf(answer)].sort()]).toEqual([400, [...fields].sort()]);
  });
});

describe("refs of a host that is not reached", () => {
  const url = "https://git.test/load.git";

  it("are those of the setting refs, whatever the credentials", async () => {
    const rig = await makeRig({ settings: { refs: { [url]: ["refs/heads/main", "refs/heads/next"] } } });
    await rig.ok("POST", "/orgs/1/vcs-roots", { name: "A", url, ...login });
    expect(await rig.ok("GET", "/vcs-root/1/refs")).toEqual(["refs/heads/main", "refs/heads/next"]);
    expect(await rig.ok("POST", "/vcs-root/refs", { url })).toEqual(["refs/heads/main", "refs/heads/next"]);
  });

  it.each([url, "constructor", "ssh://git@git.test/a.git", "git@git.test:a.git"])(
    "are 400 without that setting, which is named: %s",
    async (address) => {
      const rig = await makeRig({ settings: { refs: { "https://git.test/other.git": [] } } });
      const answer = await rig.call("POST", "/vcs-root/refs", { url: address });
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ["url"]]);
      if (address !== "constructor") expect(answer.body.message).toContain("allowedHosts");
    },
  );

  it("do not tell the password that stands in the url", async () => {
    const rig = await makeRig();
    const answer = await rig.call("POST", "/vcs-root/refs", { url: "https://ci:canary@git.test/load.git" });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).not.toContain("canary");
  });

  it.each([
    "ssh://git.test%2f.localhost/a.git",
    "ssh://ann%40git.test%2f@localhost/a.git",
    "ssh://-oProxyCommand=id@localhost/a.git",
    "-x@localhost:a.git",
    "file://git.test/a.git",
  ])("are not asked of an address that git reads otherwise: %s", async (address) => {
    const rig = await makeRig();
    const answer = await rig.call("POST", "/vcs-root/refs", { url: address });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ["url"]]);
  });
});

describe("a repository with a user and a password", () => {
  it("is asked with those of the request", async () => {
    const rig = await makeRig();
    const server = await serve({ login: `ci:${login.password}` });
    const url = `${server.url}/shop.git`;
    expect(await rig.ok("POST", "/vcs-root/refs", { url, ...login })).toEqual(refsOfFixture);
    await rig.ok("POST", "/orgs/1/vcs-roots", { name: "A", url, ...login, password: "old" });
    expect(await rig.ok("POST", "/vcs-root/1/refs", { password: login.password })).toEqual(refsOfFixture);
  });

  it("is not asked without: the stored one is only a digest", async () => {
    const rig = await makeRig();
    const server = await serve({ login: `ci:${login.password}` });
    await rig.ok("POST", "/orgs/1/vcs-roots", { name: "A", url: `${server.url}/shop.git`, ...login });
    for (const [method, path] of [
      ["GET", "/vcs-root/1/refs"],
      ["POST", "/vcs-root/1/refs"],
    ] as const)
      expect(refused(await rig.call(method, path))).toEqual([400, ["password"], expect.stringContaining("digest")]);
    expect(server.seen).toEqual([]);
  });

  it("is asked with the user and password that stand in its url", async () => {
    const rig = await makeRig();
    const server = await serve({ login: "ann:a/b" });
    const url = `${server.url.replace("://", "://ann:a%2Fb@")}/shop.git`;
    expect(await rig.ok("POST", "/vcs-root/refs", { url })).toEqual(refsOfFixture);
  });

  it("refuses others, and no secret is told, logged or kept", async () => {
    const rig = await makeRig();
    const server = await serve({ login: "ci:right" });
    const before = JSON.stringify(rig.service.snapshot());
    const answer = await rig.call("POST", "/vcs-root/refs", { url: `${server.url}/shop.git`, ...login });
    expect(refused(answer)).toEqual([400, ["password"], expect.stringContaining("refused")]);
    expect(JSON.stringify([answer.body, rig.service.requests])).not.toContain("canary");
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
  });

  it("is told what is missing when it has none", async () => {
    const rig = await makeRig();
    const server = await serve({ login: "ci:right" });
    const answer = await rig.call("POST", "/vcs-root/refs", { url: `${server.url}/shop.git` });
    expect(refused(answer)).toEqual([400, ["password"], expect.stringContaining("found none")]);
  });

  it("does not follow to another server, which would see the password", async () => {
    const rig = await makeRig();
    const target = await serve();
    const server = await serve({ redirect: target.url });
    const answer = await rig.call("POST", "/vcs-root/refs", { url: `${server.url}/shop.git`, ...login });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ["url"]]);
    expect(target.seen).toEqual([]);
  });
});

describe("a repository that cannot be asked", () => {
  it("is 400 where nobody listens", async () => {
    const rig = await makeRig();
    const server = await serve();
    await server.close();
    const answer = await rig.call("POST", "/vcs-root/refs", { url: `${server.url}/shop.git` });
    expect(refused(answer)).toEqual([400, ["url"], expect.stringContaining("could not be reached")]);
  });

  it.each(["web", "file"])("is 400 where no repository is: %s", async (kind) => {
    const rig = await makeRig();
    const url = kind === "web" ? `${(await serve()).url}/none.git` : repository.url("none.git");
    const answer = await rig.call("POST", "/vcs-root/refs", { url });
    expect(refused(answer)).toEqual([400, ["url"], expect.stringContaining("found no git repository")]);
  });

  it("is 400 on a machine without git", async () => {
    const rig = await makeRig();
    vi.stubEnv("PATH", join(repository.folder, "nowhere"));
    const answer = await rig.call("POST", "/vcs-root/refs", { url: repository.url() });
    expect(refused(answer)).toEqual([400, ["url"], expect.stringContaining("no git on this machine")]);
  });

  it("is given up after a time, with all that git started", async () => {
    const { url } = await serve("hang");
    const remote = { address: `${url}/shop.git`, protocol: "http", isLocal: true } as const;
    await expect(listRefs({ remote, secrets: {}, limitMs: 200 })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("within 0.2 s"),
    });
  });

  it("leaves nothing in the folder for temporary files", async () => {
    const mine = join(repository.folder, "temporary");
    mkdirSync(mine, { recursive: true });
    vi.stubEnv("TMPDIR", mine);
    expect(tmpdir()).toBe(mine);
    const rig = await makeRig();
    await rig.ok("POST", "/vcs-root/refs", { url: repository.url() });
    await rig.call("POST", "/vcs-root/refs", { url: repository.url("none.git") });
    expect(readdirSync(mine)).toEqual([]);
  });
});

describe("git", () => {
  it("does not see the configuration of whoever started the service", async () => {
    const rig = await makeRig();
    const home = join(repository.folder, "home");
    mkdirSync(home, { recursive: true });
    writeFileSync(
      join(home, ".gitconfig"),
      `[url "${repository.url("empty.git")}"]\n  insteadOf = ${repository.url()}\n`,
    );
    vi.stubEnv("HOME", home);
    vi.stubEnv("GIT_CONFIG_GLOBAL", join(home, ".gitconfig"));
    expect(await rig.ok("POST", "/vcs-root/refs", { url: repository.url() })).toEqual(refsOfFixture);
  });

  it("goes to loopback past the proxy of the environment", async () => {
    const rig = await makeRig();
    const proxy = await serve("hang");
    vi.stubEnv("http_proxy", proxy.url);
    const { url } = await serve();
    expect(await rig.ok("POST", "/vcs-root/refs", { url: `${url}/shop.git` })).toEqual(refsOfFixture);
    expect(proxy.seen).toEqual([]);
  });
});
