import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { entryPoints, externalPackages, programs } from "./entry-points.js";
import { writeWhole } from "./write-files.js";

/** Bundles the entry points and `more` into dist/; `digest` is what the bundle calls itself. Chunks of earlier builds stay unless `clean`: a running process may still load them. */
export async function bundle(root, { clean, digest, more = {} }) {
  const dist = join(root, "dist");
  const modules = await rolldown({ ...settings(root, digest), input: { ...present(root), ...more } });
  const { output } = await modules.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting: { groups: sharedChunks },
  });
  await modules.close();
  const [entries, chunks] = partition(output, ({ isEntry }) => !isEntry);
  for (const { fileName, code } of chunks) writeWhole(join(dist, fileName), ascii(code));
  for (const { fileName, code } of entries) writeWhole(join(dist, fileName), ascii(code), modeOf(fileName));
  if (clean) removeOthers(join(dist, "chunks"), new Set(chunks.map(({ fileName }) => basename(fileName))));
}

/** The same code without other characters: Node decodes and compiles it faster. */
function ascii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * What is loaded together lies in one file, since each file costs a start about half a millisecond: what every command line
 * needs, help included; what decides whether compiled code is cached, before there is much of it; and what a plan without
 * changes needs beyond them. All else is divided by who imports it. This is why it is rolldown that bundles: esbuild divides
 * by the set of importers alone, which makes 50 files of a plan.
 */
const sharedChunks = [
  { name: "start", test: /src\/cli\/main\.ts$/, priority: 3 },
  { name: "user-cache", test: /src\/workspace\/user-cache\.ts$/, priority: 2 },
  {
    name: "compare",
    test: /src\/(cli\/commands\/plan|workspace\/match-files)\.ts$|undici\/lib\/(dispatcher\/pool|core\/connect)\.js$/,
    priority: 1,
  },
];

function settings(root, digest) {
  return {
    cwd: root,
    platform: "node",
    external: externalPackages,
    transform: { target: "node20", define: { buildDigest: JSON.stringify(digest) } },
    plugins: [readRaw, loadHttp2Late],
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

const eager = "const connectH2 = require('./client-h2.js')";

/** undici loads Node's HTTP/2, a twentieth of a plan's start, with each client; a connection asks for it when it speaks HTTP/2. */
const loadHttp2Late = {
  name: "load-http2-late",
  transform: {
    filter: { id: /undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ },
    handler(code, id) {
      if (!code.includes(eager)) throw new Error(`found no \`${eager}\` in ${id}; expected it: see scripts/bundle.js`);
      return code.replace(eager, "const connectH2 = (...args) => require('./client-h2.js')(...args)");
    },
  },
};

function present(root) {
  return Object.fromEntries(Object.entries(entryPoints).filter(([, source]) => existsSync(join(root, source))));
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
