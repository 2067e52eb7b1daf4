import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { isObject, valueAt } from "../model/json.ts";
import type { Redact } from "../model/redact.ts";
import { redactor } from "../model/redact.ts";
import type { TreeNode } from "../model/tree.ts";

/** The bundled service's own key: no secret, and a word of messages. */
const wellKnownKey = "local";

/** Takes the key, and further secrets, out of whatever is printed. */
export function redactSecrets(
  env: Readonly<Record<string, string | undefined>>,
  further: Iterable<string> = [],
): Redact {
  const key = env["LOADFORM_API_KEY"]?.trim();
  const isSecret = key !== undefined && key !== wellKnownKey;
  return redactor([...(isSecret ? [key] : []), ...further]);
}

/** A problem without secrets: the service's own words may repeat what was sent. */
export function redactDiagnostic(diagnostic: Diagnostic, redact: Redact): Diagnostic {
  const [summary, detail] = [redact(diagnostic.summary), redact(diagnostic.detail)];
  const isClean = summary === diagnostic.summary && detail === diagnostic.detail;
  return isClean ? diagnostic : { ...diagnostic, summary, detail };
}

/** The secret values of a project: what must not be printed even when the service repeats it. */
export function secretsIn(nodes: Iterable<Pick<TreeNode, "fields" | "sensitive">>): readonly string[] {
  const found: string[] = [];
  for (const { fields, sensitive } of nodes)
    for (const path of sensitive ?? []) found.push(...textsIn(valueAt(fields, path.split("."))));
  return found;
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsIn(item));
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
