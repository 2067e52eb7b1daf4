import { join } from "node:path";
import { build } from "esbuild";
import { modulesOf } from "./third-party-licenses.js";
import { writeWhole } from "./write-files.js";

const declaration = `/** The program of the worker thread in which scripts run, as CommonJS text. */
export declare const scriptWorker: string;
`;

/** The text of gen/script-worker.js: a worker thread needs its program as one file or one text, wherever the service is bundled to. */
export async function scriptWorkerSource(root) {
  const { outputFiles } = await buildWorker(root);
  return sourceOf(outputFiles);
}

/** Writes gen/script-worker.js. Answers with the modules that are in it. */
export async function compileWorker(root) {
  const { outputFiles, metafile } = await buildWorker(root);
  writeWhole(join(root, "gen", "script-worker.d.ts"), declaration);
  writeWhole(join(root, "gen", "script-worker.js"), sourceOf(outputFiles));
  return modulesOf(root, metafile);
}

function sourceOf([{ text }]) {
  return `export const scriptWorker = ${JSON.stringify(withoutLoading(text))};\n`;
}

function buildWorker(root) {
  return build({
    absWorkingDir: root,
    entryPoints: ["src/service/scripts/worker/main.ts"],
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    // Nothing of it becomes global, and its own modules remain its own when the script gets another require.
    banner: { js: "((require) => {" },
    footer: { js: "})" },
    // ws looks for faster helpers, which must not be found in the folder of whoever runs the service.
    define: { "process.env.WS_NO_BUFFER_UTIL": "'1'", "process.env.WS_NO_UTF_8_VALIDATE": "'1'" },
    external: ["bufferutil", "utf-8-validate"],
    logLevel: "warning",
    metafile: true,
    write: false,
  });
}

/**
 * The program as a script of which nothing is imported by import(), whoever calls eval from within it, and which requires nothing but
 * Node's own modules.
 */
function withoutLoading(text) {
  const own = `(name) => { if (isBuiltin(name)) return require(name); throw new Error("found " + name + "; expected a module of Node"); }`;
  return [
    `"use strict";`,
    `const { isBuiltin } = require("node:module");`,
    `require("node:vm").runInThisContext(${JSON.stringify(text)}, { filename: "[worker]" })(${own});`,
  ].join("\n");
}
