import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type GitFolder, makeRepository, refsOfFixture } from "../support/git-fixture.ts";
import { fieldsOf, makeRig } from "../support/rig.ts";

let repository: GitFolder;

beforeAll(() => {
  repository = makeRepository();
});

afterEach(() => void vi.unstubAllEnvs());

afterAll(() => repository.remove());

const key = {
  vcsAuthType: "PrivateKey",
  privateKey: Buffer.from("canary key").toString("base64"),
  privateKeyName: "k",
};

describe("a repository over ssh", () => {
  it("is asked with the key of the request, which only its owner can read and which is gone afterwards", async () => {
    const rig = await makeRig();
    const log = withSshOf(repository.folder);
    const url = `ssh://git@localhost${join(repository.folder, "shop.git")}`;
    expect(await rig.ok("POST", "/vcs-root/refs", { url, ...key })).toEqual(refsOfFixture);
    const [mode, contents, file, ...args] = readFileSync(log, "utf8").split("\n");
    expect([mode, contents]).toEqual(["600", "canary key"]);
    expect(existsSync(file ?? "")).toBe(false);
    expect(args).toEqual(expect.arrayContaining(["BatchMode=yes", "IdentitiesOnly=yes", "git@localhost"]));
  });

  it("is asked without a key, in the short form of an address too", async () => {
    const rig = await makeRig();
    withSshOf(repository.folder);
    const url = `git@localhost:${join(repository.folder, "shop.git")}`;
    expect(await rig.ok("POST", "/vcs-root/refs", { url })).toEqual(refsOfFixture);
  });

  it("is not asked with the stored key, of which only a digest is kept", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/vcs-roots", { name: "A", url: "ssh://git@localhost/a.git", ...key });
    expect(fieldsOf(await rig.call("GET", "/vcs-root/1/refs"))).toEqual(["privateKey"]);
  });

  it("refuses a key that ssh cannot read", async () => {
    const rig = await makeRig();
    withSshOf(repository.folder, `echo 'Load key "/tmp/x/key": invalid format' >&2; exit 255`);
    const answer = await rig.call("POST", "/vcs-root/refs", { url: "ssh://git@localhost/a.git", ...key });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ["privateKey"]]);
    expect(answer.body.message).toContain("cannot read");
  });

  it("is 400 on a machine without ssh", async () => {
    const rig = await makeRig();
    withSshOf(repository.folder, "echo 'ssh: 2: exec: ssh: not found' >&2; exit 127");
    const answer = await rig.call("POST", "/vcs-root/refs", { url: "git@localhost:a.git" });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain("no ssh on this machine");
  });
});

/** Puts a program `ssh` first in PATH that notes how it was called and runs the command here; answers the file with the notes. */
function withSshOf(folder: string, instead?: string): string {
  const bin = join(folder, "bin");
  const log = join(folder, "ssh.log");
  mkdirSync(bin, { recursive: true });
  const note = `stat -c %a "$LOADFORM_KEY_FILE"; cat "$LOADFORM_KEY_FILE"; echo; echo "$LOADFORM_KEY_FILE"; printf '%s\\n' "$@"`;
  const script = `#!/bin/sh\n${instead ?? `{ ${note}; } > "${log}" 2>&1\nfor last; do :; done\nexec sh -c "$last"`}\n`;
  writeFileSync(join(bin, "ssh"), script);
  chmodSync(join(bin, "ssh"), 0o755);
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  return log;
}
