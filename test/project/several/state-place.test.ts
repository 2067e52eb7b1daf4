import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { StateSettings } from "../../../src/model/state-settings.ts";
import { statePlace } from "../../../src/project/several/state-place.ts";
import { freshFolder } from "../../support/run-cli.ts";

const root = freshFolder();
for (const folder of ["a", "b", "clone/.git", "clone/a", "clone/b"]) mkdirSync(join(root, folder), { recursive: true });
symlinkSync(join(root, "a"), join(root, "link"));

const place = (folder: string, state: StateSettings, name = "p", environment = "dev") =>
  statePlace({ name, root: join(root, folder), environment, state });

describe("the place of a state", () => {
  const local: StateSettings = { backend: "local", path: ".loadform/state.json" };
  const git: StateSettings = { backend: "git" };
  const rows: StateSettings = { backend: "postgres", url: "postgres://db/x" };
  const document: StateSettings = { backend: "http", address: "https://s.example.com/x" };
  const object: StateSettings = { backend: "s3", bucket: "x", key: "y" };
  const cases: readonly (readonly [string, Parameters<typeof place>, Parameters<typeof place>, boolean])[] = [
    ["files of two folders", ["a", local], ["b", local], false],
    ["a file through a link", ["a", local], ["link", local], true],
    ["a file beside both", ["a", { ...local, path: "../s.json" }], ["b", { ...local, path: "../s.json" }], true],
    ["a branch of one clone, by the names of the projects", ["clone/a", git, "p"], ["clone/b", git, "q"], false],
    ["a branch of one clone, of one name", ["clone/a", git, "p"], ["clone/b", git, "p"], true],
    ["a branch of two clones", ["clone/a", git], ["a", git], false],
    ["a file of a branch", ["clone/a", { ...git, path: "s" }, "p"], ["clone/b", { ...git, path: "s" }, "q"], true],
    ["rows of two projects", ["a", rows, "p"], ["b", rows, "q"], false],
    ["rows of one name", ["a", rows], ["b", rows], true],
    ["rows of two environments", ["a", rows], ["b", rows, "p", "prod"], false],
    ["one address", ["a", document, "p"], ["b", document, "q"], true],
    ["one object of a bucket", ["a", object, "p"], ["b", object, "q"], true],
  ];
  test.each(cases)("is the same or not: %s", async (_title, one, other, isSame) => {
    expect((await place(...one)) === (await place(...other))).toBe(isSame);
  });

  test("is none for a state that is stored nowhere", async () => {
    expect(await place("a", { backend: "memory" })).toBeUndefined();
  });
});
