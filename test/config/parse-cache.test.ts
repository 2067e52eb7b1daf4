import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadProject } from "../../src/config/load-project.ts";
import { projectCache } from "../../src/config/parse-cache.ts";
import { kinds } from "../../src/kinds/index.ts";
import { diskWorkspace } from "../../src/workspace/disk-workspace.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { userCache } from "../../src/workspace/user-cache.ts";

let home = "";
let root = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "loadform-home-"));
  root = await mkdtemp(join(tmpdir(), "loadform-project-"));
  await writeFile(join(root, "loadform.yaml"), yaml);
});
afterEach(async () => {
  for (const folder of [home, root]) await rm(folder, { recursive: true, force: true });
});

const yaml = 'project: p\nservice: { url: "memory:" }\ntestCases: { harmless: {} }\n';
const other = '{"project":"p","service":{"url":"memory:"},"testCases":{"other":{}}}';

async function addresses(
  env: Readonly<Record<string, string>> = { HOME: home },
  program = "this build",
): Promise<readonly string[]> {
  const workspace = diskWorkspace(root);
  const cache = projectCache(workspace, { env, program });
  const project = await loadProject({ workspace, kinds, env, vars: {}, unsetEnv: "error", hash: sha256, cache });
  expect(project.diagnostics).toEqual([]);
  return [...project.tree.nodes.keys()];
}

/** The one file of parsed texts below a cache folder. */
async function parsedIn(folder: string): Promise<string> {
  const [project = ""] = await readdir(join(folder, "loadform"));
  return join(folder, "loadform", project, "parsed");
}

describe("the parse cache", () => {
  test("is in the user's cache folder, for nobody else to read, and is used from there", async () => {
    await addresses();
    const file = await parsedIn(join(home, ".cache"));
    const modes = [file, join(file, ".."), join(file, "../..")].map(async (path) => (await stat(path)).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o600, 0o700, 0o700]);
    await userCache(root, { HOME: home }).write("parsed", `this build\n${sha256(yaml)} ${other}\n`);
    expect(await addresses()).toEqual(["testCase.other"]);
    expect(await readdir(root)).toEqual(["loadform.yaml"]);
  });

  test("of another build is not used, and there is none where the build is not known", async () => {
    await addresses();
    await userCache(root, { HOME: home }).write("parsed", `this build\n${sha256(yaml)} ${other}\n`);
    expect(await addresses(undefined, "another build")).toEqual(["testCase.harmless"]);
    expect(projectCache(diskWorkspace(root), { env: { HOME: home } })).toBeUndefined();
  });

  test("that is damaged in a single bit is not used", async () => {
    await addresses();
    const file = await parsedIn(join(home, ".cache"));
    await writeFile(file, (await readFile(file, "utf8")).replace("harmless", "harmlesr"));
    expect(await addresses()).toEqual(["testCase.harmless"]);
  });

  test.each(["null", "[", "[1]", '"text"', '{"project":', "", "7"])(
    "takes a line of other text for no hit: %s",
    async (line) => {
      const env = { XDG_CACHE_HOME: join(home, "fresh") };
      await addresses(env);
      const file = await parsedIn(env.XDG_CACHE_HOME);
      const before = await readFile(file, "utf8");
      await userCache(root, env).write("parsed", `this build\n${sha256(yaml)} ${line}\n`);
      expect(await addresses(env)).toEqual(["testCase.harmless"]);
      expect(await readFile(file, "utf8")).toBe(before);
    },
  );

  test("is left out where there is no folder that only the user may write to, and no error comes of it", async () => {
    await writeFile(join(home, "file"), "");
    const open = join(home, "open");
    await mkdir(join(open, "loadform"), { recursive: true });
    await chmod(join(open, "loadform"), 0o777);
    for (const env of [
      {},
      { HOME: "" },
      { HOME: "relative", XDG_CACHE_HOME: "also/relative" },
      { HOME: join(home, "none") },
      { HOME: join(home, "file") },
      { XDG_CACHE_HOME: "/proc/none" },
      { XDG_CACHE_HOME: open },
    ])
      expect(await addresses(env)).toEqual(["testCase.harmless"]);
    expect(await readdir(join(open, "loadform"))).toEqual([]);
    expect((await readdir(home)).sort()).toEqual(["file", "open"]);
  });

  test("of projects that were not looked at for months is removed", async () => {
    const all = join(home, ".cache/loadform");
    const old = join(all, "0".repeat(32));
    const other = join(all, "notes");
    for (const folder of [old, other]) await mkdir(folder, { recursive: true });
    const long = new Date(Date.now() - 100 * 24 * 3_600_000);
    for (const folder of [old, other]) await utimes(folder, long, long);
    await chmod(all, 0o700);
    await addresses();
    expect(await readdir(all)).toEqual([expect.stringMatching(/^(?!0{32})[0-9a-f]{32}$/), "notes"]);
  });
});
