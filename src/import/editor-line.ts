import { posix } from "node:path";
import { mainFile } from "../config/entry-document.ts";
import type { ImportTarget } from "./import-target.ts";

/**
 * The line by which editors find the schema of a file: where the main file says it is, else as given. Empty when
 * neither is known.
 */
export async function editorLines(
  { entry, workspace }: ImportTarget,
  schemaFile: string | undefined,
): Promise<(file: string) => string> {
  const main = entry === "yaml" ? await workspace.readText(mainFile) : "";
  const own = /^#\s*yaml-language-server:\s*\$schema=(\S+)/m.exec(main)?.[1];
  const schema = own ?? schemaFile;
  if (schema === undefined) return () => "";
  const isFixed = /^[a-z][a-z0-9+.-]*:/i.test(schema) || schema.startsWith("/");
  return (file) =>
    `# yaml-language-server: $schema=${isFixed ? schema : posix.relative(posix.dirname(file), schema)}\n`;
}
