import type { Diagnostic } from "../../model/diagnostic.ts";
import { redactDiagnostic } from "../../model/diagnostic.ts";
import type { ObjectGraph } from "../../model/graph/object-graph.ts";
import type { Json } from "../../model/json.ts";
import type { Redact } from "../../model/redact.ts";
import { redactor } from "../../model/redact.ts";
import { secretsIn } from "../../model/secret-texts.ts";
import type { TreeNode } from "../../model/tree.ts";
import type { PlanOutcome } from "../../project/plan-opened.ts";

/** The bundled service's own key: no secret, and a word of messages. */
const wellKnownKey = "local";

/** The holders of secrets besides the environment. */
interface SecretHolders {
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

/** JSON with the texts in it redacted. */
export function redactedJson(value: Json, redact: Redact): Json {
  const clean = (_: string, each: unknown) => (typeof each === "string" ? redact(each) : each);
  return JSON.parse(JSON.stringify(value, clean)) as Json;
}

/** Problems without the key and without the secrets of the plan's project. */
export function withoutSecrets(
  diagnostics: readonly Diagnostic[],
  outcome: PlanOutcome | undefined,
  env: Readonly<Record<string, string | undefined>>,
): readonly Diagnostic[] {
  const redact = redactSecrets(env, secretHolders(outcome));
  return diagnostics.map((diagnostic) => redactDiagnostic(diagnostic, redact));
}

/** A graph without secrets in the names of its objects: formats spell a name in their own way, in which it is not found. */
export function redactGraph(graph: ObjectGraph, redact: Redact): ObjectGraph {
  const clean = (name: string | undefined) => (name === undefined ? {} : { name: redact(name) });
  return { ...graph, nodes: graph.nodes.map((node) => ({ ...node, ...clean(node.name) })) };
}

/** The holders of secrets in a plan's project: whole values, and their parts. */
export function secretHolders(outcome: PlanOutcome | undefined): SecretHolders {
  const project = outcome?.made?.project;
  return { secrets: project?.secrets ?? [], nodes: project?.tree.nodes.values() ?? [] };
}
