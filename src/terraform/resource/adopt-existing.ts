import type { TreeNode } from "../../model/tree.ts";
import type { ResourceState } from "../provider-session.ts";
import { type LiveObject, liveNode } from "../values/live-object.ts";
import { mergeState } from "../values/merge-state.ts";
import { valueMap } from "../wire/values.ts";
import type { DesiredObject } from "./desired-object.ts";
import { warningAt } from "./provider-problem.ts";
import type { ResourceContext } from "./resource-context.ts";
import { plannedUpdate, updateResource } from "./update-resource.ts";
import type { WriteRequest } from "./write-request.ts";

/** Binds what a killed run made, and brings it to what is planned now. */
export async function adoptExisting(
  context: ResourceContext,
  request: WriteRequest,
  { desired, existing }: { readonly desired: DesiredObject; readonly existing: TreeNode },
): Promise<ResourceState> {
  const { resource, planned } = request;
  context.known.add(existing.handle);
  context.adopted.add(existing.handle);
  const tree = await context.trees.read(resource.kind.name);
  const live: LiveObject = liveNode(existing, tree.contents);
  const prior = mergeState(resource, valueMap(resource.attributes.map(({ name }) => [name, null])), live);
  const update = plannedUpdate({ ...request, prior });
  // Secrets cannot be compared: those of the configuration are sent.
  const hidden = Object.entries(desired.fields).filter(
    ([name]) => resource.kind.fields[name]?.secret || resource.kind.fields[name]?.secretKeys,
  );
  const fields = { ...update.fields, ...Object.fromEntries(hidden) };
  const result = await updateResource(context, { ...request, prior, planned }, { ...update, now: desired, fields });
  const summary = `${resource.type} ${String(prior["id"])} was taken over`;
  const detail =
    'It was created under this name within the last hour; adopt_existing = "created_recently" binds such an object instead of making another one';
  return { ...result, diagnostics: [warningAt(undefined, summary, detail), ...result.diagnostics] };
}
