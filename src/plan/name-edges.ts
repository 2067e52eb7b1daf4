import { parentAddress } from "../model/address.ts";
import type { Draft } from "./draft.ts";
import type { LooseOperation } from "./make-operations.ts";
import { operationId } from "./make-operations.ts";

/** What the names of siblings add to the order (docs/engine.md, Moves and names). */
export interface NameEdges {
  /** `[after, before]`. */
  readonly edges: readonly (readonly [string, string])[];
  /** The same for kinds whose siblings may share a name at the service: kept unless they close a circle (docs/engine.md, Assumptions A9). */
  readonly soft: readonly (readonly [string, string])[];
  /** Detours through a temporary name, which break circles of names. */
  readonly extra: readonly LooseOperation[];
}

interface NameChange {
  readonly draft: Draft;
  readonly id: string;
  /** Name that it has now and gives up. */
  readonly frees?: string;
  /** Name that it takes. */
  readonly takes?: string;
}

/** What frees a name runs before what takes it; a circle goes through a temporary name. */
export function nameEdges(drafts: readonly Draft[], loose: readonly LooseOperation[]): NameEdges {
  const ids = new Set(loose.map(({ id }) => id));
  const changes = drafts.flatMap(nameChanges).filter(({ id }) => ids.has(id));
  const freeing = new Map(
    changes.flatMap((change) => (change.frees === undefined ? [] : [[change.frees, change] as const])),
  );
  const detours = findDetours(changes, freeing);
  const extra = detours.map(detour);
  const edgesOf = (change: NameChange): readonly (readonly [string, string])[] => {
    const before = change.takes === undefined ? undefined : freeing.get(change.takes);
    if (before === undefined || before === change) return [];
    return detours.includes(before) ? [[change.id, detourId(before)]] : [[change.id, before.id]];
  };
  const isUnique = ({ draft }: NameChange) => draft.kind.naturalKey !== undefined;
  const detoured = detours.map((change) => [change.id, detourId(change)] as const);
  return {
    edges: [...changes.filter(isUnique).flatMap(edgesOf), ...twins(changes), ...detoured],
    soft: changes.filter((change) => !isUnique(change)).flatMap(edgesOf),
    extra,
  };
}

/** Creates of one name under one parent go one after the other, so that a lost one can be told from its twin (docs/engine.md, Journal and recovery). */
function twins(changes: readonly NameChange[]): readonly (readonly [string, string])[] {
  const last = new Map<string, string>();
  const edges: (readonly [string, string])[] = [];
  for (const { id, takes, draft } of changes) {
    if (takes === undefined || draft.change.action === "update") continue;
    const before = last.get(takes);
    if (before !== undefined) edges.push([id, before]);
    last.set(takes, id);
  }
  return edges;
}

function nameChanges(draft: Draft): readonly NameChange[] {
  const { address, kind, change } = draft;
  const place = `${kind.name} ${parentAddress(address) ?? ""} `;
  const now = nameIn(draft.liveFields["name"]);
  const next = nameIn(draft.declared["name"]);
  const frees = now === undefined ? {} : { frees: place + now };
  const takes = next === undefined ? {} : { takes: place + next };
  switch (change.action) {
    case "create":
      return [{ draft, id: operationId("create", address), ...takes }];
    case "delete":
      return [{ draft, id: operationId("delete", address), ...frees }];
    case "replace":
      return [
        { draft, id: operationId("delete", address), ...frees },
        { draft, id: operationId("create", address), ...takes },
      ];
    case "update":
      return now === next || draft.send["name"] === undefined
        ? []
        : [{ draft, id: operationId("update", address), ...frees, ...takes }];
    default:
      return [];
  }
}

function nameIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** One member of every circle of renames: the first in the plan's order. */
function findDetours(changes: readonly NameChange[], freeing: ReadonlyMap<string, NameChange>): readonly NameChange[] {
  const detours: NameChange[] = [];
  const done = new Set<NameChange>();
  for (const start of changes) {
    const path = new Set<NameChange>();
    let current: NameChange | undefined = start;
    while (current?.takes !== undefined && !done.has(current) && !path.has(current)) {
      path.add(current);
      current = freeing.get(current.takes);
    }
    if (current !== undefined && path.has(current)) detours.push(current);
    for (const each of path) done.add(each);
  }
  return detours.filter(({ draft }) => draft.change.action === "update");
}

const detourId = ({ draft }: NameChange) => `rename ${draft.address}`;

function detour(change: NameChange): LooseOperation {
  const { draft } = change;
  const temporary = `${String(draft.liveFields["name"])}~${draft.live?.key ?? ""}`;
  const parent = parentAddress(draft.address);
  return {
    id: detourId(change),
    op: "update",
    address: draft.address,
    kind: draft.kind.name,
    ...(parent === undefined ? {} : { parent }),
    fields: { name: temporary.slice(-255) },
    declared: draft.declared,
    ...(draft.live?.identity && { precondition: { ...draft.live.identity, managed: {} } }),
  };
}
