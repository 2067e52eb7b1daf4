import { kinds } from "../../kinds/index.ts";
import { isDeactivated } from "../../model/kind.ts";
import { isConflict, ServiceError } from "../../model/service-error.ts";
import { liveHandle } from "../../model/tree.ts";
import { type Removal, readObject, removeUntilGone } from "../../remote/confirm-gone.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { idIn, parentIdOf } from "../values/resource-type.ts";
import type { ValueMap } from "../wire/values.ts";
import { errorAt, ProviderProblem } from "./provider-problem.ts";
import { type ResourceContext, scopeOf } from "./resource-context.ts";

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
    const removal: Removal = {
      id,
      parentId: parentIdOf(resource, prior),
      inlineKind: kinds.find(({ parent, inline }) => inline && parent === kind.name),
      async mayRemove() {
        if (kind.remote.read !== undefined) return isSame((await readObject(scope, kind, id))?.["createdAt"] ?? null);
        const listed = (await context.trees.read(kind.name)).nodes.get(liveHandle(kind.name, id));
        return listed === undefined || isSame(listed.identity?.createdAt);
      },
      isListed: async () => {
        context.trees.drop();
        const node = (await context.trees.read(kind.name)).nodes.get(liveHandle(kind.name, id));
        return node !== undefined && isSame(node.identity?.createdAt) && !isDeactivated(kind, node);
      },
      sleep: context.access.sleep,
    };
    await context.writes.send(() => removeUntilGone(scope, kind, removal));
  } catch (problem) {
    throw isConflict(problem) && problem instanceof ServiceError ? inUse(resource, problem) : problem;
  } finally {
    context.trees.drop();
  }
  const handle = liveHandle(kind.name, id);
  context.known.delete(handle);
  context.deleted.add(handle);
}

/** What a refused delete means: Terraform deletes before it changes what used it, unless it is told otherwise. */
function inUse({ type, kind }: ResourceSchema, problem: ServiceError): ProviderProblem {
  const words = problem.serviceMessage ?? problem.message;
  const isDeactivated = kind.remote.deactivated !== undefined;
  const way = isDeactivated ? "Stop the agents that run in it and apply again" : waysToDelete;
  const detail = `The service says: ${words}. ${way}`;
  return new ProviderProblem([errorAt(undefined, `${type} is in use`, detail)]);
}

const waysToDelete = `Terraform deletes a resource before it changes what used it.

To remove it, apply the change of what uses it first, then all:

terraform apply -target=<address of what uses it>
terraform apply

To replace it, write this in its block, and another name where the new one is in the same place as the old one; with it there since an earlier apply, removing takes a single apply too:

lifecycle {
  create_before_destroy = true
}`;
