import type { Diagnostic } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { mainFile } from "../workspace/workspace.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";
import { declaredObjects } from "./declared-object.ts";
import { includesIn, loadDocuments } from "./load-documents.ts";
import type { ProjectInput } from "./load-project.ts";

const mostFiles = 500;

/** A warning for each YAML file of a project that is not included and declares one of the `missing` addresses. */
export async function findUnincluded(
  missing: ReadonlySet<string>,
  { workspace, kinds, hash, environment = "" }: Pick<ProjectInput, "workspace" | "kinds" | "hash" | "environment">,
): Promise<readonly Diagnostic[]> {
  const { sources } = await loadDocuments(mainFile, { workspace, hash }, includesIn(environment));
  const included = new Set(sources.map(({ file }) => file));
  const all = await workspace.glob(["**/*.yaml", "**/*.yml"]).catch(() => []);
  const others = all.filter((file) => file.endsWith(`/${mainFile}`)).map((file) => file.slice(0, -mainFile.length));
  const isApart = (file: string) =>
    included.has(file) || file.includes("node_modules/") || others.some((folder) => file.startsWith(folder));
  const found: Diagnostic[] = [];
  for (const file of all.filter((each) => !isApart(each)).slice(0, mostFiles)) {
    const text = await workspace.readText(file).catch(() => "");
    const declared = addressesIn(text, kinds).filter((address) => missing.has(address));
    if (declared.length > 0) found.push(notIncluded(file, declared));
  }
  return found;
}

function addressesIn(text: string, kinds: readonly AnyKind[]): readonly string[] {
  // Most YAML in a folder is something else: it need not be parsed for that to be seen.
  if (!kinds.some(({ plural, parent }) => parent === undefined && text.includes(plural))) return [];
  const { value } = parseYaml(text, "");
  return isObject(value) ? declaredObjects(value, kinds).map(({ address }) => address) : [];
}

function notIncluded(file: string, declared: readonly string[]): Diagnostic {
  const [first = "", ...more] = declared;
  const what = more.length === 0 ? first : `${first} and ${more.length} more`;
  const folder = file.slice(0, file.indexOf("/") + 1);
  const detail = `It declares ${what}, which would be deleted, because no include of ${mainFile} matches the file. Include it, as in: include: ["${folder}**/*.yaml"]. To delete what it declares, delete the file too`;
  return { severity: "warning", code: "LF1011", summary: `${file} is not included`, detail, file, line: 1, column: 1 };
}
