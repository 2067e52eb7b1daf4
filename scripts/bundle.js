import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build } from "esbuild";
import { entryPoints, externalPackages, programs } from "./entry-points.js";
import { writeWhole } from "./write-files.js";

/** CommonJS packages inside an ESM bundle call `require` for Node's own modules. */
const banner =
  'import { createRequire as createRequireHere } from "node:module";const require = createRequireHere(import.meta.url);';

/** Bundles the entry points and `more` into dist/; `digest` is what the bundle calls itself. Chunks of earlier builds stay unless `clean`: a running process may still load them. */
export async function bundle(root, { clean, digest, more = {} }) {
  const dist = join(root, "dist");
  const { outputFiles } = await build({
    ...settings(root),
    define: { buildDigest: JSON.stringify(digest) },
    entryPoints: { ...present(root), ...more },
    outdir: dist,
  });
  const [entries, chunks] = partition(outputFiles, (file) => relative(dist, file.path).startsWith("chunks"));
  for (const chunk of chunks) writeWhole(chunk.path, chunk.contents);
  for (const entry of entries) writeWhole(entry.path, entry.contents, modeOf(entry.path));
  if (clean) removeOthers(join(dist, "chunks"), new Set(chunks.map((chunk) => basename(chunk.path))));
}

function settings(root) {
  return {
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    chunkNames: "chunks/[name]-[hash]",
    external: externalPackages,
    banner: { js: banner },
    plugins: [loadHttp2Late],
    logLevel: "warning",
    write: false,
  };
}

const eager = "const connectH2 = require('./client-h2.js')";

/** undici loads Node's HTTP/2, a twentieth of a plan's start, with each client; a connection asks for it when it speaks HTTP/2. */
const loadHttp2Late = {
  name: "load-http2-late",
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ }, ({ path }) => {
      const code = readFileSync(path, "utf8");
      if (!code.includes(eager))
        throw new Error(`found no \`${eager}\` in ${path}; expected it: see scripts/bundle.js`);
      return { contents: code.replace(eager, "const connectH2 = (...args) => require('./client-h2.js')(...args)") };
    });
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
