import type { Project } from "../config/load-project.ts";
import { type Redact, redactor } from "../model/redact.ts";
import { type SecretNodes, secretsIn } from "../model/secret-texts.ts";
import type { System } from "./system.ts";

/** The key of the bundled service when none is set: no secret, and a word of messages. */
export const bundledKey = "local";

interface SecretHolders {
  /** Single values. */
  readonly secrets: readonly string[];
  readonly nodes: SecretNodes;
}

/** Takes the key, and further secrets, out of whatever is told. */
export function redactSecrets(
  env: System["env"],
  { secrets, nodes }: SecretHolders = { secrets: [], nodes: [] },
): Redact {
  const key = env["LOADFORM_API_KEY"]?.trim();
  const isSecret = key !== undefined && key !== bundledKey;
  return redactor([...(isSecret ? [key] : []), ...secrets, ...secretsIn(nodes)]);
}

/** The holders of secrets in a plan's project: whole values, and their parts. */
export function secretHolders(
  outcome: { readonly made?: { readonly project: Pick<Project, "secrets" | "tree"> } | undefined } | undefined,
): SecretHolders {
  const project = outcome?.made?.project;
  return { secrets: project?.secrets ?? [], nodes: project?.tree.nodes.values() ?? [] };
}
