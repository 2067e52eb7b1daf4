import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pathInProject } from "../../src/workspace/workspace.ts";

const root = "/work/shop";

/** The same by the whole path. */
function byWholePath(path: string): string | undefined {
  const relative = posix.relative(root, posix.resolve(root, path));
  return relative === ".." || relative.startsWith("../") ? undefined : relative;
}

function found(path: string): string | undefined {
  try {
    return pathInProject(root, path);
  } catch {
    return undefined;
  }
}

test.each([
  ["load/../scripts/a.js", "scripts/a.js"],
  ["a/b/../../c", "c"],
  ["../shop/a", "a"],
  ["a/../../x", undefined],
  [".loadform/state.json", ".loadform/state.json"],
  ["..a/b", "..a/b"],
  ["a//b/", "a/b"],
  [".", ""],
])("%s is %s in the project", (path, inProject) => {
  expect(found(path)).toBe(inProject);
});

test("any path is spelled as the whole path tells", () => {
  const names = fc.constantFrom("a", "..", ".", "", "shop", ".b", "..c", "d.e");
  const property = fc.property(fc.array(names, { minLength: 1, maxLength: 7 }), (parts) => {
    const path = parts.join("/");
    expect([path, found(path)]).toEqual([path, byWholePath(path)]);
  });
  fc.assert(property, { numRuns: 2_000, seed: 20_261_127 });
});
