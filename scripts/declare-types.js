import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join, posix } from "node:path";
import { writeWhole } from "./write-files.js";

/**
 * Writes dist/types: the declarations that the entry points of the package lead to, with paths as consumers resolve them.
 * Those of a package that is bundled are among them, below packages/, and what is built below gen/.
 */
export function declareTypes(root) {
  const staging = mkdtempSync(join(root, "dist", "types-"));
  try {
    execFileSync(process.execPath, [compiler(root), "-p", "tsconfig.types.json", "--outDir", staging], {
      cwd: root,
      stdio: "inherit",
    });
    writeFolder(join(root, "dist", "types"), publicDeclarations(root, staging));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The program of the TypeScript compiler. */
export function compiler(root) {
  const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json");
  return join(dirname(manifest), JSON.parse(readFileSync(manifest, "utf8")).bin.tsc);
}

/** Paths below dist/types with their texts. */
function publicDeclarations(root, staging) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const provided = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const packages = join(root, "node_modules");
  const sourceOf = (path) => {
    if (path.startsWith("packages/")) return join(packages, path.slice("packages/".length));
    return path.startsWith("gen/") ? join(root, path) : join(staging, path);
  };
  const entries = Object.values(manifest.exports).flatMap(({ types }) =>
    types?.startsWith("./dist/types/") ? [types.slice("./dist/types/".length)] : [],
  );
  const found = new Map();
  const pending = entries.filter((path) => existsSync(sourceOf(path)));
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (found.has(path)) continue;
    const text = readFileSync(sourceOf(path), "utf8").replace(importPath, (whole, before, name) => {
      if (isBuiltin(name) || provided.some((each) => name === each || name.startsWith(`${each}/`))) return whole;
      const target = name.startsWith(".")
        ? placeInTypes(declarationOf(posix.join(posix.dirname(path), name)))
        : `packages/${typesOf(packages, name)}`;
      pending.push(target);
      return `${before}"${relativePath(path, target).replace(/\.d\.ts$/, ".js")}"`;
    });
    found.set(path, text);
  }
  return found;
}

/** After `from` of an import or export, after `import`, or in `import(…)`. */
const importPath = /(^(?:import|export)\b[\w$\s{},*]*?\bfrom\s*|^import\s*|\bimport\s*\()["']([^"'\n]+)["']/gm;

/** The declarations of a package: its name, and their path in it. */
function typesOf(packages, name) {
  return posix.join(name, JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")).types);
}

/** What is built in gen/ is beside the declarations of src. */
function placeInTypes(path) {
  return path.replace(/^\.\.\/(?=gen\/)|^src\//, "");
}

function declarationOf(path) {
  return path.replace(/(\.[jt]s)?$/, ".d.ts");
}

function relativePath(from, to) {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

function writeFolder(folder, files) {
  for (const [path, text] of files) writeWhole(join(folder, path), text);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !files.has(posix.relative(folder, join(entry.parentPath, entry.name))))
      rmSync(join(entry.parentPath, entry.name));
}
