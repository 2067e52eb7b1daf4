import { expect, test } from "vitest";
import { versionOf } from "../../src/watch/watched-project.ts";
import { watchedProject } from "./watching.ts";

const dir = watchedProject({ source: { is: "dir", dir: "/work/load" } });

test.each([
  ["of a repository is its commit", watchedProject(), "c1", "c1"],
  ["of a folder is that of its documents, though it has a commit", dir, "c1", "docs"],
  ["of a folder without git is that of its documents", dir, undefined, "docs"],
])("the version %s", (_, project, commit, version) => {
  expect(versionOf(project, commit, { documents: "docs" })).toBe(`${version} ${project.heal ?? "nothing"}`);
});

test("a try without prune is another one than a try with it", () => {
  const version = (prune: boolean) => versionOf({ ...dir, heal: "git", prune }, undefined, { documents: "docs" });
  expect([version(false), version(true)]).toEqual(["docs git", "docs git prune"]);
});
