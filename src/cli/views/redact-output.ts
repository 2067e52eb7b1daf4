import { Buffer } from "node:buffer";
import type { PlanOutcome } from "../../project.ts";
import type { Redact } from "../../report/redact.ts";
import { redactor, secretsIn } from "../../report/redact.ts";

/** The secrets of a plan's project: whole values, and what they were made of. */
export function secretsOf(outcome: PlanOutcome | undefined): readonly string[] {
  const project = outcome?.made?.project;
  return project ? [...project.secrets, ...secretsIn(project.tree.nodes.values())] : [];
}

/** The bundled service's own key: no secret, and a word of messages. */
const wellKnownKey = "local";

/** Takes the key, and further secrets, out of whatever is printed. */
export function redactSecrets(
  env: Readonly<Record<string, string | undefined>>,
  further: Iterable<string> = [],
): Redact {
  const key = env["LOADFORM_API_KEY"]?.trim();
  const isSecret = key !== undefined && key !== wellKnownKey;
  return redactor([...(isSecret ? [key] : []), ...further], (text) => Buffer.from(text).toString("base64"));
}
