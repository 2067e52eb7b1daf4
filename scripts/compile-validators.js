import { join } from "node:path";
import { build } from "esbuild";
import { hasKinds, loadSources } from "./load-sources.js";
import { modulesOf } from "./third-party-licenses.js";
import { writeWhole } from "./write-files.js";

const schemaSource = "scripts/derive/json-schema.ts";

const declaration = `import type { ErrorObject } from "ajv";

/** A way in which a parsed project document breaks the project schema; empty when it holds. The words are config's. */
export declare function validateProject(document: unknown): readonly ErrorObject[];
`;

const wrapper = `import validate from "validator";
export function validateProject(document) {
  return validate(document) ? [] : [...validate.errors];
}`;

/** Writes gen/validate-project.js: the project schema compiled to plain code, since compiling at start costs 258 ms. Answers with the modules that are in it. */
export async function compileValidators(root) {
  const gen = join(root, "gen");
  writeWhole(join(gen, "validate-project.d.ts"), declaration);
  const { outputFiles, metafile } = await selfContained(root, await validatorCode(root));
  writeWhole(join(gen, "validate-project.js"), outputFiles[0].text);
  return modulesOf(root, metafile);
}

async function validatorCode(root) {
  if (!hasKinds(root)) return "export default Object.assign(() => true, { errors: [] });";
  const { kinds, validationSchema } = await loadSources(root, `export { validationSchema } from "./${schemaSource}"`);
  const schema = validationSchema(kinds);
  const isDraft2020 = String(schema.$schema).includes("2020-12");
  const { default: Ajv } = await import(isDraft2020 ? "ajv/dist/2020.js" : "ajv");
  const { default: addFormats } = await import("ajv-formats");
  const { default: standaloneCode } = await import("ajv/dist/standalone/index.js");
  const ajv = new (Ajv.default ?? Ajv)({
    messages: false,
    inlineRefs: false,
    allowUnionTypes: true,
    strictRequired: false,
    code: { source: true, esm: true, lines: false },
  });
  (addFormats.default ?? addFormats)(ajv);
  return (standaloneCode.default ?? standaloneCode)(ajv, ajv.compile(schema));
}

function selfContained(root, code) {
  const validator = {
    name: "validator",
    setup(plugins) {
      plugins.onResolve({ filter: /^validator$/ }, () => ({ path: "validator", namespace: "validator" }));
      plugins.onLoad({ filter: /.*/, namespace: "validator" }, () => ({ contents: code, resolveDir: root }));
    },
  };
  return build({
    stdin: { contents: wrapper, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [validator],
    logLevel: "warning",
    metafile: true,
    write: false,
  });
}
