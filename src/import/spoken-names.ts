import type { Field } from "../model/field.ts";
import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { Tree } from "../model/tree.ts";
import { nodeName } from "../model/tree.ts";

/**
 * What objects of a kind are called, by kind: by themselves and by those that refer to them by name. A key wins over a
 * name where both may stand, so no key may be what another object is called.
 */
export function spokenNames(kinds: readonly AnyKind[], live: Tree): ReadonlyMap<string, ReadonlySet<string>> {
  const spoken = new Map<string, Set<string>>(kinds.map(({ name }) => [name, new Set()]));
  const byKind = new Map(kinds.map((kind) => [kind.name, kind]));
  for (const node of live.nodes.values()) {
    if (node.parent === undefined) spoken.get(node.kind)?.add(nodeName(node));
    for (const [name, field] of Object.entries(byKind.get(node.kind)?.fields ?? {}))
      collect(field, node.fields[name], spoken);
  }
  return spoken;
}

function collect(field: Field, value: Json | undefined, spoken: ReadonlyMap<string, Set<string>>): void {
  const { reference, of, fields } = field;
  if (reference?.by === "name") spoken.get(reference.kind)?.add(spokenName(value));
  else if (of && Array.isArray(value)) for (const item of value) collect(of, item as Json, spoken);
  else if (fields && isObject(value))
    for (const [name, member] of Object.entries(fields)) collect(member, value[name], spoken);
}

/** A normal form may hold more than the name. */
function spokenName(value: Json | undefined): string {
  const name = isObject(value) ? value["name"] : value;
  return typeof name === "string" ? name : "";
}
