import { isObject } from "../model/json.ts";
import type { Operation } from "../plan/plan.ts";
import type { ApplyContext } from "./apply-context.ts";
import { encodeFields } from "./encode-fields.ts";
import { boundResource } from "./run-update.ts";

/** Sets fields that have a request of their own: pausing and resuming a schedule. */
export async function runSet(context: ApplyContext, operation: Operation): Promise<void> {
  const kind = context.kindOf(operation.kind);
  const { api, plan } = context;
  const { address, binding } = operation;
  const resource = boundResource(context, address);
  const body = encodeFields(context, { kind, address, fields: operation.fields });
  await context.session.record([]);
  await kind.remote.set?.({ api, organization: plan.target.organization, address, id: resource.id, body });
  if (binding === undefined || !isObject(binding.applied)) return;
  const next = { ...resource, ...binding };
  context.resources.set(address, next);
  await context.session.record([{ phase: "done", address, resource: next }]);
}
