import { expandText } from "../config/expand.ts";
import { readFiles } from "../config/read-files.ts";
import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { Problem, problem } from "./problem.ts";

/** Where secrets live: the environment, and files of the project. */
export interface SecretPlace {
  /** Absolute path of the project's folder. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The unexpanded input of a field with every `${env:…}` and `${file:…}` replaced; all that is missing is reported at once. */
export async function expandSecrets(source: Json, { root, env }: SecretPlace): Promise<Json> {
  const files = await readFiles(diskWorkspace(root), [JSON.stringify(source)]);
  const scope = { env, files, variable: () => undefined, variableNames: [], unsetEnv: "error" as const };
  const missing: Problem[] = [];
  const expand = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(expand);
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
    if (typeof value !== "string") return value;
    const expanded = expandText(value, scope);
    missing.push(...expanded.problems.map(({ code, summary, detail }) => problem(code, summary, detail)));
    return expanded.value as Json;
  };
  const result = expand(source);
  if (missing.length > 0) throw new Problem(missing.flatMap(({ diagnostics }) => diagnostics));
  return result;
}
