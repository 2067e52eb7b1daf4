import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { isObject, valueAt } from "../model/json.ts";
import { kindsByName } from "../model/kind.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import type { PlanOutcome } from "./plan-project.ts";
import type { SavedPlan } from "./saved-plan.ts";

/** Problems with secrets that stand written out in the project: a saved plan would have to hold them to be applied. */
export function writtenSecrets({ made }: PlanOutcome, { nodes }: SavedPlan): readonly Diagnostic[] {
  return nodes.flatMap(({ handle }) => {
    const node = made?.project.tree.nodes.get(handle);
    const fields = node === undefined || made === undefined ? [] : writtenIn(node, made.project.tree);
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

/** Fields whose unexpanded input holds a value that is write-only as it is; what stands beside it in a list may be open. */
function writtenIn({ kind, fields, sources = {} }: TreeNode, { nodes }: Tree): readonly string[] {
  const referred = (name: string) => {
    const reference = fields[name];
    const address = isObject(reference) ? reference.ref : undefined;
    return typeof address === "string" ? nodes.get(address)?.fields : undefined;
  };
  const paths = kindsByName(kinds).get(kind)?.secretPaths?.(fields, referred) ?? [];
  const found = paths.filter((path) => {
    const [field = ""] = path.split(".");
    const secrets = new Set(leavesOf(valueAt(fields, path.split("."))));
    return leavesOf(sources[field]).some((leaf) => secrets.has(leaf));
  });
  return [...new Set(found.map((path) => path.split(".")[0] ?? path))];
}

/** The single values of an input, those of a mapping that is written as JSON text too. */
function leavesOf(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value.trim(), ...leavesOf(mappingIn(value))];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap((each: Json) => leavesOf(each));
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [];
}

function mappingIn(text: string): Json | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
