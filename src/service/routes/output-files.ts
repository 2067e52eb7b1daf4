import type { executionRoutes } from "../../api/executions.ts";
import { type Call, fileHeaders, type Handlers, RawReply, type Reply, WaitingReply } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { compareImage, isCompared, loadPngLibrary, type PngLibrary } from "../downloads/compare-images.ts";
import { baseName, makeZip, safePath } from "../downloads/make-zip.ts";
import {
  charsetOf,
  filterFiles,
  type OutputFile,
  type OutputFileFilter,
  outputFiles,
  viewOutputFile,
} from "../downloads/output-files.ts";
import { Refusal } from "../refusal.ts";
import { findObject } from "../rules/access.ts";

type OutputFileRoute = Extract<keyof typeof executionRoutes, `${string}/output-files${string}`>;

/** API 2, Executions: the files that a run wrote. */
export const outputFileHandlers: Handlers<OutputFileRoute> = {
  "GET /executions/:id/output-files": ({ params, query, scope }) => {
    const list = (later: Scope, png?: PngLibrary): Reply =>
      foundFiles(params.id, query, later).map((each) => viewOutputFile(each, compareImage(each, png, later), later));
    const hasCompared = foundFiles(params.id, query, scope).some((each) => isCompared(each, scope));
    return hasCompared ? WaitingReply.of(loadPngLibrary, (png, later) => list(later, png)) : list(scope);
  },
  "GET /executions/:id/output-files.zip": (call) => {
    foundFiles(call.params.id, call.query, call.scope);
    return WaitingReply.of(
      () => import("fflate"),
      (zip, later) => new RawReply(makeZip(zipEntries(call, later), zip), "application/zip"),
    );
  },
  "GET /executions/:id/output-files/:fileName/download": ({ params, scope }) => {
    const files = outputFiles(findObject(scope, "execution", params.id));
    const found =
      files.find(({ file }) => file.name === params.fileName) ??
      files.find(({ file }) => String(file.id) === params.fileName);
    if (found === undefined)
      throw new Refusal(
        404,
        `found no file "${params.fileName}" of execution ${params.id}; it has ${firstNames(files)}`,
      );
    const { contents, type, name } = found.file;
    const charset = charsetOf(found.file);
    const whole = charset ? `${type}; charset=${charset}` : type;
    return new RawReply(Buffer.from(contents, "base64"), whole, fileHeaders(name, "inline"));
  },
};

function foundFiles(id: number, filter: OutputFileFilter, scope: Scope): readonly OutputFile[] {
  return filterFiles(outputFiles(findObject(scope, "execution", id)), filter);
}

/** API 2, Executions: `flat` is false by default for load tests and true for monitors and functional tests. */
function zipEntries({ params, query }: Call<"GET /executions/:id/output-files.zip">, scope: Scope) {
  const row = findObject(scope, "execution", params.id);
  const { flat = row.testType !== "Load" } = query;
  return filterFiles(outputFiles(row), query).map(({ file, client }) => ({
    name: flat ? baseName(file.name) : `user-${client.inRun}/iteration-0/${safePath(file.name)}`,
    bytes: Buffer.from(file.contents, "base64"),
  }));
}

/** The first names, for a message. */
function firstNames(files: readonly OutputFile[]): string {
  const names = files.slice(0, 10).map(({ file }) => `${file.id} "${file.name}"`);
  return names.length === 0 ? "none" : `${names.join(", ")}${files.length > names.length ? ", …" : ""}`;
}
