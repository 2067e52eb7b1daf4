import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { reachableRemote, shownUrl } from "../../../src/service/git/git-remote.ts";
import { fieldsOf, makeRig } from "../support/rig.ts";

const allowedHosts = ["git.test"];

describe("the address that git is given", () => {
  it.each([
    ["http://127.0.0.1:3000/a.git", "http", "http://127.0.0.1:3000/a.git", true],
    ["http://0x7f.1/a.git", "http", "http://127.0.0.1/a.git", true],
    ["https://[::1]/a.git", "https", "https://[::1]/a.git", true],
    ["https://GIT.test/a.git", "https", "https://git.test/a.git", false],
    ["https://ann:secret@git.test/a.git", "https", "https://git.test/a.git", false],
    ["https://%zz@git.test/a.git", "https", "https://git.test/a.git", false],
    ["ssh://git@git.test:2222/a.git", "ssh", "ssh://git@git.test:2222/a.git", false],
    ["git+ssh://git@git.test/a.git", "ssh", "ssh://git@git.test/a.git", false],
    ["git@git.test:a.git", "ssh", "git@git.test:a.git", false],
    ["git@localhost:/srv/a.git", "ssh", "git@localhost:/srv/a.git", true],
    ["file:///srv/a%20b.git", "file", "file:///srv/a%20b.git", true],
    ["file://localhost/srv/a.git", "file", "file:///srv/a.git", true],
  ])("of %s is the one that was checked", (url, protocol, address, isLocal) => {
    expect(reachableRemote(url, { allowedHosts })).toMatchObject({ protocol, address, isLocal });
  });

  it.each([
    "https://git.test.evil.test/a.git",
    "https://evil.test/git.test/a.git",
    "https://git.test@evil.test/a.git",
    "http://10.0.0.1/a.git",
    "http://169.254.169.254/latest",
    "ssh://git@evil.test/a.git",
    "ssh://git@git.test%2f.evil.test/a.git",
    "git@evil.test:a.git",
    "git@-oProxyCommand:a.git",
    "git@git.test:a\u0000.git",
    "file://evil.test/a.git",
    "file:///a%2fb.git",
    "not a url",
  ])("is none for %s", (url) => {
    expect(reachableRemote(url, { allowedHosts })).toBeUndefined();
  });

  it.each([
    ["https://ann:secret@git.test/a@b.git", "https://git.test/a@b.git"],
    ["git@git.test:a.git", "git@git.test:a.git"],
    ["https://git.test/a.git", "https://git.test/a.git"],
  ])("is shown without user and password: %s", (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });
});

describe("how git is called", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "loadform-fake-git-"));
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/argv"\nenv > "${folder}/env"\nprintf 'x\\trefs/heads/main\\n'\n`;
    writeFileSync(join(folder, "git"), script);
    chmodSync(join(folder, "git"), 0o755);
    vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
    vi.stubEnv("LEAKED", "canary");
    vi.stubEnv("https_proxy", "http://proxy.test:3128");
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const login = { vcsAuthType: "Username", username: "ci", password: "canary-password" };

  it("puts no secret among its arguments, and ends its options before the address", async () => {
    const rig = await makeRig();
    const url = "http://ann:canary-login@localhost/a.git";
    expect(await rig.ok("POST", "/vcs-root/refs", { url, ...login })).toEqual(["refs/heads/main"]);
    expect(read("argv").split("\n")).toEqual(["ls-remote", "--refs", "--", "http://localhost/a.git", ""]);
  });

  it("lets it see only what it needs, in a home of its own", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/vcs-root/refs", { url: "http://localhost/a.git", ...login });
    const env = new Map(
      read("env")
        .split("\n")
        .map((line) => [line.split("=")[0], line]),
    );
    expect([...env.keys()]).toEqual(expect.arrayContaining(["GIT_ALLOW_PROTOCOL", "GIT_CONFIG_NOSYSTEM", "HOME"]));
    expect(env.get("GIT_TERMINAL_PROMPT")).toBe("GIT_TERMINAL_PROMPT=0");
    expect(env.get("GIT_ALLOW_PROTOCOL")).toBe("GIT_ALLOW_PROTOCOL=http");
    expect(env.get("HOME")).toContain("loadform-git-");
    expect([env.has("LEAKED"), env.has("https_proxy")]).toEqual([false, false]);
    expect(read("env")).not.toContain("canary");
  });

  it("goes to an allowed host by the proxy of the environment", async () => {
    const rig = await makeRig({ settings: { allowedHosts } });
    await rig.ok("POST", "/vcs-root/refs", { url: "https://git.test/a.git" });
    expect(read("env")).toContain("https_proxy=http://proxy.test:3128");
    expect(read("env")).toContain("GIT_ALLOW_PROTOCOL=https");
  });

  it("is 400 when an address or a password is longer than a program takes", async () => {
    const rig = await makeRig();
    const long = "a".repeat(3_000_000);
    for (const body of [
      { url: `http://localhost/${long}` },
      { url: "http://localhost/a.git", ...login, password: long },
    ]) {
      const answer = await rig.call("POST", "/vcs-root/refs", body);
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ["url"]]);
      expect(answer.body.message.length).toBeLessThan(2_000);
    }
  });
});
