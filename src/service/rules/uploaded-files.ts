import type { Upload } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { readName } from "./names.ts";
import type { File } from "./write-data-store.ts";

/** DECISION (seed 1, upload: form field names not shown): every file part counts, whatever its name. */
export function uploadedFiles(uploads: readonly Upload[], scope: Scope): readonly File[] {
  if (uploads.length === 0) scope.findings.add("file", "found no file; expected at least one file part, such as file");
  return uploads.map(({ fileName, bytes }) => ({
    name: readName(fileName, scope, "file"),
    contents: Buffer.from(bytes).toString("base64"),
  }));
}
