// merge: every way a real repository can refuse; the conformance of the store is in git-store
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LockLost, StateLocked, StoreFailed } from "../../../src/state/store.ts";
import { type GitStoreOptions, gitStore } from "../../../src/stores/git/git-store.ts";
import { isDeep } from "../../support/deep.ts";
import { type GitHttp, startGitHttp } from "../../support/git-http.ts";
import { type BareRepository, bareRepository, plainGit, runGit, runGitLater } from "../../support/git-server.ts";
import { fresh, realHolder, resource, sending } from "../../support/state-samples.ts";
import { describeStore } from "../../support/store-conformance.ts";

let repository: BareRepository;
let server: GitHttp;
let folder = "";
beforeEach(async () => {
  repository = bareRepository();
  server = await startGitHttp(repository);
  folder = mkdtempSync(join(tmpdir(), "loadform-clone-"));
});
afterEach(async () => {
  await server.close();
  repository.remove();
  rmSync(folder, { recursive: true, force: true });
});

const standard = { branch: "loadform-state", path: "p.json", holder: realHolder, env: plainGit };
const storeAt = (more: Partial<GitStoreOptions> = {}) =>
  gitStore({ ...standard, root: folder, remote: server.address, ...more });
const take = (more?: Partial<GitStoreOptions>) => storeAt(more).lock({ operation: "apply", timeoutMs: 0 });
/** For refusals of git itself: before a merge without HTTP between, which is most of the processes. */
const takeBeside = () => take({ remote: isDeep ? server.address : repository.folder });
const addresses = async (more?: Partial<GitStoreOptions>) =>
  Object.keys((await storeAt(more).read())?.state.resources ?? {});
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => new Error("it went well"),
    (problem: unknown) => problem as Error,
  );
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;

async function saveOnce(more?: Partial<GitStoreOptions>): Promise<void> {
  const session = await take(more);
  await session.save({ ...fresh(), resources: { "toy.a": resource(1) } }, []);
  await session.release();
}

/** Before a merge git-conformance.test.ts has all of it, with the same commands of git; what is other over HTTP is below. */
if (isDeep)
  describeStore("git over smart HTTP", async () => {
    const own = bareRepository();
    const http = await startGitHttp(own);
    return {
      open: () => gitStore({ ...standard, root: own.folder, remote: http.address }),
      plant: async (text) => own.commit(standard.branch, standard.path, text),
      peek: async () => own.show(standard.branch, standard.path),
      holder: { operation: "apply", pid: process.pid },
      async remove() {
        await http.close();
        own.remove();
      },
    };
  });

