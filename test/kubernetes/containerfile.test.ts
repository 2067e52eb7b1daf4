// merge: the steps of the image, with the tarball of npm pack and the packages of the registry
import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allocatorVariables } from "../../src/cli/prepare-engine.ts";
import { hasRegistry, minutes, newcomersEnv } from "../support/newcomer.ts";
import { sharedService } from "../support/shared-service.ts";
import { repository } from "../support/source-files.ts";
import { startStateServer } from "../support/state-server.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const source = join(repository, "examples/kubernetes");

/** One instruction of the recipe. */
interface Step {
  readonly word: string;
  readonly rest: string;
}

const steps: readonly Step[] = readFileSync(join(source, "Containerfile"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => ({ word: line.split(" ", 1)[0] ?? "", rest: line.slice(line.indexOf(" ") + 1) }));
const only = (word: string) => steps.find((step) => step.word === word)?.rest ?? expect.unreachable();
const lines = (word: string) => steps.filter((step) => step.word === word).map(({ rest }) => rest);

if (!hasRegistry) console.log("SKIPPED: no package registry answers, so the steps of the image were not run");
if (!isRoot) console.log("SKIPPED: only root can become the image's user, so its steps were run as yourself");

describe("the recipe of the image", () => {
  it("begins with a version of Node that loadform runs on", () => {
    const { engines } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    const [, version] = /^node:(\d+)-bookworm-slim$/.exec(only("FROM")) ?? [];
    const [, least] = /^>=(\d+)\./.exec(engines.node) ?? [];
    expect(Number(version)).toBeGreaterThanOrEqual(Number(least));
  });

  it("runs as the user of the manifests, with their arguments", () => {
    const manifests = readFileSync(join(source, "workers.yaml"), "utf8");
    const [user] = only("USER").split(":");
    expect(manifests).toContain(`runAsUser: ${user}`);
    const args = JSON.parse(only("CMD")) as readonly string[];
    expect(manifests).toContain(`args: [${args.join(", ")}]`);
  });

  it("needs nothing of Debian but what loadform calls", () => {
    const [debian = ""] = lines("RUN");
    expect(debian.match(/(?<=recommends )[a-z -]+?(?= &&)/)?.[0]).toBe("ca-certificates git openssh-client");
  });
});

describe.skipIf(!hasRegistry)("its steps, one after the other in a folder instead of an image", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "image-")));
  const context = join(root, "context");
  const image = join(root, "image");
  const service = sharedService();
  let state: Awaited<ReturnType<typeof startStateServer>>;
  /** Paths of the image, in the folder. */
  const inside = (text: string) => text.replace(/(?<=^|[\s"'=])\/(?=opt|cache|work|home|etc)/g, `${image}/`);
  const identity = isRoot ? { uid: 10_001, gid: 10_001 } : {};
  const env = {
    ...Object.fromEntries(
      inside(only("ENV"))
        .split(" ")
        .map((each) => each.split("=") as [string, string]),
    ),
    PATH: newcomersEnv["PATH"] ?? "",
    ...allocatorVariables,
  };
  const command = (given: readonly string[]) => {
    const [program = "", ...args] = [...(JSON.parse(inside(only("ENTRYPOINT"))) as string[]), ...given];
    return run(program, args.map(inside), {
      cwd: join(image, "work"),
      env: { ...env, KEY: service.ready.apiKey },
      ...identity,
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }) as { code: number; stdout: string; stderr: string },
    );
  };

  const carryOut: Readonly<Record<string, (rest: string, cwd: string) => unknown>> = {
    COPY(rest) {
      const [from = "", to = ""] = rest.split(" ");
      mkdirSync(dirname(inside(to)), { recursive: true });
      cpSync(join(context, from), inside(to));
    },
    RUN(rest, cwd) {
      // Of Debian's packages there are those of this machine.
      if (rest.startsWith("apt-get")) return undefined;
      const shell = inside(isRoot ? rest : rest.replace(/ && chown.*/, ""));
      return run("sh", ["-ec", shell], { cwd, env: newcomersEnv });
    },
  };

  beforeAll(async () => {
    chmodSync(root, 0o755);
    for (const folder of ["context/vendor", "image/opt", "image/etc/loadform"])
      mkdirSync(join(root, folder), { recursive: true });
    state = await startStateServer("plain");
    await run("node", ["scripts/prepare.js"], { cwd: repository, env: newcomersEnv });
    const packing = ["pack", "--ignore-scripts", "--pack-destination", join(context, "vendor")];
    await run("npm", packing, { cwd: repository, env: newcomersEnv });
    let cwd = image;
    for (const step of steps) {
      if (step.word === "WORKDIR") cwd = inside(step.rest);
      mkdirSync(cwd, { recursive: true });
      await carryOut[step.word]?.(step.rest, cwd);
    }
    // As Kubernetes mounts an empty volume for the group of the pod: it belongs to root, and anybody may write to it.
    for (const folder of ["cache", "work"]) {
      if (isRoot) chownSync(join(image, folder), 0, 10_001);
      chmodSync(join(image, folder), 0o2777);
    }
  }, 5 * minutes);
  afterAll(async () => {
    await state.close();
    rmSync(root, { recursive: true, force: true });
  });

  it("have loadform and what its queue needs, and no tools of its development", async () => {
    expect(await command(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    const installed = readFileSync(join(image, "opt/loadform/package.json"), "utf8");
    expect(Object.keys(JSON.parse(installed).dependencies)).toEqual(["loadform", "pg", "pg-boss"]);
  });

  it(
    "check a project from git, as a user who may write to three folders only",
    async () => {
      const work = join(root, "tests");
      mkdirSync(work, { recursive: true });
      const git = (...args: readonly string[]) =>
        execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
          cwd: work,
          stdio: "pipe",
        });
      git("init", "-q", "-b", "main");
      writeFileSync(
        join(work, "loadform.yaml"),
        `project: shop
service: { url: "${service.ready.url}" }
state: { backend: http, address: "${state.address}" }
tags: { nightly: {} }
testCases: { checkout: { scenarios: { browse: { script: "const a = 1;" } } } }
`,
      );
      git("add", "-A");
      git("commit", "-q", "-m", "x");
      git("clone", "-q", "--bare", work, join(root, "tests.git"));
      // Git reads no repository of another user.
      if (isRoot) execFileSync("chown", ["-R", "10001:10001", join(root, "tests.git")]);
      writeFileSync(
        join(image, "etc/loadform/watch.yaml"),
        `projects:
  - name: shop
    git: { url: "file://${root}/tests.git", branch: main }
    target: ${service.ready.url}
    heal: git
    pass: { LOADFORM_API_KEY: "\${env:KEY}" }
`,
      );
      const args = [...(JSON.parse(only("CMD")) as readonly string[]), "--once"];
      expect(await command(args)).toEqual({
        code: 0,
        stderr: "",
        stdout: expect.stringContaining("shop: in-sync (healed 2 objects"),
      });
      // What it knows is in /work, so the next one has nothing left to do.
      expect(await command(args)).toEqual({
        code: 0,
        stderr: "",
        stdout: expect.stringMatching(/ shop: in-sync \(commit [0-9a-f]+, \S+ s\)/),
      });
    },
    minutes,
  );
});
