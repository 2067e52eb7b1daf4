import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Problem } from "../../../src/model/diagnostic.ts";
import { runGit } from "../../../src/stores/git/git-command.ts";
import { gitCheckouts } from "../../../src/watch/git/git-checkouts.ts";
import type { GitSource } from "../../../src/watch/watched-project.ts";
import { mergeTest } from "../../support/merge-test.ts";

let base = "";
let runs: string[][] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "loadform-checkouts-"));
  runs = [];
  mkdirSync(join(base, "home"));
  git(base, "init", "-q", "-b", "main", "work");
  commit({ "load/loadform.yaml": "project: a\n", "load/scripts/a b.js": "x();\n", "other/big.bin": "x" });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", stdio: "pipe" }).trim();
const work = () => join(base, "work");
function commit(files: Readonly<Record<string, string | Buffer>>, ...more: string[]) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work(), path)), { recursive: true });
    writeFileSync(join(work(), path), text);
  }
  git(work(), "add", "-A");
  git(work(), "commit", "-q", "--allow-empty", "-m", "x", ...more);
  return git(work(), "rev-parse", "HEAD");
}

const source = (more: Partial<GitSource> = {}): GitSource => ({
  is: "git",
  url: work(),
  branch: "main",
  path: "load",
  ...more,
});
const checkouts = (env: Readonly<Record<string, string>> = {}) =>
  gitCheckouts({
    git: async (args, place, given) => {
      runs.push([...args]);
      return runGit(args, place, given);
    },
    env: { PATH: process.env["PATH"], HOME: join(base, "home"), ...env },
    secretNames: ["SHOP_KEY"],
    folderFor: async (purpose) => {
      const folder = join(base, "cache", Buffer.from(purpose).toString("hex").slice(-40));
      mkdirSync(folder, { recursive: true });
      return folder;
    },
  });
const refusal = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  expect(thrown).toBeInstanceOf(Problem);
  return (thrown as Problem).diagnostics.map(({ code, summary, detail }) => `${code} ${summary}: ${detail}`).join("\n");
};
const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

describe("a checkout", () => {
  test("has the files below the path and no others, and follows the branch, through a forced push too", async () => {
    const checkout = checkouts();
    const first = await checkout("shop", source());
    expect(first).toMatchObject({ commit: git(work(), "rev-parse", "HEAD"), warnings: [] });
    expect(filesIn(first.dir)).toEqual(["loadform.yaml", "scripts", "scripts/a b.js"]);
    expect(filesIn(join(first.dir, ".."))).not.toContain("other");
    rmSync(join(work(), "load/scripts"), { recursive: true });
    const commit2 = commit({ "load/loadform.yaml": "project: b\n" }, "--amend");
    const second = await checkout("shop", source());
    expect([second.commit, second.dir, filesIn(second.dir)]).toEqual([commit2, first.dir, ["loadform.yaml"]]);
    expect(readFileSync(join(second.dir, "loadform.yaml"), "utf8")).toBe("project: b\n");
  });

  test("is written once for a commit, and fetched once for projects that ask at the same time", async () => {
    const checkout = checkouts();
    await Promise.all([checkout("a", source()), checkout("b", source()), checkout("c", source({ path: "" }))]);
    expect(runs.filter(([name]) => name === "fetch").length).toBe(1);
    runs = [];
    await checkout("a", source());
    expect(runs.map(([name]) => name)).not.toContain("checkout-index");
  });

  test.each<[string, (path: string) => void]>([
    ["is gone", (path) => rmSync(path)],
    ["is cut off", (path) => writeFileSync(path, "x")],
  ])("is written again where a file of it %s", async (_, spoil) => {
    const { dir } = await checkouts()("a", source());
    spoil(join(dir, "scripts", "a b.js"));
    expect(await checkouts()("a", source())).toMatchObject({ dir });
    expect(readFileSync(join(dir, "scripts", "a b.js"), "utf8")).toBe("x();\n");
  });

  test("is the repository's for a state on one of its branches", async () => {
    const { dir } = await checkouts()("shop", source());
    expect(git(dir, "remote", "get-url", "origin")).toBe(work());
    expect(git(dir, "rev-parse", "--show-toplevel")).toBe(join(dir, ".."));
  });

  mergeTest("is made anew where one was cut short, and where a killed git left a lock", async () => {
    const { dir } = await checkouts()("shop", source());
    const top = join(dir, "..", "..");
    rmSync(join(top, "files"), { recursive: true });
    rmSync(join(top, "commit"));
    mkdirSync(join(top, "fresh", "left"), { recursive: true });
    expect(filesIn((await checkouts()("shop", source())).dir)).toContain("loadform.yaml");
  });

  mergeTest("is made from a new copy of the repository where a crash left the former damaged", async () => {
    const { dir } = await checkouts()("shop", source());
    const repository = git(dir, "rev-parse", "--absolute-git-dir");
    for (const name of ["HEAD", "refs/loadform/tip", "config.lock"]) {
      writeFileSync(join(repository, name), "");
      utimesSync(join(repository, name), 1, 1);
      const next = commit({ "load/loadform.yaml": `project: ${name}\n` });
      expect((await checkouts()("shop", source())).commit).toBe(next);
    }
  });

  mergeTest("is written by several watchers of one user at a time", async () => {
    const each = () => checkouts()("shop", source());
    for (const text of ["b", "c", "d"]) {
      const next = commit({ "load/loadform.yaml": `project: ${text}\n` });
      const made = await Promise.all([each(), each(), each()]);
      expect(made.map((one) => [one.commit, readFileSync(join(one.dir, "loadform.yaml"), "utf8")])).toEqual(
        made.map(() => [next, `project: ${text}\n`]),
      );
    }
  });
});

