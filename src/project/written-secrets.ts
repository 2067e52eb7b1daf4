import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { isObject, valueAt } from "../model/json.ts";
import type { TreeNode } from "../model/tree.ts";
import type { PlanOutcome } from "./plan-project.ts";
import type { SavedPlan } from "./saved-plan.ts";

/** Problems with secrets that stand written out in the project: a saved plan would have to hold them to be applied. */
export function writtenSecrets({ made }: PlanOutcome, { nodes }: SavedPlan): readonly Diagnostic[] {
  return nodes.flatMap(({ handle }) => {
    const node = made?.project.tree.nodes.get(handle);
    const fields = node === undefined ? [] : writtenIn(node);
    return fields.map((field): Diagnostic => {
      const detail = `found the value of a secret in ${field}; expected \${env:…}: a saved plan holds no secrets, and is applied without the project's files. Take it from the environment, or apply without --out`;
      const place = made?.project.locate(handle, [field]);
      return {
        severity: "error",
        code: "LF1203",
        summary: `${handle}: a secret is written out`,
        detail,
        address: handle,
        ...place,
      };
    });
  });
}

/** Fields whose unexpanded input holds a sensitive value as it is. */
function writtenIn({ fields, sensitive = [], sources = {} }: TreeNode): readonly string[] {
  const found = sensitive.filter((path) => {
    const [field = ""] = path.split(".");
    const secrets = new Set(leavesOf(valueAt(fields, path.split("."))));
    return leavesOf(sources[field]).some((leaf) => secrets.has(leaf));
  });
  return [...new Set(found.map((path) => path.split(".")[0] ?? path))];
}

function leavesOf(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value.trim()];
  if (Array.isArray(value)) return value.flatMap((each: Json) => leavesOf(each));
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [];
}
