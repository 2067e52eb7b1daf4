import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repository } from "../support/source-files.ts";

const text = readFileSync(join(repository, "CONTRIBUTING.md"), "utf8");

describe("the page for contributors", () => {
  test("names only files that there are", () => {
    const paths = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  test("names only what is in the file beside it", () => {
    const after = [...text.matchAll(/\]\(([^)#]+)\) \((`[\w`, ]+`)/g)].map(([, path = "", names = ""]) => [
      path,
      names,
    ]);
    const before = [...text.matchAll(/(`\w+`) in \[[^\]]+\]\(([^)#]+)\)/g)].map(([, name = "", path = ""]) => [
      path,
      name,
    ]);
    const named = [...after, ...before].flatMap(([path = "", names = ""]) =>
      [...names.matchAll(/\w+/g)].map(([name]) => [path, name] as const),
    );
    expect(named.length).toBeGreaterThan(10);
    const isIn = (path: string, name: string) => readFileSync(join(repository, path), "utf8").includes(name);
    expect(named.filter(([path, name]) => !isIn(path, name))).toEqual([]);
  });

  test("names only scripts that there are", () => {
    const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = [...text.matchAll(/`npm run ([\w:]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("has a line for every room", () => {
    const rooms = readdirSync(join(repository, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(
      rooms.map(({ name }) => name).filter((name) => !new RegExp(`^\\| \`${name}\` +\\|`, "m").test(text)),
    ).toEqual([]);
  });
});
