import type { AnyKind, RemoteScope, Wire } from "../model/kind.ts";
import { IncompleteAnswer, isConflict, isMissing } from "../model/service-error.ts";

/** The object as its own GET shows it; undefined when the service says that there is none, or its kind has no such request. */
export async function readObject(scope: RemoteScope, kind: AnyKind, id: number): Promise<Wire | undefined> {
  try {
    return await kind.remote.read?.({ ...scope, id });
  } catch (problem) {
    if (isMissing(problem)) return undefined;
    throw problem;
  }
}

/**
 * True where the very object answers to its id, for lists may be late or cut short (docs/engine.md, Assumptions A10 and A15);
 * false too for a kind that has no read by id.
 */
export async function isThere(
  scope: RemoteScope,
  kind: AnyKind,
  of: { readonly id: number; readonly createdAt: string; readonly name?: string | undefined },
): Promise<boolean> {
  const found = await readObject(scope, kind, of.id);
  return found?.["createdAt"] === of.createdAt && (of.name === undefined || found["name"] === of.name);
}

/** An object to be deleted. */
export interface Removal {
  readonly id: number;
  readonly parentId?: number | undefined;
  readonly inlineKind?: AnyKind | undefined;
  /** Called right before each delete: false when it is gone; throws when it may not be deleted. */
  readonly mayRemove: () => Promise<boolean>;
  /** True where the service's lists show it. */
  readonly isListed: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Pauses before the looks at an object of which the service says that it is missing while its lists show it. */
const looksAfterMs = [0, 1_000, 2_000];

/**
 * Deletes an object. A 404, to the look before or to the delete, is believed once the lists do not show the object either: it may be
 * the word of a proxy that is passing. Throws {@link IncompleteAnswer} where they still do; whether a delete without an answer
 * happened is left to a look at the end.
 */
export async function removeUntilGone(scope: RemoteScope, kind: AnyKind, removal: Removal): Promise<void> {
  const { mayRemove, isListed, sleep } = removal;
  let wasTaken = false;
  for (const pauseMs of looksAfterMs) {
    if (pauseMs > 0) await sleep(pauseMs);
    const said = (await mayRemove()) ? await removeObject(scope, kind, removal) : "missing";
    if (said === "deleted" || !(await isListed())) return;
    wasTaken ||= said === "nothing";
  }
  const detail = `${kind.name} ${removal.id} is missing when it is asked for by its id, and listed, so it was not deleted`;
  if (!wasTaken) throw new IncompleteAnswer(detail);
}

/**
 * Sends a delete once, and answers what the service said of it. Where a delete does not take inline children along (assumption A8),
 * those are deleted first.
 */
async function removeObject(
  scope: RemoteScope,
  kind: AnyKind,
  { id, parentId = 0, inlineKind }: Removal,
): Promise<"deleted" | "missing" | "nothing"> {
  const clear = inlineKind?.inline?.clear;
  const remove = async () => kind.remote.remove?.({ ...scope, id, parentId });
  try {
    const answer = await remove().catch(async (problem: unknown) => {
      if (clear === undefined || !isConflict(problem)) throw problem;
      await kind.remote.update?.({ ...scope, id, parentId, body: clear, currentName: "", declared: {} });
      return remove();
    });
    return answer === undefined ? "nothing" : "deleted";
  } catch (problem) {
    if (isMissing(problem)) return "missing";
    throw problem;
  }
}
