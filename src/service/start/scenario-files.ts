import type { Scope } from "../core/scope.ts";
import { parameterOf } from "./parameters.ts";
import type { FormFile, StartForm } from "./start-form.ts";
import type { Unzipped } from "./unzip-upload.ts";

/** True for a file that is unpacked: by its name, for a library is a zip by its bytes. */
export function isZip(fileName: string): boolean {
  return /\.zip$/i.test(fileName);
}

/** Fields whose file is no data store of the scenario: its texts, and the view of the test case. */
const elsewhere: ReadonlySet<string> = new Set(["code", "init", "teardown", "view"]);

/**
 * The files of a scenario by path, those of zips unpacked.
 * DECISION (API 2, Common parameters: files[*]): every zip is unpacked, its paths count from the scenario's folder; a path twice is
 * refused; files of an earlier start that are not sent again remain.
 */
export function readScenarioFiles(
  form: StartForm,
  unzipped: ReadonlyMap<string, Unzipped>,
  scope: Scope,
): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const add = (field: string, { path, bytes }: FormFile) => {
    if (files.has(path)) scope.findings.add(field, `found a second file ${path}; expected each path once`);
    files.set(path, bytes);
  };
  for (const { field, name, file } of form.sent) {
    if (file === undefined || elsewhere.has(name)) continue;
    const content = isZip(file.path) ? unzipped.get(field) : { files: [file] };
    if (content === undefined) continue;
    if ("problem" in content) scope.findings.add(field, content.problem);
    else for (const each of content.files) add(field, each);
  }
  return files;
}

/**
 * A file or the path of one: refused when neither a file, nor a zip or the repository can have it (API 2, Starting a run).
 */
export function checkPath(
  field: string,
  form: StartForm,
  { files, scope }: { readonly files: ReadonlyMap<string, Uint8Array>; readonly scope: Scope },
): void {
  const path = form.text(field);
  if (path === undefined || hasFile(path.trim(), files, form) || form.has("repo_url")) return;
  scope.findings.add(
    field,
    `found the path ${JSON.stringify(path)}; expected a file part, or the path of a file of the form or its zips: ${shownPaths(files)}`,
  );
}

/** True when there is a file of a path, which may begin at the project's folder (API 2, Common parameters: root_folder). */
export function hasFile(path: string, files: ReadonlyMap<string, Uint8Array>, form: StartForm): boolean {
  const folder = form.text("root_folder")?.replace(/\/$/, "");
  return files.has(path) || (folder !== undefined && files.has(`${folder}/${path}`));
}

function shownPaths(files: ReadonlyMap<string, Uint8Array>): string {
  const paths = [...files.keys()];
  const shown = paths.slice(0, 5).join(", ");
  if (shown === "") return "it has none";
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}

/** Fields of the form that are a file or its path. */
export function pathFields(form: StartForm): readonly string[] {
  return form.sent.flatMap(({ field, name }) => {
    const parameter = parameterOf(name);
    return parameter?.type === "File or Text" && parameter.value !== "json" ? [field] : [];
  });
}