describe("a job's checkout", () => {
  /** As actions/checkout leaves it: shallow, no branch checked out, the token as a header in the repository's own settings. */
  async function checkout(setting: (header: string) => void): Promise<void> {
    for (const text of ["one", "two"]) repository.commit("main", "a.txt", text);
    runGit(folder, ["init", "--quiet", "."]);
    runGit(folder, ["remote", "add", "origin", server.address]);
    server.authorization = basic("x-access-token:example-token-1");
    setting(`AUTHORIZATION: ${server.authorization}`);
    await runGitLater(folder, [
      "fetch",
      "--quiet",
      "--depth=1",
      "--no-tags",
      "origin",
      "+refs/heads/main:refs/remotes/origin/main",
    ]);
    runGit(folder, ["checkout", "--quiet", "--detach", "refs/remotes/origin/main"]);
  }

  test.each(["in its own settings", "in a file that its settings include"])(
    "signs in with the token %s; it is shallow and on no branch",
    async (where) => {
      const { origin } = new URL(server.address);
      await checkout((header) => {
        if (where === "in its own settings")
          return void runGit(folder, ["config", `http.${origin}/.extraheader`, header]);
        const file = join(folder, "..", `${folder.split("/").at(-1)}.gitconfig`);
        runGit(folder, ["config", "--file", file, `http.${origin}/.extraheader`, header]);
        runGit(folder, ["config", `includeIf.gitdir:${folder}/.git.path`, file]);
      });
      const head = runGit(folder, ["rev-parse", "HEAD"]);
      await saveOnce({ remote: "origin" });
      expect(await addresses({ remote: "origin" })).toEqual(["toy.a"]);
      expect(repository.show("loadform-state", "p.json")).toContain("toy.a");
      expect(runGit(folder, ["rev-parse", "HEAD"])).toBe(head);
      rmSync(join(folder, "..", `${folder.split("/").at(-1)}.gitconfig`), { force: true });
    },
  );

  test("without credentials is told in a word and asked nothing; no address shows a password", async () => {
    server.authorization = basic("ci:right");
    const began = Date.now();
    const none = await failureOf(storeAt().read());
    expect(none).toBeInstanceOf(StoreFailed);
    expect(none.message).toMatch(
      /could not read the state at http:.*(terminal prompts disabled|could not read Username)/,
    );
    expect(none.message).toContain("the right to read and push refs/heads/loadform-state");
    const remote = server.address.replace("://", "://ci:Sesam0effne@");
    const wrong = storeAt({ remote });
    expect(wrong.where).toBe(`p.json on branch loadform-state of ${server.address}`);
    const refused = await failureOf(wrong.read());
    expect(refused.message).toMatch(/Authentication failed/);
    expect(refused.message).not.toMatch(/Sesam|ci:/);
    expect(Date.now() - began).toBeLessThan(20_000);
  });

  test("signs in with the password of an address, and with a credential helper", async () => {
    server.authorization = basic("ci:example-password-1");
    await saveOnce({ remote: server.address.replace("://", "://ci:example-password-1@") });
    const helper = join(folder, "helper");
    writeFileSync(helper, "#!/bin/sh\necho username=ci\necho password=example-password-1\n");
    chmodSync(helper, 0o755);
    const settings = join(folder, "gitconfig");
    writeFileSync(settings, `[credential]\n\thelper = ${helper}\n[core]\n\thooksPath = ${folder}\n`);
    expect(await addresses({ env: { ...plainGit, GIT_CONFIG_GLOBAL: settings } })).toEqual(["toy.a"]);
  });

  test("runs no hook of the user", async () => {
    for (const name of ["pre-push", "reference-transaction", "post-commit"]) {
      writeFileSync(join(folder, name), `#!/bin/sh\ntouch ${folder}/ran\nexit 1\n`);
      chmodSync(join(folder, name), 0o755);
    }
    const settings = join(folder, "gitconfig");
    writeFileSync(settings, `[core]\n\thooksPath = ${folder}\n[push]\n\tgpgSign = true\n`);
    await saveOnce({ env: { ...plainGit, GIT_CONFIG_GLOBAL: settings } });
    expect(await addresses()).toEqual(["toy.a"]);
  });
});

describe("a push whose answer is lost", () => {
  test("has taken effect: the lock is ours, the state is written, the lock is given back, each once", async () => {
    server.cuts = 1;
    const session = await take();
    server.cuts = 1;
    const state = await session.save({ ...fresh(), resources: { "toy.a": resource(1) } }, []);
    server.cuts = 1;
    await session.record([sending("toy.b")]);
    expect(state.serial).toBe(1);
    server.cuts = 1;
    await session.release();
    expect(server.cuts).toBe(0);
    expect(repository.git("rev-list", "--count", "loadform-state")).toBe("2");
    expect(repository.refs().filter((ref) => ref.includes("lock"))).toEqual([]);
    expect((await storeAt().read())?.intents).toMatchObject([{ address: "toy.b" }]);
  });

  test("of one who lost the lock meanwhile is no write", async () => {
    const session = await take();
    await session.save(fresh(), []);
    await storeAt().unlock(session.info.id);
    server.cuts = 2;
    await expect(session.save(fresh(), [])).rejects.toBeInstanceOf(LockLost);
    server.cuts = 0;
    await session.release();
    expect(repository.git("rev-list", "--count", "loadform-state")).toBe("1");
  });

  test("is tried again while the remote is down for a moment, and told when it remains so", async () => {
    server.failures = 2;
    await saveOnce();
    server.failures = 1_000;
    const down = await failureOf(storeAt().read());
    expect(down).toBeInstanceOf(StoreFailed);
    expect(down.message).toMatch(/503.*, 5 times\. Look at the remote/);
  });
});

