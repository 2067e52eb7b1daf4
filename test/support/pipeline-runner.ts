import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allocatorVariables } from "../../src/cli/prepare-engine.ts";
import { builtCli } from "./built-cli.ts";
import { copyExample } from "./copy-example.ts";
import { freshFolder } from "./run-cli.ts";
import { repository } from "./source-files.ts";

/** Shell lines as a runner starts them: each in a bash of its own. */
interface ShellStep {
  readonly name: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What lines of a shell left behind. */
interface ShellRun {
  readonly code: number;
  readonly log: string;
}

/** What became of a job. */
export interface JobRun extends ShellRun {
  readonly job: string;
  /** The step that failed. */
  readonly failed?: string;
  /** Files that it handed over, with their text. */
  readonly artifacts: Readonly<Record<string, string>>;
}

/** A git repository with an example in it, and the machine on which a forge runs jobs. */
export interface PipelineRunner {
  /** Edits the project on a branch, made from main when it is not there, and commits. */
  readonly commit: (branch: string, edit: (files: ProjectFiles) => void) => Promise<void>;
  readonly merge: (branch: string) => Promise<void>;
  /** Puts a tag on main. */
  readonly tag: (name: string) => Promise<void>;
  /** Folder of the repository that jobs are clones of. */
  readonly origin: string;
  readonly fileOn: (path: string) => string;
  /** A fresh clone of a branch or a tag, as a job gets it. */
  readonly checkout: (branch: string) => Promise<string>;
  readonly bash: (cwd: string, step: ShellStep) => Promise<ShellRun>;
}

/** Files of the checkout in which a change is made. */
interface ProjectFiles {
  readonly replace: (file: string, from: string, to: string) => void;
}

const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };

/** The tarball of this version, as the pipelines of examples/ci find it in the repository. */
const tarball = `vendor/loadform-${version}.tgz`;

/**
 * Makes one. Of the commands on its PATH only `npm` is a stand-in: it takes the line that installs the vendored tarball, which
 * is a stand-in too (test/scripts/installed-package.test.ts installs a real one).
 */
export async function pipelineRunner(example: string): Promise<PipelineRunner> {
  const home = freshFolder();
  const bin = join(home, "bin");
  const origin = join(home, "origin");
  await fillBin(bin);
  copyExample(example, origin);
  mkdirSync(join(origin, "vendor"), { recursive: true });
  writeFileSync(join(origin, tarball), "");
  const path = `${bin}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  const base = { PATH: path, HOME: home, CI: "true", GIT_CONFIG_GLOBAL: "/dev/null", ...allocatorVariables };
  const bash = (cwd: string, { script, env }: ShellStep) => runBash(script, { cwd, env: { ...base, ...env } });
  const git = async (cwd: string, script: string) => {
    const { code, log } = await bash(cwd, { name: "git", script: `set -e\n${script}`, env: gitNames });
    if (code !== 0) throw new Error(`${script}: ${log}`);
  };
  await git(origin, "git init -q -b main . && git add -A && git commit -q -m 'Start'");
  return {
    async commit(branch, edit) {
      await git(origin, `git checkout -q ${branch} 2>/dev/null || git checkout -q -b ${branch} main`);
      edit({ replace: (file, from, to) => replaceIn(join(origin, file), from, to) });
      await git(origin, "git commit -q -a -m 'Change' && git checkout -q main");
    },
    merge: (branch) => git(origin, `git checkout -q main && git merge -q --no-ff -m 'Merge' ${branch}`),
    tag: (name) => git(origin, `git tag ${name} main`),
    origin,
    fileOn: (file) => readFileSync(join(origin, file), "utf8"),
    async checkout(branch) {
      const folder = freshFolder();
      await git(folder, `git clone -q --depth 1 --branch ${branch} file://${origin} .`);
      return folder;
    },
    bash,
  };
}

const gitNames = {
  GIT_AUTHOR_NAME: "dev",
  GIT_AUTHOR_EMAIL: "dev@example.com",
  GIT_COMMITTER_NAME: "dev",
  GIT_COMMITTER_EMAIL: "dev@example.com",
};

async function fillBin(bin: string): Promise<void> {
  mkdirSync(bin, { recursive: true });
  const write = (name: string, lines: string) => {
    writeFileSync(join(bin, name), `#!/usr/bin/env bash\n${lines}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  write("loadform", `exec '${process.execPath}' '${await builtCli()}' "$@"`);
  write(
    "npm",
    `[ "$*" = "install --global ./${tarball}" ] && [ -f "${tarball}" ] || { echo "npm stand-in: unexpected: $*"; exit 99; }`,
  );
}

function replaceIn(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  writeFileSync(path, text.replace(from, to));
}

/** The files of a checkout that have one of these names, with their text. */
export function filesNamed(folder: string, isNamed: (name: string) => boolean): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter(isNamed);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

interface BashOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The options of bash are those with which both forges start it. */
async function runBash(script: string, options: BashOptions): Promise<ShellRun> {
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? -1));
  });
  return { code, log: Buffer.concat(chunks).toString() };
}
