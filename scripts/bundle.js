import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { editPackages } from "./edit-packages.js";
import { entryPoints, externalPackages, programs } from "./entry-points.js";
import { scriptChunk, withoutFacades, withoutRelays } from "./rewrite-chunks.js";
import { writeWhole } from "./write-files.js";

/**
 * Bundles the entry points and `more` into dist/; `digest` is what the bundle calls itself. Chunks of earlier builds stay unless
 * `clean`: a running process may still load them. Answers with the modules that are in it.
 */
export async function bundle(root, { clean, digest, more = {} }) {
  const dist = join(root, "dist");
  const build = await rolldown({
    ...settings(root, digest),
    input: { ...present(root, { ...entryPoints, runner }), ...more },
  });
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    minifyInternalExports: false,
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting: { groups: [...moduleChunks, ...scriptChunks] },
  });
  await build.close();
  const plain = withoutRelays(output.map((each) => ({ ...each, code: ascii(each.code) })));
  const [entries, modules] = partition(plain, ({ isEntry }) => !isEntry);
  const chunks = modules.flatMap((chunk) => quickened(chunk, modules));
  for (const { fileName, code } of chunks) writeWhole(join(dist, fileName), code);
  for (const entry of entries) {
    // Only Node starts this one; the others may be bundled anew by those who import them.
    const { name, fileName, code } = entry.name === "watch-check" ? withoutFacades(entry) : entry;
    if (name !== "runner") writeWhole(join(dist, fileName), code, modeOf(fileName));
  }
  if (clean) removeOthers(join(dist, "chunks"), new Set(chunks.map(({ fileName }) => basename(fileName))));
  return output.flatMap(({ moduleIds }) => moduleIds);
}

/** The shared chunks, so that Node loads them quicker. */
function quickened(chunk, modules) {
  const isAmong = (chunks) => chunks.some(({ name }) => name === chunk.name);
  if (isAmong(scriptChunks)) return scriptChunk(chunk, { runner: runnerIn(modules), chunks: modules });
  return isAmong(moduleChunks) ? withoutFacades(chunk) : chunk;
}

/** What runs the scripts. It is an entry only so that its function remains, under its name. */
const runner = "src/cli/code-cache.ts";

function runnerIn(chunks) {
  const { fileName } = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${runner}`)));
  return { name: "runScript", source: `./${basename(fileName)}` };
}

/** The same code without other characters: Node decodes and compiles it faster. */
function ascii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * What is loaded together is in one file, since each file costs a start about half a millisecond. `test` names roots: what they import
 * comes along, and what a plan asks for with import() is named too. All else is divided by who imports it. This is why it is rolldown
 * that bundles: esbuild divides by the set of importers alone, which makes 50 files of a plan.
 */
const moduleChunks = [
  // What every program begins with, a check of `watch` too.
  {
    name: "begin",
    test: /src\/(cli\/(prepare-engine|interrupt)|report\/terminal-text|model\/diagnostic)\.ts$/,
    priority: 6,
  },
  // What every command line needs beyond that, help included.
  { name: "start", test: /src\/cli\/main\.ts$/, priority: 5 },
  // What chooses the code cache, before there is much to compile.
  { name: "user-cache", test: /src\/workspace\/user-cache\.ts$/, priority: 4 },
];

/** The same of the chunks that become scripts. */
const scriptChunks = [
  // What a plan needs that is remembered.
  {
    name: "recalling",
    test: /src\/(project\/(plan-project|watch\/check-project)|cli\/system-of)\.ts$|undici\/lib\/(api\/index|dispatcher\/pool|core\/connect)\.js$/,
    priority: 3,
  },
  // What shows one.
  { name: "showing", test: /src\/cli\/commands\/plan\.ts$/, priority: 2 },
  // What a plan needs that is not remembered.
  {
    name: "planning",
    test: /src\/(project\/(open-project|plan-opened|read-live)|workspace\/match-files)\.ts$/,
    priority: 1,
  },
  // What a project's document is checked with.
  { name: "validator", test: /gen\/validate-project\.js$/, priority: 2 },
  // What plans several projects.
  { name: "several", test: /src\/cli\/projects\/plan-all\.ts$/, priority: 0 },
];

function settings(root, digest) {
  return {
    cwd: root,
    platform: "node",
    external: externalPackages,
    transform: { target: "node20", define: { buildDigest: JSON.stringify(digest) } },
    plugins: [readRaw, editPackages],
    checks: { ineffectiveDynamicImport: false },
    logLevel: "warn",
  };
}

/** `import text from "./page.css?raw"`: a file as text, as vitest reads it too. */
const readRaw = {
  name: "read-raw",
  resolveId: {
    filter: { id: /\?raw$/ },
    handler: (id, importer) => join(dirname(importer), id),
  },
  load: {
    filter: { id: /\?raw$/ },
    handler: (id) => ({ code: readFileSync(id.slice(0, -"?raw".length), "utf8"), moduleType: "text" }),
  },
};

function present(root, entries) {
  return Object.fromEntries(Object.entries(entries).filter(([, source]) => existsSync(join(root, source))));
}

function modeOf(path) {
  return programs.includes(basename(path, ".js")) ? 0o755 : 0o644;
}

function partition(files, isChunk) {
  return [files.filter((file) => !isChunk(file)), files.filter(isChunk)];
}

function removeOthers(folder, current) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name));
}