test("a remote that does not answer is waited for as long as was set, and then less", async () => {
  const session = await take({ patience: { wholeMs: 1_500, shortMs: 100 } });
  server.isSilent = true;
  const began = performance.now();
  const problem = await failureOf(session.save(fresh(), []));
  expect(problem).toBeInstanceOf(StoreFailed);
  expect(problem.message).toMatch(/could not write the state at .*no answer within \d s\. Look at the remote/);
  const between = performance.now();
  expect(between - began).toBeGreaterThan(1_400);
  expect((await failureOf(session.release())).message).toMatch(/could not release the lock/);
  expect(performance.now() - between).toBeLessThan(1_400);
});

describe("a remote that refuses", () => {
  test("an account that may only read can plan, and is told the ref and the right that an apply needs", async () => {
    await saveOnce();
    server.isReadOnly = true;
    expect(await addresses()).toEqual(["toy.a"]);
    const problem = await failureOf(take());
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(problem.message).toMatch(
      /could not lock the state .*403.*create, push and delete refs\/heads\/loadform-lock\/[0-9a-f]{16}/,
    );
    expect(problem.message).toContain("contents: write");
  });

  test("by a pre-receive hook is told in its words, and leaves no lock", async () => {
    repository.hook("pre-receive", 'echo "only on Mondays" >&2; exit 1');
    const problem = await failureOf(takeBeside());
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(problem.message).toMatch(/the remote refused the push: .*pre-receive hook declined.*only on Mondays/);
    expect(repository.refs()).toEqual([]);
  });

  test("by a protected branch is told with the branch, writes nothing, and the lock is free again", async () => {
    repository.hook(
      "update",
      '[ "$1" != refs/heads/loadform-state ] || { echo "GH006: protected branch" >&2; exit 1; }',
    );
    const session = await takeBeside();
    const problem = await failureOf(session.save(fresh(), []));
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(problem.message).toMatch(
      /could not write the state of p\.json.*hook declined.*GH006.*push refs\/heads\/loadform-state/,
    );
    await session.release();
    expect(repository.refs()).toEqual([]);
  });

  test("by taking no deletes keeps the lock, and says so", async () => {
    repository.git("config", "receive.denyDeletes", "true");
    const session = await takeBeside();
    const problem = await failureOf(session.release());
    expect(problem.message).toMatch(
      /could not release the lock .*deletion prohibited.*delete refs\/heads\/loadform-lock/,
    );
    await expect(takeBeside()).rejects.toBeInstanceOf(StateLocked);
  });

  test("to do all or nothing is told", async () => {
    repository.git("config", "receive.advertiseAtomic", "false");
    expect((await failureOf(takeBeside())).message).toMatch(/does not support --atomic/);
  });

  test("a branch in the way of the locks is told", async () => {
    repository.commit("loadform-lock", "a", "b");
    expect((await failureOf(takeBeside())).message).toMatch(
      /'refs\/heads\/loadform-lock' exists|cannot lock ref|failed to update/,
    );
  });
});

describe("what is not there", () => {
  test.each([
    {
      title: "a remote of another name",
      remote: "orgin",
      git: true,
      found: /no remote orgin .*it has origin.*Did you mean origin\?/,
    },
    {
      title: "a repository",
      remote: "origin",
      git: false,
      found: /project is not in a git repository, so there is no remote origin/,
    },
    { title: "a folder", remote: "../none.git", git: false, found: /could not read the state at \.\.\/none\.git/ },
  ])("$title", async ({ remote, git, found }) => {
    if (git) runGit(folder, ["init", "--quiet", "."]);
    if (git) runGit(folder, ["remote", "add", "origin", server.address]);
    const problem = await failureOf(storeAt({ remote }).read());
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(problem.message).toMatch(found);
  });

  test("git itself, and one that is too old", async () => {
    const none = await failureOf(storeAt({ env: { ...plainGit, PATH: folder } }).read());
    expect(none.message).toMatch(/git is not in PATH\. Install git 2\.32 or later/);
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 2.25.1\n");
    chmodSync(join(bin, "git"), 0o755);
    const old = await failureOf(storeAt({ env: { ...plainGit, PATH: bin } }).read());
    expect(old.message).toMatch(/needs git 2\.32 or later, and this is git version 2\.25\.1/);
  });
});
