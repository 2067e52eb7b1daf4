import type { Diagnostic } from "../../model/diagnostic.ts";
import { redactDiagnostic } from "../../model/diagnostic.ts";
import type { ObjectGraph } from "../../model/graph/object-graph.ts";
import type { Json } from "../../model/json.ts";
import type { Redact } from "../../model/redact.ts";
import { redactSecrets, secretHolders } from "../../project/known-secrets.ts";
import type { PlanOutcome } from "../../project/plan-opened.ts";

/** JSON with the texts in it redacted. */
export function redactedJson(value: Json, redact: Redact): Json {
  const text = JSON.stringify(value);
  if (redact(text) === text) return value;
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
