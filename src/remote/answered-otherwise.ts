import type { JsonObject } from "../model/json.ts";
import type { AnyKind, RemoteScope, Wire } from "../model/kind.ts";
import { isMissing, UnresolvedAnswer } from "../model/service-error.ts";
import { liveHandle } from "../model/tree.ts";
import { readObject } from "./confirm-gone.ts";

/**
 * Refuses the answer to a create that is about an object which was there before, as an {@link UnresolvedAnswer}. `before` are
 * the creation times of what had the id; an id whose former object is gone may have been given again, which its own GET shows.
 */
export async function refuseFormer(
  scope: RemoteScope,
  kind: AnyKind,
  { wire, before }: { readonly wire: Wire; readonly before: readonly string[] },
): Promise<void> {
  if (before.length === 0) return;
  const { createdAt } = wire;
  if (!before.includes(String(createdAt)) && (await readAnswered(scope, kind, wire))?.["createdAt"] === createdAt)
    return;
  throw new UnresolvedAnswer(`the create was answered with ${liveHandle(kind.name, wire.id)}, which was there before`);
}

/** The object that has the id of an answer now; undefined when there is none, or its kind has no read of one. After a failed look the create remains unresolved. */
export async function readAnswered(scope: RemoteScope, kind: AnyKind, { id }: Wire): Promise<Wire | undefined> {
  return readObject(scope, kind, id).catch((problem: unknown) => {
    throw new UnresolvedAnswer(`${liveHandle(kind.name, id)} could not be read`, { cause: problem });
  });
}

/** How far two readings of one clock of the service may be apart within one write. */
const stampSlackMs = 20;

/** The object that an upsert would update, as its own GET shows it; undefined where there is none, or for other kinds. */
export async function findNamesake(
  scope: RemoteScope,
  kind: AnyKind,
  { body, parentId = 0 }: { readonly body: JsonObject; readonly parentId?: number | undefined },
): Promise<Wire | undefined> {
  return kind.remote.namesake?.({ ...scope, body, parentId }).catch((problem: unknown) => {
    if (!isMissing(problem)) throw problem;
    return undefined;
  });
}

export interface UpsertAnswer {
  readonly wire: Wire;
  /** Time since it was sent, in milliseconds. */
  readonly elapsedMs: number;
  readonly kinds: readonly AnyKind[];
  /** True of a live handle that this run created: it may be below the object by mistake. */
  readonly isOurs: (handle: string) => boolean;
}

/**
 * True of an upsert's answer about an object that somebody else made: one that is older than the request, or that has anything
 * below it. Its age is the span between its own two times, so that the two clocks need not agree.
 */
export function hasTakenOver(kind: AnyKind, { wire, elapsedMs, kinds, isOurs }: UpsertAnswer): boolean {
  const createdAt = Date.parse(String(wire["createdAt"]));
  const updatedAt = Date.parse(String(wire["updatedAt"] ?? wire["createdAt"]));
  if (updatedAt - createdAt > elapsedMs + stampSlackMs) return true;
  return kind.remote.upserts === true && !handlesBelow(kind, wire, kinds).every(isOurs);
}

/** Handles of the objects that an answer shows below its own, without inline children. */
export function handlesBelow(kind: AnyKind, wire: Wire, kinds: readonly AnyKind[]): readonly string[] {
  return kinds
    .filter(({ parent, inline }) => parent === kind.name && inline === undefined)
    .flatMap((child) => (child.remote.within?.(wire, undefined) ?? []).map(({ id }) => liveHandle(child.name, id)));
}

/**
 * Deletes the object that an upsert made because ours of that name was renamed meanwhile. False, and nothing is deleted, where it is
 * not the work of this write: created before `since` (epoch milliseconds), updated after that, or with anything below it that its own GET shows.
 */
export async function removeStray(
  scope: RemoteScope,
  kind: AnyKind,
  { wire: { id }, kinds, since }: { readonly wire: Wire; readonly kinds: readonly AnyKind[]; readonly since: number },
): Promise<boolean> {
  const place = { ...scope, id };
  const found = await kind.remote.read?.(place);
  if (found === undefined || found["createdAt"] !== found["updatedAt"]) return false;
  const fills = (child: AnyKind) => child.parent === kind.name && child.remote.within?.(found, undefined)?.length !== 0;
  if (kinds.some(fills) || Date.parse(String(found["createdAt"])) < since) return false;
  await kind.remote.remove?.({ ...place, parentId: 0 });
  return true;
}
