// merge: through the tarball of npm pack, installed outside the clone
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { repository } from "../support/source-files.ts";

describe("the bindings in gen/", () => {
  let expected: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    const { bindingFiles } = (await import("../../scripts/compile-bindings.js" as string)) as {
      bindingFiles: (root: string) => Promise<Readonly<Record<string, string>>>;
    };
    expected = await bindingFiles(repository);
  });

  it.each(["cdktf", "cdktn"])(
    "for %s are what the kinds say; `node scripts/prepare.js` writes them anew",
    (library) => {
      const paths = Object.keys(expected).filter((path) => path.startsWith(`${library}/`));
      expect(built(library)).toEqual(paths.sort());
      for (const path of paths) expect(readFileSync(join(repository, "gen", path), "utf8"), path).toBe(expected[path]);
    },
  );

  it("name no page that does not exist", () => {
    for (const [path, text] of Object.entries(expected)) expect(text, path).not.toContain("registry.terraform.io");
  });
});

function built(library: string): readonly string[] {
  const folder = join(repository, "gen", library);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(repository, "gen"), join(entry.parentPath, entry.name)))
    .sort();
}
