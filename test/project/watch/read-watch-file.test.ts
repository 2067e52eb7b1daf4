// engine: reads folders from disk
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readWatchFile } from "../../../src/project/watch/read-watch-file.ts";

describe("projects of the command line", () => {
  const defaults = { prune: false, intervalSecs: 120 };
  const cwd = mkdtempSync(join(tmpdir(), "loadform-watched-"));
  afterAll(() => rmSync(cwd, { recursive: true }));
  for (const name of ["teams/one", "teams/two"]) {
    mkdirSync(join(cwd, name), { recursive: true });
    writeFileSync(join(cwd, name, "loadform.yaml"), "project: x\n");
  }
  mkdirSync(join(cwd, "teams/empty"));
  const read = (...dirs: string[]) => readWatchFile({ dirs, defaults }, { env: {}, cwd });

  test("are the folders of a glob that have a project", async () => {
    const { config, diagnostics } = await read("teams/*", "elsewhere");
    expect(diagnostics).toEqual([]);
    expect(config.projects.map(({ project }) => [project.name, project.source])).toEqual([
      ["one", { is: "dir", dir: join(cwd, "teams/one") }],
      ["two", { is: "dir", dir: join(cwd, "teams/two") }],
      ["elsewhere", { is: "dir", dir: join(cwd, "elsewhere") }],
    ]);
  });

  test("are refused for a glob that matches none", async () => {
    expect((await read("tests/*")).diagnostics).toMatchObject([
      { code: "LF1001", summary: "the glob matches no project" },
    ]);
  });
});
