import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportedNames } from "./support/exported-names.ts";
import { repository } from "./support/source-files.ts";

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as Manifest;

/** Entry points by the name under which they are imported, with their sources. */
const entryPoints = Object.entries(manifest.exports).flatMap(([name, target]): [string, string][] =>
  typeof target === "string" || !target.types.startsWith("./dist/types/")
    ? []
    : [[name.replace(/^\./, "loadform"), target.types.replace("./dist/types/", "src/").replace(/\.d\.ts$/, ".ts")]],
);

// A change of these files is a change of the public contract: run vitest with -u when it is meant.
describe.each(entryPoints)("%s", (name, source) => {
  it("exports the names on record and no others", async () => {
    const names = exportedNames(readFileSync(join(repository, source), "utf8"));
    await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(`public-api/${name.replace("/", "-")}.txt`);
  });
});

describe.each(["cdktf", "cdktn"])("loadform/%s", (library) => {
  it("exports the names on record and no others, the same for both libraries", async () => {
    const names = Object.keys(await import(`../gen/${library}/index.js`)).filter(
      (name) => !/^(default|module\.exports)$/.test(name),
    );
    await expect(`${names.sort().join("\n")}\n`).toMatchFileSnapshot("public-api/loadform-cdktf.txt");
  });
});

describe("the names of a module", () => {
  it("are those of lists, declarations and renamings, types marked", () => {
    const text = `export { a, b as c } from "./x.ts";\nexport type { D } from "./y.ts";\nexport { type E, f };
export function g() {}\nexport async function h() {}\nexport interface I {}\nexport const j = 1;\nconst hidden = 2;`;
    expect(exportedNames(text)).toEqual(["a", "c", "f", "g", "h", "j", "type D", "type E", "type I"]);
  });

  it("cannot be read from a star", () => {
    expect(() => exportedNames('export * from "./x.ts";')).toThrow("export *");
  });
});
