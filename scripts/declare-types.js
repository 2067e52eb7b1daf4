import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { writeWhole } from "./write-files.js";

/** Writes dist/types: the declarations of src, with `.ts` import paths spelled `.js` as consumers resolve them. */
export function declareTypes(root) {
  const staging = mkdtempSync(join(root, "dist", "types-"));
  try {
    execFileSync(process.execPath, [compiler(root), "-p", "tsconfig.types.json", "--outDir", staging], {
      cwd: root,
      stdio: "inherit",
    });
    replaceFolder(staging, join(root, "dist", "types"));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The program of the TypeScript compiler. */
export function compiler(root) {
  const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json");
  return join(dirname(manifest), JSON.parse(readFileSync(manifest, "utf8")).bin.tsc);
}

function replaceFolder(from, to) {
  const written = new Set();
  for (const path of declarations(from)) {
    const target = join(to, relative(from, path));
    writeWhole(target, readFileSync(path, "utf8").replace(/((?:from|import|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"'));
    written.add(target);
  }
  for (const path of declarations(to)) if (!written.has(path)) rmSync(path);
}

function declarations(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".d.ts"));
}
