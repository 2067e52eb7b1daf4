import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCycles, findRoomCycles, forbiddenImports, roomOf, within } from "./support/check-layers.ts";
import { layers, roomsWithDisk, roomsWithoutAwait, roomsWithoutNode, serviceLayers } from "./support/layer-table.ts";
import { readSources, repository, sourceFile } from "./support/source-files.ts";

const sources = readSources();
const inRooms = (rooms: readonly string[]) => sources.filter((source) => rooms.includes(roomOf(source.path)));

describe("the layer table", () => {
  it("lists every folder and every file directly under src", () => {
    const present = readdirSync(join(repository, "src")).filter((name) => !name.endsWith(".d.ts"));
    expect(present.filter((name) => !(name in layers))).toEqual([]);
  });

  it("is of files that import each module by one statement", () => {
    const twice = sources.flatMap(({ path, text }) => {
      const names = [...text.matchAll(/^import [^;]*? from "([^"]+)";$/gm)].map(([, name]) => name ?? "");
      return names.filter((name, index) => names.indexOf(name) < index).map((name) => `${path} imports ${name} twice`);
    });
    expect(twice).toEqual([]);
  });

  it("is obeyed by every import", () => {
    expect(forbiddenImports(sources, layers)).toEqual([]);
  });

  it("leaves no cycle among files", () => {
    expect(findCycles(sources)).toEqual([]);
  });

  it("leaves no cycle among the files of these rooms, imports of types counted", () => {
    const rooms = inRooms(["project", "import", "drift", "authoring", "bridge"]);
    expect(findCycles(rooms, { types: true })).toEqual([]);
  });

  it("leaves no cycle among rooms", () => {
    expect(findRoomCycles(sources)).toEqual([]);
  });
});

describe("the layers inside service", () => {
  const inside = within("service", sources);

  it("list every folder and every file directly under it", () => {
    expect([...new Set(inside.map(({ path }) => roomOf(path)))].sort()).toEqual(Object.keys(serviceLayers).sort());
  });

  it("are obeyed by every import", () => {
    expect(forbiddenImports(inside, serviceLayers)).toEqual([]);
  });

  it("leave no cycle among its files, those by type included", () => {
    expect(findCycles(inside, { types: true })).toEqual([]);
  });
});

describe("the rooms", () => {
  it("api holds data and types, no functions", () => {
    const functions = inRooms(["api"]).filter((source) =>
      /\bfunction\b|=>\s*[^;]*\{|^export const \w+ = \(/m.test(code(source.text)),
    );
    expect(functions.map((source) => source.path)).toEqual([]);
  });

  it("pure rooms import no module of Node", () => {
    expect(nodeImports(roomsWithoutNode, /^node:/)).toEqual([]);
  });

  it("decisions of the watcher are as pure and synchronous", () => {
    const decisions = inRooms(["watch"]).filter(({ path }) => /^watch\/[^/]+$/.test(path));
    const impure = decisions.filter(({ imports, text }) => {
      const isNode = imports.some(({ specifier }) => specifier.startsWith("node:"));
      return isNode || /\b(?:await|async)\b|\bDate\.now\(|Math\.random/.test(code(text));
    });
    expect(decisions.length).toBeGreaterThan(0);
    expect(impure.map(({ path }) => path)).toEqual([]);
  });

  it("only the rooms of the disk import node:fs", () => {
    const others = [...new Set(sources.map((source) => roomOf(source.path)))].filter(
      (room) => !roomsWithDisk.includes(room),
    );
    expect(nodeImports(others, /^node:fs/)).toEqual([]);
  });

  it("synchronous rooms hold no await", () => {
    const waiting = inRooms(roomsWithoutAwait).filter((source) => /\b(?:await|async)\b/.test(code(source.text)));
    expect(waiting.map((source) => source.path)).toEqual([]);
  });
});

describe("the check itself", () => {
  const toy = {
    low: { values: [] },
    mid: { values: [], types: ["low"] },
    high: { values: ["mid"], exceptions: { "high/door.ts": ["low"] } },
  };
  const cases = [
    { text: 'import { a } from "../mid/a.ts";', path: "high/x.ts", refused: false },
    { text: 'import { a } from "../low/a.ts";', path: "high/x.ts", refused: true },
    { text: 'import { a } from "../low/a.ts";', path: "high/door.ts", refused: false },
    { text: 'import type { A } from "../low/a.ts";', path: "mid/x.ts", refused: false },
    { text: 'import { type A, b } from "../low/a.ts";', path: "mid/x.ts", refused: true },
    { text: 'export * from "../low/a.ts";', path: "mid/x.ts", refused: true },
    { text: 'import {\n  a,\n} from "../high/a.ts";', path: "low/x.ts", refused: true },
    { text: 'const a = await import("../high/a.ts");', path: "low/x.ts", refused: true },
    { text: 'type A = import("../low/a.ts").A;', path: "mid/x.ts", refused: false },
    { text: ' * import { a } from "../high/a.ts"', path: "low/x.ts", refused: false },
  ];
  it.each(cases)("$path with $text is refused: $refused", ({ path, text, refused }) => {
    expect(forbiddenImports([sourceFile(path, text)], toy).length > 0).toBe(refused);
  });

  it("finds a cycle through three files, one edge of it dynamic", () => {
    const files = [
      sourceFile("a/one.ts", 'import { two } from "./two.ts";'),
      sourceFile("a/two.ts", 'const three = await import("./three.ts");'),
      sourceFile("a/three.ts", 'export { one } from "./one.ts";'),
    ];
    expect(findCycles(files)).toEqual(["a/one.ts -> a/two.ts -> a/three.ts -> a/one.ts"]);
  });
});

describe("lint suppressions", () => {
  it("number zero", () => {
    const marks = new RegExp(
      ["biome-" + "ignore", "@ts-" + "(?:ignore|expect-error|nocheck)", "eslint-" + "disable"].join("|"),
    );
    const found = ["src", "test", "scripts"].flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
        .filter((path) => /\.[jt]s$/.test(path) && !path.includes("fixtures"))
        .filter((path) => marks.test(readFileSync(join(repository, folder, path), "utf8")))
        .map((path) => `${folder}/${path}`),
    );
    expect(found).toEqual([]);
  });
});

/** Source text without comments and string contents, near enough for searching keywords. */
function code(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/"(?:[^"\\\n]|\\.)*"|^\s*\/\/.*$/gm, '""')
    .replace(/`[^`]*`/g, "``");
}

function nodeImports(rooms: readonly string[], pattern: RegExp): readonly string[] {
  return inRooms(rooms).flatMap((source) =>
    source.imports.filter((edge) => pattern.test(edge.specifier)).map((edge) => `${source.path}: ${edge.specifier}`),
  );
}
