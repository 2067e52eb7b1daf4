import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chooseProjects } from "../../../src/project/several/choose-projects.ts";
import { folderOf } from "../../support/small-project.ts";

const root = folderOf({
  "tests/a/loadform.yaml": "",
  "tests/b/loadform.config.ts": "",
  "tests/c/cdktf.json": "",
  "tests/d/main.tf.json": "",
  "tests/notes/README": "",
  "tests/deep/er/loadform.yaml": "",
  "tests/node_modules/x/loadform.yaml": "",
  "odd/a[1]/loadform.yaml": "",
});
const cwd = join(root, "tests");
mkdirSync(join(root, "links"));
symlinkSync(join(root, "tests", "a"), join(root, "links", "a"));
symlinkSync(join(root, "tests"), join(root, "links", "all"));
symlinkSync(join(root, "links"), join(root, "links", "circle"));
symlinkSync(join(root, "nowhere"), join(root, "links", "gone"));

describe("the projects of a command line", () => {
  const cases: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
    ["every form of project, and no other folder", root, ["tests/*"], ["tests/a", "tests/b", "tests/c", "tests/d"]],
    ["any depth", root, ["tests/**"], ["tests/a", "tests/b", "tests/c", "tests/d", "tests/deep/er"]],
    ["a glob outside of the working folder", cwd, ["../tests/[ab]"], ["a", "b"]],
    ["an absolute glob", root, [`${root}/tests/{a,d}/`], ["tests/a", "tests/d"]],
    [
      "the order of the arguments, each folder once",
      root,
      ["tests/b", "tests/*", "links/a"],
      ["tests/b", "tests/a", "tests/c", "tests/d"],
    ],
    ["behind links to folders, as a shell finds them", root, ["links/*"], ["links/a"]],
    ["behind links in the middle", root, ["links/*/[bd]"], ["links/all/b", "links/all/d"]],
    ["each once, though links make a circle", root, ["links/*/*/a"], ["links/circle/all/a"]],
    ["behind links around any depth", root, ["links/all/**/er", "l*/all/**/[b]"], ["links/all/deep/er", "links/all/b"]],
    ["behind a link that any depth ends at", root, ["**/all/deep/**/er"], ["links/all/deep/er"]],
    ["of any depth, without what is behind links", root, ["**/**/er"], ["tests/deep/er"]],
    ["a plain name behind a glob", root, ["t*/deep/er"], ["tests/deep/er"]],
    ["a folder with the name of a glob", root, ["odd/a[1]"], ["odd/a[1]"]],
    ["a glob below such a folder", join(root, "odd/a[1]"), ["../*"], ["."]],
    ["the working folder", join(root, "tests/a"), [".", "../b"], [".", "../b"]],
  ];
  test.each(cases)("are %s", async (_title, from, args, dirs) => {
    const found = await chooseProjects(args, from);
    expect(found).toEqual({ dirs, diagnostics: [] });
  });

  test("are those in YAML, where only these are meant", async () => {
    expect((await chooseProjects(["tests/*"], root, true)).dirs).toEqual(["tests/a"]);
    expect((await chooseProjects(["tests/[b-d]"], root, true)).diagnostics).toHaveLength(1);
  });

  test("are refused where a glob matches none, or a named folder has none", async () => {
    const { diagnostics } = await chooseProjects(["tests/a", "tests/notes", "nowhere", "x/*"], root);
    expect(diagnostics.map(({ code, summary }) => [code, summary])).toEqual([
      ["LF1001", "no project in tests/notes"],
      ["LF1001", "no project in nowhere"],
      ["LF1001", "the glob matches no project"],
    ]);
    expect(diagnostics[0]?.detail).toContain("tests/notes has none of loadform.config.ts");
    expect(diagnostics[1]?.detail).toContain(`There is no folder ${join(root, "nowhere")}`);
  });
});
