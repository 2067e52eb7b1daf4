import { kinds } from "../../kinds/index.ts";
import { isDeactivated } from "../../model/kind.ts";
import { isConflict, ServiceError } from "../../model/service-error.ts";
import { liveHandle } from "../../model/tree.ts";
import { readObject, removeUntilGone } from "../../remote/confirm-gone.ts";
import type { ResourceSchema } from "../../schema/terraform-resource.ts";
import { idIn, parentIdOf } from "../values/resource-type.ts";
import type { ValueMap } from "../wire/values.ts";
import { errorAt, ProviderProblem } from "./provider-problem.ts";
import type { ResourceContext } from "./resource-context.ts";
import { scopeOf } from "./resource-context.ts";

/** Deletes an object; one that is gone, or that another resource has taken over, or whose id another object has by now, needs no delete. */
export async function deleteResource(
  context: ResourceContext,
  resource: ResourceSchema,
  prior: ValueMap,
): Promise<void> {
  const id = idIn(prior["id"]);
  if (id === undefined) return;
  const { kind } = resource;
  if (context.adopted.has(liveHandle(kind.name, id))) return;
  const scope = await scopeOf(context, resource);
  const createdAt = typeof prior["created_at"] === "string" ? prior["created_at"] : undefined;
  const isSame = (found: unknown) => createdAt === undefined || found === createdAt;
  try {
    await removeUntilGone(scope, kind, {
      id,
      parentId: parentIdOf(resource, prior),
      inlineKind: kinds.find(({ parent, inline }) => inline && parent === kind.name),
      mayRemove: async () =>
        kind.remote.read === undefined || isSame((await readObject(scope, kind, id))?.["createdAt"] ?? null),
      isListed: async () => {
        context.trees.drop();
        const node = (await context.trees.read(kind.name)).nodes.get(liveHandle(kind.name, id));
        return node !== undefined && isSame(node.identity?.createdAt) && !isDeactivated(kind, node);
      },
      sleep: context.access.sleep,
    });
  } catch (problem) {
    throw isConflict(problem) && problem instanceof ServiceError ? inUse(resource, problem) : problem;
  } finally {
    context.trees.drop();
  }
  const handle = liveHandle(kind.name, id);
  context.known.delete(handle);
  context.deleted.add(handle);
}

/** What a refused delete means to someone who replaces the object. */
function inUse({ type, kind }: ResourceSchema, problem: ServiceError): ProviderProblem {
  const words = problem.serviceMessage ?? problem.message;
  if (kind.remote.deactivated !== undefined)
    return new ProviderProblem([
      errorAt(
        undefined,
        `${type} is in use`,
        `The service says: ${words}. Stop the agents that run in it and apply again`,
      ),
    ]);
  const way = `If it is being replaced, give the new one another name and let what uses it be changed first, with this in its block:\n\nlifecycle {\n  create_before_destroy = true\n}`;
  const detail = `The service says: ${words}. Remove what refers to it first. ${way}`;
  return new ProviderProblem([errorAt(undefined, `${type} is in use`, detail)]);
}
