import type { AnyKind } from "../../src/model/kind.ts";
import { watchDocument } from "../../src/schema/watch-fields.ts";
import { fileSchema, kindSchema, moduleSchema, projectSchema } from "./json-schema.ts";
import { typescriptReference } from "./reference-typescript.ts";
import { yamlReference } from "./reference-yaml.ts";

/** Every checked-in file that is derived from the kinds, except those for Terraform, by path in the repository. */
export function generatedFiles(kinds: readonly AnyKind[]): Readonly<Record<string, string>> {
  const perKind = kinds.map((kind) => [`schemas/${kind.name}.schema.json`, schemaText(kindSchema(kinds, kind.name))]);
  return {
    "schemas/loadform.schema.json": schemaText(projectSchema(kinds)),
    "schemas/module.schema.json": schemaText(moduleSchema(kinds)),
    "schemas/watch.schema.json": schemaText(fileSchema("loadform watch", watchDocument)),
    ...(Object.fromEntries(perKind) as Record<string, string>),
    "docs/reference-yaml.md": yamlReference(kinds),
    "docs/reference-typescript.md": typescriptReference(kinds),
  };
}

function schemaText(schema: unknown): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
