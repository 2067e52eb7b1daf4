import type { Diagnostic } from "../model/diagnostic.ts";
import type { Redact } from "../model/redact.ts";
import { redactor } from "../model/redact.ts";
import { secretsIn } from "../model/secret-texts.ts";
import type { TreeNode } from "../model/tree.ts";

/** The bundled service's own key: no secret, and a word of messages. */
const wellKnownKey = "local";

/** What knows secrets besides the environment. */
export interface SecretHolders {
  /** Single values. */
  readonly secrets: readonly string[];
  /** Objects with sensitive fields. */
  readonly nodes: Iterable<Pick<TreeNode, "fields" | "sensitive">>;
}

/** Takes the key, and further secrets, out of whatever is printed. */
export function redactSecrets(
  env: Readonly<Record<string, string | undefined>>,
  { secrets, nodes }: SecretHolders = { secrets: [], nodes: [] },
): Redact {
  const key = env["LOADFORM_API_KEY"]?.trim();
  const isSecret = key !== undefined && key !== wellKnownKey;
  return redactor([...(isSecret ? [key] : []), ...secrets, ...secretsIn(nodes)]);
}

/** A problem without secrets: a message of the service may repeat what was sent. */
export function redactDiagnostic(diagnostic: Diagnostic, redact: Redact): Diagnostic {
  const [summary, detail] = [redact(diagnostic.summary), redact(diagnostic.detail)];
  const isClean = summary === diagnostic.summary && detail === diagnostic.detail;
  return isClean ? diagnostic : { ...diagnostic, summary, detail };
}
