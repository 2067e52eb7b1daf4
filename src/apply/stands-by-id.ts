import type { AnyKind, RemoteScope } from "../model/kind.ts";
import type { StateResource } from "../state/state.ts";
import { isMissing } from "./operation-failed.ts";

/** Whether the very object of a binding answers to its id; false too where a kind cannot be asked for by id. */
export async function standsById(kind: AnyKind, known: StateResource, scope: RemoteScope): Promise<boolean> {
  const found = await kind.remote.read?.({ ...scope, id: known.id }).catch((problem: unknown) => {
    if (!isMissing(problem)) throw problem;
  });
  return found?.["createdAt"] === known.createdAt;
}
