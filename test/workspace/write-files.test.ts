// engine: writes files.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { moveFiles, openFolderWriter } from "../../src/workspace/write-files.ts";
import { check } from "../support/deep.ts";

const place = fc.constantFrom("", "a/", "a/b/", "a/b/c/", "a/d/", "e/");

/** All files below a folder, with their texts. */
async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.sort().map((file) => readFile(file, "utf8")));
  return new Map(files.map((file, index) => [file.slice(folder.length + 1), texts[index] ?? ""]));
}

it("moves files beside those that are there, whichever folders are missing", async () => {
  const moved = fc.array(fc.tuple(place, fc.nat({ max: 2 })), { minLength: 1, maxLength: 12 });
  const property = fc.asyncProperty(moved, fc.array(place, { maxLength: 3 }), async (files, there) => {
    const root = await mkdtemp(join(tmpdir(), "loadform-move-"));
    try {
      const before = new Map(there.map((folder) => [`${folder}there.txt`, folder]));
      const to = join(root, "to");
      await mkdir(to);
      for (const [path, text] of before) {
        await mkdir(dirname(join(to, path)), { recursive: true });
        await writeFile(join(to, path), text);
      }
      const groups = [0, 1, 2].map((group) =>
        files.flatMap(([folder, of], index) => (of === group ? [`${folder}${index}.txt`] : [])),
      );
      const added = new Map(groups.flat().map((path) => [path, `text of ${path}`]));
      const writer = await openFolderWriter(join(root, "from"));
      for (const each of added) writer.write(new Map([each]));
      await writer.end();
      await moveFiles(groups, join(root, "from"), to);
      expect(await filesIn(to)).toEqual(new Map([...before, ...added].sort()));
    } finally {
      await rm(root, { recursive: true });
    }
  });
  await check("moved files", property, { few: 60, deep: 1_000 });
});

it("says what a thread could not write, and leaves the rest of it", async () => {
  const root = await mkdtemp(join(tmpdir(), "loadform-write-"));
  try {
    await writeFile(join(root, "there.txt"), "before");
    const writer = await openFolderWriter(root);
    writer.write(new Map([["there.txt", "after"]]));
    writer.write(new Map([["later.txt", "later"]]));
    await expect(writer.end()).rejects.toMatchObject({ code: "EEXIST", path: join(root, "there.txt") });
    await writer.stop();
    expect(await filesIn(root)).toEqual(new Map([["there.txt", "before"]]));
  } finally {
    await rm(root, { recursive: true });
  }
});
