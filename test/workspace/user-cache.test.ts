import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { purposeCache } from "../../src/workspace/user-cache.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "loadform-home-"));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

describe("a cache for a purpose", () => {
  it("is one folder for each purpose, for nobody else to read", async () => {
    const [first = "", same, other] = await Promise.all(
      ["code of 1.0", "code of 1.0", "code of 1.1"].map((purpose) => purposeCache(purpose, [], { HOME: home })),
    );
    expect(first).toBe(same);
    expect(first).not.toBe(other);
    expect(dirname(first)).toBe(join(home, ".cache/loadform"));
    expect((await stat(first)).mode & 0o777).toBe(0o700);
  });

  it("is nowhere inside a folder that may be a checkout", async () => {
    const inside = { XDG_CACHE_HOME: join(home, "project/.cache") };
    await mkdir(inside.XDG_CACHE_HOME, { recursive: true });
    expect(await purposeCache("code", [join(home, "elsewhere"), join(home, "project")], inside)).toBeUndefined();
    expect(await purposeCache("code", [join(home, "elsewhere")], inside)).toBeDefined();
  });

  it("is nowhere inside the repository that a folder is in", async () => {
    const inside = { XDG_CACHE_HOME: join(home, "repository/.cache") };
    const project = join(home, "repository/load/shop");
    for (const path of [inside.XDG_CACHE_HOME, project]) await mkdir(path, { recursive: true });
    expect(await purposeCache("code", [project], inside)).toBeDefined();
    await mkdir(join(home, "repository/.git"));
    expect(await purposeCache("code", [project], inside)).toBeUndefined();
    expect(await purposeCache("code", [project], { HOME: home })).toBeDefined();
  });

  it("is not where others may write", async () => {
    const env = { XDG_CACHE_HOME: home };
    const folder = (await purposeCache("code", [], env)) ?? "";
    await chmod(folder, 0o777);
    expect(await purposeCache("code", [], env)).toBeUndefined();
    await chmod(folder, 0o700);
    await chmod(dirname(folder), 0o777);
    expect(await purposeCache("code", [], env)).toBeUndefined();
  });

  it("is none where there is no home folder, or it cannot be made", async () => {
    expect(await purposeCache("code", [], {})).toBeUndefined();
    expect(await purposeCache("code", [], { XDG_CACHE_HOME: "/proc/none" })).toBeUndefined();
  });
});
