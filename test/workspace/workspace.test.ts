import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { diskWorkspace, readTextFile } from "../../src/workspace/disk-workspace.ts";
import { memoryWorkspace } from "../../src/workspace/memory-workspace.ts";
import { withTemporaryFolder } from "../../src/workspace/temporary-folder.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

const folders: string[] = [];

async function folderOf(files: Files): Promise<string> {
  const root = join(await mkdtemp(join(tmpdir(), "workspace-")), "project");
  folders.push(dirname(root));
  await mkdir(root);
  for (const [path, data] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), data);
  }
  return root;
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const kinds: readonly [string, (files: Files) => Promise<Workspace>][] = [
  ["on disk", async (files) => diskWorkspace(await folderOf(files))],
  ["in memory", async (files) => memoryWorkspace(files)],
];

it("a file that is named by its path alone, and is missing, is told without a project folder", async () => {
  const path = join(await folderOf({}), "nope.yaml");
  await expect(readTextFile(path)).rejects.toThrow(`There is no file ${path}: check the path`);
});

describe.each(kinds)("a workspace %s", (_, open) => {
  it("reads bytes exactly and text with its byte order mark", async () => {
    const workspace = await open({ "data/a.bin": new Uint8Array([0, 255, 10, 13]), "b.txt": "\uFEFFä\r\n" });
    expect([...(await workspace.readBytes("data/a.bin"))]).toEqual([0, 255, 10, 13]);
    expect(await workspace.readText("./data/../b.txt")).toBe("\uFEFFä\r\n");
  });

  it.each(["../outside.txt", "/etc/passwd", "data/../../x"])("refuses %s, which leads out of it", async (path) => {
    const workspace = await open({ "a.txt": "a" });
    const refusal = { name: "WorkspaceError", path, message: expect.stringContaining("outside the project folder") };
    await expect(workspace.readBytes(path)).rejects.toMatchObject(refusal);
    await expect(workspace.writeAtomic(path, "x")).rejects.toMatchObject(refusal);
    await expect(workspace.exists(path)).rejects.toMatchObject(refusal);
    await expect(workspace.glob([path])).rejects.toMatchObject(refusal);
  });

  it("says which file is missing", async () => {
    const workspace = await open({});
    await expect(workspace.readText("a/none.yaml")).rejects.toMatchObject({
      name: "WorkspaceError",
      message: expect.stringContaining("There is no file a/none.yaml"),
    });
    expect(await workspace.exists("a/none.yaml")).toBe(false);
  });

  it("writes into new folders and replaces files", async () => {
    const workspace = await open({ "a.txt": "old" });
    await workspace.writeAtomic("a.txt", "new");
    await workspace.writeAtomic("x/y/b.bin", new Uint8Array([1, 2]));
    expect(await workspace.readText("a.txt")).toBe("new");
    expect([...(await workspace.readBytes("x/y/b.bin"))]).toEqual([1, 2]);
    expect(await workspace.glob(["**"])).toEqual(["a.txt", "x/y/b.bin"]);
  });

  const tree = {
    "loadform.yaml": "",
    "load/b.yaml": "",
    "load/a.yaml": "",
    "load/deep/c.yaml": "",
    "load/.hidden.yaml": "",
    "node_modules/x/d.yaml": "",
    ".git/e.yaml": "",
    "a{b}.yaml": "",
  };
  it.each<[readonly string[], readonly string[]]>([
    [["load/*.yaml"], ["load/a.yaml", "load/b.yaml"]],
    [["load/**/*.yaml"], ["load/a.yaml", "load/b.yaml", "load/deep/c.yaml"]],
    [["**/*.yaml"], ["a{b}.yaml", "load/a.yaml", "load/b.yaml", "load/deep/c.yaml", "loadform.yaml"]],
    [
      ["./load/{a,b}.yaml", "loadform.yaml"],
      ["load/a.yaml", "load/b.yaml", "loadform.yaml"],
    ],
    [["load/a.yaml", "load/a.yaml"], ["load/a.yaml"]],
    [[".git/*.yaml"], [".git/e.yaml"]],
    [["node_modules/x/*.yaml"], ["node_modules/x/d.yaml"]],
    [["nowhere/*.yaml", "none.yaml"], []],
  ])("finds for %j exactly %j", async (patterns, expected) => {
    expect(await (await open(tree)).glob(patterns)).toEqual(expected);
  });
});

