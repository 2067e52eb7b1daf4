import { redactor } from "../../model/redact.ts";
import { liveHandle } from "../../model/tree.ts";
import { readObject } from "../../remote/confirm-gone.ts";
import type { ResourceSchema } from "../../schema/terraform-resource.ts";
import type { PrivateBytes, ProviderDiagnostic } from "../provider-session.ts";
import type { LiveObject } from "../values/live-object.ts";
import { liveAnswer, liveNode } from "../values/live-object.ts";
import type { ValueMap } from "../wire/values.ts";
import type { ResourceContext } from "./resource-context.ts";
import { scopeOf } from "./resource-context.ts";

/** A planned write of one object. */
export interface WriteRequest {
  readonly resource: ResourceSchema;
  readonly prior: ValueMap;
  readonly planned: ValueMap;
  readonly config: ValueMap;
  readonly private: PrivateBytes;
}

/** Diagnostics without the values of secrets, whatever repeats them. */
export function withoutSecrets(
  diagnostics: readonly ProviderDiagnostic[],
  secrets: readonly string[],
): readonly ProviderDiagnostic[] {
  if (secrets.length === 0) return diagnostics;
  const redact = redactor(secrets);
  return diagnostics.map((each) => ({ ...each, summary: redact(each.summary), detail: redact(each.detail) }));
}

/** The object as it is now: by its own request, or in the tree where its kind has none; undefined when it is not there. */
export async function readNow(
  context: ResourceContext,
  resource: ResourceSchema,
  id: number,
): Promise<LiveObject | undefined> {
  const { kind } = resource;
  if (kind.remote.read !== undefined) {
    const wire = await readObject(await scopeOf(context, resource), kind, id);
    return wire && liveAnswer(kind, wire);
  }
  const tree = await context.trees.read(kind.name);
  const node = tree.nodes.get(liveHandle(kind.name, id));
  return node && liveNode(node, tree.contents);
}
