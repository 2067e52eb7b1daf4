import { expandField } from "../config/expand-field.ts";
import { readFiles } from "../config/read-files.ts";
import type { Field } from "../model/field.ts";
import type { Json } from "../model/json.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { Problem, problem } from "./problem.ts";

/** Where secrets live: the environment, and files of the project. */
export interface SecretPlace {
  /** Absolute path of the project's folder. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The field whose input it is; what replaces a whole value takes the type that belongs there. */
  readonly field?: Field;
}

/** The unexpanded input of a field with every `${env:…}` and `${file:…}` replaced; all that is missing is reported at once. */
export async function expandSecrets(source: Json, { root, env, field }: SecretPlace): Promise<Json> {
  const files = await readFiles(diskWorkspace(root), [JSON.stringify(source)]);
  const scope = { env, files, variable: () => undefined, variableNames: [], unsetEnv: "error" as const };
  const missing: Problem[] = [];
  const { value } = expandField(field, source, {
    scope,
    report: ({ code, summary, detail }) => void missing.push(problem(code, summary, detail)),
    path: [],
  });
  if (missing.length > 0) throw new Problem(missing.flatMap(({ diagnostics }) => diagnostics));
  return value;
}