describe("a workspace on disk", () => {
  it("refuses links that lead out of it and follows those that stay inside", async () => {
    const root = await folderOf({ "real/a.txt": "inside" });
    await writeFile(join(root, "..", "secret.txt"), "outside");
    await symlink("../secret.txt", join(root, "out.txt"));
    await symlink("..", join(root, "up"));
    await symlink("real/a.txt", join(root, "in.txt"));
    const workspace = diskWorkspace(root);
    expect(await workspace.readText("in.txt")).toBe("inside");
    for (const path of ["out.txt", "up/secret.txt"]) {
      await expect(workspace.readText(path)).rejects.toThrow("outside the project folder");
      await expect(workspace.writeAtomic(path, "x")).rejects.toThrow("outside the project folder");
    }
    await expect(workspace.writeAtomic("up/new.txt", "x")).rejects.toThrow("outside the project folder");
    expect(await readFile(join(root, "..", "secret.txt"), "utf8")).toBe("outside");
  });

  it("follows a link that leads back in, and refuses one in the place of a file or folder that it read before", async () => {
    const root = await folderOf({ "load/a.txt": "inside", "scripts/b.txt": "script" });
    const outside = join(root, "..", "outside");
    await mkdir(outside);
    await writeFile(join(outside, "a.txt"), "outside");
    await symlink("../project/load/a.txt", join(outside, "back.txt"));
    await symlink("../outside", join(root, "up"));
    const workspace = diskWorkspace(root);
    const paths = ["load/a.txt", "up/back.txt", "scripts/b.txt"];
    expect(await Promise.all(paths.map(workspace.readText))).toEqual(["inside", "inside", "script"]);
    expect(await Promise.all([...paths, "load/none.txt", "load"].map(workspace.exists))).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
    await rm(join(root, "load"), { recursive: true });
    await symlink("../outside", join(root, "load"));
    await rm(join(root, "scripts/b.txt"));
    await symlink("../../outside/a.txt", join(root, "scripts/b.txt"));
    for (const path of ["load/a.txt", "load/none.txt", "scripts/b.txt"]) {
      await expect(workspace.readText(path)).rejects.toThrow("outside the project folder");
      await expect(workspace.exists(path)).rejects.toThrow("outside the project folder");
    }
  });

  it("finds a link that leads to no file, so that reading it says so, and passes over one to a folder", async () => {
    const root = await folderOf({ "load/a.yaml": "a" });
    await symlink("nowhere.yaml", join(root, "load/b.yaml"));
    await symlink("load", join(root, "c.yaml"));
    const workspace = diskWorkspace(root);
    expect(await workspace.glob(["*.yaml", "load/*.yaml"])).toEqual(["load/a.yaml", "load/b.yaml"]);
    await expect(workspace.readText("load/b.yaml")).rejects.toThrow("There is no file load/b.yaml");
  });

  it("works in a folder that is itself reached through a link", async () => {
    const root = await folderOf({ "a.txt": "a" });
    await symlink(root, join(root, "..", "alias"));
    const workspace = diskWorkspace(join(root, "..", "alias"));
    expect(await workspace.readText("a.txt")).toBe("a");
    expect(await workspace.glob(["*"])).toEqual(["a.txt"]);
  });

  it("keeps a file's mode, writes through links and leaves no temporary file", async () => {
    const root = await folderOf({ "run.sh": "old", "taken/x": "" });
    await chmod(join(root, "run.sh"), 0o750);
    await symlink("run.sh", join(root, "link"));
    await diskWorkspace(root).writeAtomic("link", "new");
    expect((await stat(join(root, "run.sh"))).mode & 0o777).toBe(0o750);
    expect(await readFile(join(root, "run.sh"), "utf8")).toBe("new");
    await expect(diskWorkspace(root).writeAtomic("taken", "x")).rejects.toThrow();
    expect((await readdir(root)).sort()).toEqual(["link", "run.sh", "taken"]);
  });

  it("reads files only: a pipe, whose end nobody may ever write to, is refused", async () => {
    const root = await folderOf({ "a/b": "" });
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(root, "pipe")]);
    await symlink("pipe", join(root, "link"));
    for (const path of ["pipe", "link"])
      await expect(diskWorkspace(root).readBytes(path)).rejects.toThrow(`${path} is a pipe, socket or device:`);
    expect(await diskWorkspace(root).glob(["*"])).toEqual([]);
  });

  it.each([
    ["in the middle", [0x61, 0x0a, 0xc3, 0xa4, 0xe9, 0x62], { line: 2, column: 2 }],
    ["at the start", [0xff], { line: 1, column: 1 }],
    ["behind a mark", [0xef, 0xbb, 0xbf, 0x61, 0xff], { line: 1, column: 2 }],
    ["cut off at the end", [0x61, 0x0a, 0xf0, 0x9f, 0x92], { line: 2, column: 1 }],
    ["after a sign that stands for such bytes", [0xef, 0xbf, 0xbd, 0xef, 0xbf, 0x61], { line: 1, column: 2 }],
  ])("refuses bytes that are no UTF-8 as text: %s", async (_title, bytes, at) => {
    const root = await folderOf({});
    await writeFile(join(root, "a.txt"), new Uint8Array(bytes));
    for (const workspace of [diskWorkspace(root), memoryWorkspace({ "a.txt": new Uint8Array(bytes) })])
      await expect(workspace.readText("a.txt")).rejects.toMatchObject({ name: "WorkspaceError", path: "a.txt", at });
  });

  it("says that a folder is no file", async () => {
    const root = await folderOf({ "a/b": "" });
    await expect(diskWorkspace(root).readText("a")).rejects.toThrow("a is a folder: name a file");
    expect(await diskWorkspace(root).exists("a")).toBe(false);
  });
});

describe("a temporary folder", () => {
  it("is gone after use, and after a failure", async () => {
    const seen: string[] = [];
    await withTemporaryFolder(async (path) => {
      seen.push(path);
      await writeFile(join(path, "a"), "");
    });
    const failing = withTemporaryFolder(async (path) => {
      seen.push(path);
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect(new Set(seen).size).toBe(2);
    for (const path of seen) await expect(stat(path)).rejects.toThrow("ENOENT");
  });
});