describe("what cannot be checked out is told", () => {
  test("a deleted branch, with those that there are", async () => {
    git(work(), "branch", "next");
    const told = await refusal(checkouts()("shop", source({ branch: "gone" })));
    expect(told).toMatch(/^LF8001 there is no branch gone: .*It has main, next\. Set git\.branch/);
  });

  mergeTest("a moved path, with the projects that there are", async () => {
    git(work(), "mv", "load", "tests");
    commit({ "x/y/loadform.yaml": "project: y\n" });
    const told = await refusal(checkouts()("shop", source()));
    expect(told).toMatch(/^LF8001 there is no folder load: .*Projects are in tests, x\/y\. Set git\.path/);
  });

  test("credentials that are refused, without showing them", async () => {
    const { createServer } = await import("node:http");
    const server = createServer((_, response) => response.writeHead(401, { "www-authenticate": "Basic" }).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const told = await refusal(
      checkouts()("shop", source({ url: `http://user:hidden-1@127.0.0.1:${port}/r.git?token=hidden-2` })),
    );
    server.close();
    expect(told).toContain("LF8001 the repository could not be fetched");
    expect(told).toContain("sign in without being asked");
    expect(told).not.toMatch(/hidden|user:/);
  });

  mergeTest("a project that is too large", async () => {
    // One blob under many names: what a checkout writes is as large as if each were another.
    writeFileSync(join(base, "big.bin"), Buffer.alloc(10_000_000));
    const blob = git(work(), "hash-object", "-w", join(base, "big.bin"));
    const names = Array.from({ length: 12 }, (_, at) => ["--cacheinfo", `100644,${blob},load/big${at}.bin`]).flat();
    git(work(), "update-index", "--add", ...names);
    git(work(), "commit", "-q", "-m", "x");
    expect(await refusal(checkouts()("shop", source()))).toContain("more than 100 MB");
    expect((await checkouts()("shop", source({ path: "other" }))).warnings).toEqual([]);
  });
});

describe("a hostile repository", () => {
  test("leads nowhere by links and submodules, which are told", async () => {
    writeFileSync(join(base, "secret"), "s");
    symlinkSync(join(base, "secret"), join(work(), "load/link"));
    symlinkSync("..", join(work(), "load/up"));
    commit({});
    git(work(), "update-index", "--add", "--cacheinfo", `160000,${git(work(), "rev-parse", "HEAD")},load/sub`);
    git(work(), "commit", "-q", "-m", "x");
    const { dir, warnings } = await checkouts()("shop", source());
    expect(warnings.map(({ detail }) => detail.split(",")[0])).toEqual([
      '"load/link" is a symbolic link',
      '"load/sub" is a submodule',
      '"load/up" is a symbolic link',
    ]);
    expect(filesIn(dir)).toEqual(["loadform.yaml", "scripts", "scripts/a b.js"]);
    symlinkSync("load", join(work(), "door"));
    commit({});
    expect(await refusal(checkouts()("shop", source({ path: "door" })))).toContain("there is no folder door");
  });

  test("runs neither hooks nor filters, whatever its attributes and the user's settings name", async () => {
    const touched = join(base, "touched");
    const program = join(base, "program");
    writeFileSync(program, `#!/bin/sh\ntouch ${touched}\ncat\n`, { mode: 0o755 });
    mkdirSync(join(base, "hooks"));
    for (const name of ["post-checkout", "reference-transaction", "post-index-change"])
      writeFileSync(join(base, "hooks", name), `#!/bin/sh\ntouch ${touched}\n`, { mode: 0o755 });
    writeFileSync(
      join(base, "home", ".gitconfig"),
      `[filter "x"]\nsmudge = ${program}\nclean = cat\nrequired = true\n[core]\nhooksPath = ${join(base, "hooks")}\nfsmonitor = ${program}\n`,
    );
    commit({ "load/.gitattributes": "* filter=x ident\n", "load/a.txt": "$Id$\r\n" });
    const { dir } = await checkouts()("shop", source());
    expect([existsSync(touched), readFileSync(join(dir, "a.txt"), "utf8")]).toEqual([false, "$Id$\r\n"]);
  });

  mergeTest("has odd names as they are", async () => {
    const names = ["load/-rf", "load/new\nline", "load/tab\tü", "load/*?[a]", "load/a\\b", "load/ end "];
    commit(Object.fromEntries(names.map((name) => [name, "1"])));
    const { dir } = await checkouts()("shop", source());
    expect(filesIn(dir)).toEqual(expect.arrayContaining(names.map((name) => name.slice("load/".length))));
  });

  test("is not told secrets of the watcher or of projects", async () => {
    const program = join(base, "askpass");
    writeFileSync(program, `#!/bin/sh\nenv > ${join(base, "env")}\necho x\n`, { mode: 0o755 });
    const { createServer } = await import("node:http");
    const server = createServer((_, response) => response.writeHead(401, { "www-authenticate": "Basic" }).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const env = { GIT_ASKPASS: program, SHOP_KEY: "hidden-1", LOADFORM_WATCH_TOKEN: "hidden-2" };
    await refusal(checkouts(env)("shop", source({ url: `http://127.0.0.1:${port}/r.git` })));
    server.close();
    const told = readFileSync(join(base, "env"), "utf8");
    expect([told.includes("GIT_TERMINAL_PROMPT=0"), told.includes("hidden")]).toEqual([true, false]);
  });
});
