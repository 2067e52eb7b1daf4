import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { purposeCache, userCache } from "../../src/workspace/user-cache.ts";

let home = "";
let project = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "loadform-home-"));
  project = await mkdtemp(join(tmpdir(), "loadform-project-"));
});
afterEach(async () => {
  for (const folder of [home, project]) await rm(folder, { recursive: true, force: true });
});

const folderOf = async (purpose: string, env: Readonly<Record<string, string>>) =>
  (await purposeCache(purpose, env))?.path;

describe("a cache for a purpose", () => {
  it("is one folder for each purpose, for nobody else to read", async () => {
    const [first = "", same, other] = await Promise.all(
      ["code of 1.0", "code of 1.0", "code of 1.1"].map((purpose) => folderOf(purpose, { HOME: home })),
    );
    expect(first).toBe(same);
    expect(first).not.toBe(other);
    expect(dirname(first)).toBe(join(home, ".cache/loadform"));
    expect((await stat(first)).mode & 0o777).toBe(0o700);
  });

  it("is none where there is no home folder, or it cannot be made", async () => {
    expect(await folderOf("code", {})).toBeUndefined();
    expect(await folderOf("code", { XDG_CACHE_HOME: "/proc/none" })).toBeUndefined();
  });
});

describe("a user's cache is not used", () => {
  const isUsed = async (folder: string) => {
    await mkdir(folder, { recursive: true });
    return (await folderOf("code", { XDG_CACHE_HOME: folder })) !== undefined;
  };

  it.each([".git", ".hg", ".jj", ".svn"])("in a work tree: a folder above it has %s", async (mark) => {
    const folder = join(home, "repository/tools/cache");
    expect(await isUsed(folder)).toBe(true);
    await mkdir(join(home, "repository", mark));
    expect(await isUsed(folder)).toBe(false);
  });

  it("in a submodule, where .git is a file", async () => {
    await mkdir(join(home, "repository"));
    await writeFile(join(home, "repository/.git"), "gitdir: ../.git/modules/repository\n");
    expect(await isUsed(join(home, "repository/cache"))).toBe(false);
  });

  it.each(["loadform", ".", ".."])("where others may write to %s", async (at) => {
    const folder = join(home, "shared/cache");
    expect(await isUsed(folder)).toBe(true);
    await chmod(join(folder, at), 0o777);
    expect(await isUsed(folder)).toBe(false);
  });

  it("where others may write to the folder that a purpose has", async () => {
    const path = (await folderOf("code", { XDG_CACHE_HOME: home })) ?? "";
    await chmod(path, 0o777);
    expect(await isUsed(home)).toBe(false);
  });

  it("where others may write and link to a folder of ours", async () => {
    const ours = join(home, "ours");
    await mkdir(ours, { mode: 0o700 });
    await mkdir(join(home, "open"));
    await symlink(ours, join(home, "open/loadform"));
    await chmod(join(home, "open"), 0o777);
    expect(await isUsed(join(home, "open"))).toBe(false);
  });

  it("unless it was named for loadform alone, as for a volume of a container, and its own folders are ours", async () => {
    const volume = join(home, "volume");
    await mkdir(join(volume, ".git"), { recursive: true });
    await chmod(volume, 0o777);
    const env = () => ({ LOADFORM_CACHE_DIR: volume, XDG_CACHE_HOME: "/proc/none" });
    expect(dirname((await folderOf("code", env())) ?? "")).toBe(join(volume, "loadform"));
    await chmod(join(volume, "loadform"), 0o777);
    expect(await folderOf("code", env())).toBeUndefined();
  });

  it("but below a sticky folder, as the system's temporary one is", async () => {
    await mkdir(join(home, "sticky"));
    await chmod(join(home, "sticky"), 0o1777);
    expect(await isUsed(join(home, "sticky/cache"))).toBe(true);
  });
});

describe("what a project's cache stores", () => {
  const env = () => ({ XDG_CACHE_HOME: home });
  const stored = async () => {
    const all = join(home, "loadform");
    const [name = ""] = await readdir(all);
    return join(all, name);
  };

  it("is read again, by its name", async () => {
    const cache = userCache(project, env());
    await cache.write("one", "text\nof two lines");
    expect([await cache.read("one"), await cache.read("two")]).toEqual(["text\nof two lines", undefined]);
  });

  it("is read no more when one bit of it has changed", async () => {
    const cache = userCache(project, env());
    await cache.write("one", "text");
    const path = join(await stored(), "one");
    const bytes = await readFile(path);
    for (let at = 0; at < bytes.length; at++) {
      await writeFile(path, Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))));
      expect(await cache.read("one"), `byte ${at}`).toBeUndefined();
    }
    await writeFile(path, bytes);
    expect(await cache.read("one")).toBe("text");
  });

  it("is not read under another name, nor in a copy of its folder, as from an archive", async () => {
    const cache = userCache(project, env());
    await cache.write("one", "text");
    const folder = await stored();
    await cp(join(folder, "one"), join(folder, "two"));
    expect(await cache.read("two")).toBeUndefined();
    await cp(folder, `${folder}-copy`, { recursive: true, mode: 0 });
    await chmod(`${folder}-copy`, 0o700);
    await rm(folder, { recursive: true });
    await rename(`${folder}-copy`, folder);
    expect(await readFile(join(folder, "one"), "utf8")).toMatch(/\ntext$/);
    expect(await cache.read("one")).toBeUndefined();
  });
});
