import { join } from "node:path";
import { declareProps } from "./declare-props.js";
import { loadSources } from "./load-sources.js";
import { writeWhole } from "./write-files.js";

/** Writes what is derived from the kinds: schemas/ and the reference pages, which are checked in and compared by tests, and the props in gen/. */
const root = join(import.meta.dirname, "..");
const { generatedFiles, terraformPages, providersSchemaFile, kinds } = await loadSources(
  root,
  `export { generatedFiles } from "./scripts/derive/generated-files.ts";
  export { terraformPages } from "./scripts/derive/terraform-pages.ts";
  export { providersSchemaFile } from "./scripts/derive/providers-schema.ts"`,
);
const files = { ...generatedFiles(kinds), ...terraformPages(kinds), ...providersSchemaFile(kinds) };
for (const [path, text] of Object.entries(files)) writeWhole(join(root, path), text);
await declareProps(root);
