import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pathsInTheWay } from "../../src/workspace/add-files.ts";

const names = ["a", "b", "c"];

/** A folder in which `a` is a folder with `a/a` (a folder) and `a/b` (a file), `b` a file and `c` a link that leads nowhere. */
function folder(): string {
  const root = mkdtempSync(join(tmpdir(), "loadform-add-files-"));
  mkdirSync(join(root, "a", "a"), { recursive: true });
  writeFileSync(join(root, "a", "b"), "");
  writeFileSync(join(root, "b"), "");
  symlinkSync("nowhere", join(root, "c"));
  return root;
}

test("in the way is what exists where a file is to be, and what is no folder where one is needed", async () => {
  const root = folder();
  const inTheWay: Readonly<Record<string, readonly string[]>> = {
    a: ["a"],
    b: ["b"],
    c: ["c"],
    "a/a": ["a/a"],
    "a/b": ["a/b"],
    "a/c": [],
    "a/a/a": [],
    "a/b/c": ["a/b"],
    "b/c": ["b"],
    "b/c/a": ["b"],
    "c/a": ["c"],
    "a/c/a": [],
  };
  for (const [path, found] of Object.entries(inTheWay))
    expect([path, await pathsInTheWay(root, [path])]).toEqual([path, found]);
  const paths = fc.uniqueArray(fc.constantFrom(...Object.keys(inTheWay)), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(paths, async (asked) => {
      const found = new Set(asked.flatMap((path) => inTheWay[path] ?? []));
      expect(new Set(await pathsInTheWay(root, asked))).toEqual(found);
    }),
    { numRuns: 50 },
  );
  expect(await pathsInTheWay(join(root, "b"), names)).toEqual(["."]);
  expect(await pathsInTheWay(join(root, "missing"), names)).toEqual([]);
});
