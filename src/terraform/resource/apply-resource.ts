import { liveHandle } from "../../model/tree.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { ApplyRequest, ProviderDiagnostic, ResourceState } from "../provider-session.ts";
import { privateAfterUpdate } from "../values/maybe-secret.ts";
import { mergeState } from "../values/merge-state.ts";
import { readPrivate } from "../values/private-state.ts";
import { attributesOf, idIn } from "../values/resource-type.ts";
import type { Value } from "../wire/values.ts";
import { bindByUse, unbindByUse } from "./bind-tag.ts";
import { createResource, desiredNew } from "./create-resource.ts";
import { deleteResource } from "./delete-resource.ts";
import { explainWrite } from "./provider-problem.ts";
import type { ResourceContext } from "./resource-context.ts";
import { plannedUpdate, updateResource } from "./update-resource.ts";
import { readNow, type WriteRequest } from "./write-request.ts";
import { createSchedule, deleteSchedule, updateSchedule } from "./write-schedule.ts";

/** Carries out a plan. The answer is what exists then, after a failure too. */
export async function applyResource(
  context: ResourceContext,
  resource: ResourceSchema,
  { prior, planned, config, plannedPrivate }: ApplyRequest,
): Promise<ResourceState> {
  const request: WriteRequest = {
    resource,
    prior: attributesOf(prior),
    planned: attributesOf(planned),
    config: attributesOf(config),
    private: plannedPrivate,
  };
  if (planned === null) return remove(context, request, prior);
  return prior === null ? create(context, request) : update(context, request);
}

async function create(context: ResourceContext, request: WriteRequest): Promise<ResourceState> {
  const { resource } = request;
  const desired = desiredNew(request);
  try {
    if (resource.kind.createdByUse) return await bindNew(context, request);
    if (resource.kind.inline) return await createSchedule(context, request, desired);
    return await createResource(context, request, desired);
  } catch (problem) {
    return { ...nothing(request), diagnostics: explainWrite(problem, request.resource) };
  }
}

/** Binds what its use has created; another resource that had it under another address lets it go. */
async function bindNew(context: ResourceContext, request: WriteRequest): Promise<ResourceState> {
  const { resource, planned } = request;
  const bound = await bindByUse(context, resource, planned);
  const id = idIn(attributesOf(bound?.state ?? null)["id"]);
  if (id !== undefined) context.adopted.add(liveHandle(resource.kind.name, id));
  return bound ?? nothing(request);
}

function nothing(request: WriteRequest): ResourceState {
  return { state: null, private: request.private, diagnostics: [] };
}

async function update(context: ResourceContext, request: WriteRequest): Promise<ResourceState> {
  const { resource, planned } = request;
  const change = plannedUpdate(request);
  try {
    if (resource.kind.createdByUse) return (await bindByUse(context, resource, planned)) ?? nothing(request);
    const result = resource.kind.inline
      ? await updateSchedule(context, request, change.now)
      : await updateResource(context, request, change);
    const kept = privateAfterUpdate(resource, {
      before: request.private,
      after: result.private,
      config: request.config,
      written: change.fields,
    });
    return { ...result, private: kept };
  } catch (problem) {
    const state = await stateAfterFailure(context, request);
    return { state, private: request.private, diagnostics: explainWrite(problem, request.resource) };
  }
}

/** What is at the service after a failed update, as far as it can be read; else what was there before. */
async function stateAfterFailure(
  context: ResourceContext,
  { resource, prior, private: bytes }: WriteRequest,
): Promise<Value> {
  const id = idIn(prior["id"]);
  if (id === undefined || context.access.stopped.aborted) return prior;
  try {
    context.trees.drop();
    const live = await readNow(context, resource, id);
    return live === undefined ? prior : mergeState(resource, prior, live, readPrivate(bytes));
  } catch {
    return prior;
  }
}

async function remove(context: ResourceContext, request: WriteRequest, prior: Value): Promise<ResourceState> {
  try {
    const diagnostics = await removeObject(context, request);
    return { state: null, private: request.private, diagnostics };
  } catch (problem) {
    return { state: prior, private: request.private, diagnostics: explainWrite(problem, request.resource) };
  }
}

async function removeObject(context: ResourceContext, request: WriteRequest): Promise<readonly ProviderDiagnostic[]> {
  const { resource, prior } = request;
  if (resource.kind.createdByUse) return unbindByUse(context, resource, prior);
  await (resource.kind.inline ? deleteSchedule(context, request) : deleteResource(context, resource, prior));
  return [];
}
