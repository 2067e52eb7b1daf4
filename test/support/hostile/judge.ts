import { createHmac } from "node:crypto";
import { type Body, isBody, type Value } from "./document.ts";
import type { Expected } from "./expected.ts";
import type { Bindings, Ledger } from "./ledger.ts";
import { fieldsOf, parentOf, type Row, type Rows, rowsOf, type Shown, tagsOf, textOf } from "./rows.ts";

/** What the model compares at the end of a run. */
export interface End {
  readonly expected: ReadonlyMap<string, Expected>;
  readonly bindings: Bindings;
  readonly ledger: Ledger;
  readonly service: Shown;
}

/** Every difference between what the service and the state hold and what the documents say that they must. */
export function differences(end: End): readonly string[] {
  const { expected, bindings, ledger, service } = end;
  const rows = rowsOf(service);
  return [
    ...ledger.broken(service),
    ...[...expected.values()].flatMap((each) => differencesOf(each, end, rows)),
    ...Object.keys(bindings)
      .filter((address) => !expected.has(address))
      .map((address) => `${address} is bound and not declared`),
    ...twiceBound(bindings, ledger),
    ...strays(rows, bindings, ledger),
  ];
}

/** Two addresses with one object, or one with somebody else's. */
export function twiceBound(bindings: Bindings, { foreign }: Pick<Ledger, "foreign">): readonly string[] {
  const seen = new Map<string, string>();
  return Object.entries(bindings).flatMap(([address, { kind, id }]) => {
    const handle = `${kind}#${id}`;
    const twin = seen.get(handle);
    seen.set(handle, address);
    return [
      ...(twin === undefined ? [] : [`${address} and ${twin} are both bound to ${handle}`]),
      ...(foreign.has(handle) ? [`${address} is bound to ${handle}, which is somebody else's`] : []),
    ];
  });
}

/** Objects that nobody knows of; a region is deactivated instead of deleted. */
function strays(rows: Rows, bindings: Bindings, { foreign, unclear }: Ledger): readonly string[] {
  const bound = new Set(Object.values(bindings).map(({ kind, id }) => `${kind}#${id}`));
  return [...rows].flatMap(([handle, { kind, row }]) => {
    const isOff = kind === "region" && row["active"] === false;
    const isBelowUnclear = unclear.has(parentOf(kind, row) ?? "");
    const isHistory = kind === "execution" || kind === "recording";
    if (bound.has(handle) || foreign.has(handle) || unclear.has(handle) || isBelowUnclear || isOff || isHistory)
      return [];
    return [`${handle} is there and nobody knows of it: ${JSON.stringify(row)}`];
  });
}

function differencesOf(wanted: Expected, end: End, rows: Rows): readonly string[] {
  const { address, kind, parent } = wanted;
  const { bindings, ledger, service } = end;
  const binding = bindings[address];
  if (kind === "tag") return tagDifferences(wanted, binding?.id, service);
  if (binding === undefined) return [`${address} is not bound`];
  const handle = `${kind}#${binding.id}`;
  const found = rows.get(handle);
  if (found === undefined) return [`${address} is bound to ${handle}, which is not there`];
  const kept = ledger.kept.get(address);
  const above = parent === undefined ? undefined : bindings[parent];
  const expectedAbove = above && `${above.kind}#${above.id}`;
  return [
    ...(kept === undefined || kept === binding.id ? [] : [`${address} had id ${kept} and has ${binding.id} now`]),
    ...(parent === undefined || parentOf(kind, found.row) === expectedAbove
      ? []
      : [`${address} is below ${parentOf(kind, found.row)}; expected ${expectedAbove}`]),
    ...fieldDifferences({ wanted, end, handle, row: found.row }),
    ...secretDifferences(wanted, found.row, service),
  ];
}

function tagDifferences({ address, name = "" }: Expected, id: number | undefined, service: Shown): readonly string[] {
  const live = tagsOf(service).get(name);
  return live === id ? [] : [`${address} is bound to ${id}; the tag "${name}" has the id ${live}`];
}

interface Compared {
  readonly wanted: Expected;
  readonly end: End;
  readonly handle: string;
  readonly row: Row;
}

function fieldDifferences({ wanted, end, handle, row }: Compared): readonly string[] {
  const { bindings } = end;
  const live = fieldsOf(wanted.kind, row);
  const { address, fields, references, unset } = wanted;
  const told = (name: string, value: Value | undefined) =>
    `${address} (${handle}) ${name}: found ${textOf(live[name])}; expected ${textOf(value)}`;
  const isWrong = (name: string, value: Value | undefined) => textOf(live[name]) !== textOf(value);
  const set = Object.entries(fields).map(([name, value]) => [name, resolved(value, bindings)] as const);
  const referred = Object.entries(references).map(([name, to]) => [name, bindings[to]?.id ?? null] as const);
  const wrong = [...set, ...referred].filter(([name, value]) => isWrong(name, value));
  const strange = Object.entries(unset).filter(([name, value]) => {
    const allowed = allowedOf({ wanted, end, handle, row }, name, value);
    return !allowed.has(textOf(live[name]));
  });
  return [...wrong, ...strange].map(([name, value]) => told(name, value));
}

function resolved(value: Value, bindings: Bindings): Value {
  if (Array.isArray(value)) return value.map((each) => resolved(each, bindings));
  if (!isBody(value)) return value;
  if (typeof value["address"] === "string") return bindings[value["address"]]?.id ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(each, bindings)]));
}

/**
 * What a field that is not declared may be: what somebody else wrote into it, when it was never ours; the default, when nobody
 * wrote it; one of them when both did. Without a default it stays as it was declared last.
 */
function allowedOf({ wanted, end, handle }: Compared, name: string, standard: Value): ReadonlySet<string> {
  const { ledger } = end;
  const addresses = wanted.kind === "region" ? regionsNamed(wanted.name, ledger) : [wanted.address];
  const ever = new Set(addresses.flatMap((each) => [...(ledger.declared.get(each)?.get(name) ?? [])]));
  const theirs = ledger.written.get(handle);
  const isTheirs = theirs?.has(name) === true;
  // A Single schedule cannot be paused: a pause ends when the schedule becomes one.
  const isEnded = name === "active" && wanted.fields["scheduleType"] === "Single";
  if (isTheirs && ever.size === 0 && !isEnded) return new Set([textOf(theirs.get(name))]);
  return new Set([
    textOf(standard),
    ...(isTheirs ? [textOf(theirs.get(name)), ...ever] : []),
    ...(standard === null ? ever : []),
  ]);
}

/**
 * Under which keys a region was declared: it is never deleted but switched off, so that one that is declared anew under another
 * key is the same one, switched on again as it was.
 */
const regionsNamed = (name: string | undefined, { declared }: Pick<Ledger, "declared">) =>
  [...declared].flatMap(([address, fields]) =>
    address.startsWith("region.") && fields.get("name")?.has(textOf(name)) ? [address] : [],
  );

function secretDifferences({ address, secrets }: Expected, row: Row, service: Shown): readonly string[] {
  const { salt } = service.snapshot();
  const digest = (value: string) => createHmac("sha256", salt).update(value).digest("hex");
  const wanted = Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, digest(value)]));
  const live = (row["secrets"] ?? {}) as Body;
  return textOf(wanted) === textOf(live)
    ? []
    : [
        `${address}: the digests of ${Object.keys({ ...wanted, ...live }).join(", ")} are not those of what is declared`,
      ];
}
