import { type Diagnostic, redactDiagnostic } from "../../model/diagnostic.ts";
import type { ObjectGraph } from "../../model/graph/object-graph.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Redact } from "../../model/redact.ts";
import { redactSecrets, secretHolders } from "../../project/known-secrets.ts";
import type { PlanOutcome } from "../../project/plan-opened.ts";

/** JSON with the texts in it redacted. */
export function redactedJson(value: Json, redact: Redact): Json {
  const clean = (_: string, each: unknown) => (typeof each === "string" ? redact(each) : each);
  return JSON.parse(JSON.stringify(value, clean)) as Json;
}

/** The document of a plan, of one change or of drift without secrets in values of changes and in names; addresses remain as in the files. */
export function withoutSecretValues(document: JsonObject, redact: Redact): JsonObject {
  const text = JSON.stringify(document);
  const clean = (key: string, each: Json) => (/^(?:change|fields|name)$/.test(key) ? redactedJson(each, redact) : each);
  return redact(text) === text ? document : (JSON.parse(JSON.stringify(document, clean)) as JsonObject);
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
