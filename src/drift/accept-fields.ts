import { keysOfNames, type ValueContext, writeValue } from "../authoring/write-value.ts";
import { type Json, sameJson } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { spellValue } from "../model/normal-form.ts";
import type { TreeNode } from "../model/tree.ts";
import { inactiveFields } from "../model/variant.ts";
import { type Written, writtenPlain } from "../model/written.ts";
import type { DriftedField, DriftedObject } from "./find-drift.ts";

/** A field of a drifted object that is to be declared as it is at the service. */
export interface AcceptedField {
  readonly field: string;
  /** The live value in the plan's spelling; absent when it has none. */
  readonly live?: Json;
  readonly declared?: Json;
  /** It belongs to an inactive variant, so it is left out. */
  readonly foreign: boolean;
}

/** An object as it is at the service and as it is declared. */
export interface ObjectSides {
  readonly live: TreeNode | undefined;
  readonly declared: TreeNode | undefined;
  /** A new variant needs more than its fields: whatever is set at the service is accepted. */
  readonly isWide: boolean;
}

/** The fields to write so that an object is declared as it is live: its drifted ones, and those of a new variant. */
export function fieldsToAccept(
  object: DriftedObject,
  kind: AnyKind,
  { live, declared, isWide }: ObjectSides,
): readonly AcceptedField[] {
  const foreign = inactiveFields(kind.variants, live?.fields ?? {});
  const own = object.fields.map((field) => acceptedField(field, foreign));
  const names = new Set(object.fields.map(({ field }) => field));
  const turned = (kind.variants ?? []).filter(({ by }) => [by].flat().some((name) => names.has(name)));
  const unset = Object.keys(kind.fields).filter(
    (name) => declared?.fields[name] === undefined && kind.fields[name]?.content === undefined,
  );
  const owned = new Set([...turned.flatMap(({ owns }) => Object.values(owns).flat()), ...(isWide ? unset : [])]);
  const companions = [...owned]
    .filter((name) => !names.has(name))
    .flatMap((name) => companion(name, { kind, live, foreign }));
  return [...own, ...companions];
}

function acceptedField({ field, before, after, desired }: DriftedField, foreign: ReadonlySet<string>): AcceptedField {
  const declared = desired ?? before;
  return {
    field,
    ...(after === undefined ? {} : { live: after }),
    ...(declared === undefined ? {} : { declared }),
    foreign: foreign.has(field),
  };
}

/** A field that is declared or not with the variant. */
function companion(
  name: string,
  of: { readonly kind: AnyKind; readonly live: TreeNode | undefined; readonly foreign: ReadonlySet<string> },
): readonly AcceptedField[] {
  const { kind, live, foreign } = of;
  if (foreign.has(name)) return [{ field: name, foreign: true }];
  const value = live?.fields[name];
  if (value === undefined || sameJson(value, kind.fields[name]?.default)) return [];
  return [{ field: name, live: value, foreign: false }];
}

/** A value as it is written in a file. */
export function writtenValue(kind: AnyKind, name: string, value: Json | undefined, context: ValueContext): Written {
  const field = kind.fields[name];
  if (value === undefined || value === null) return writtenPlain(null);
  return writeValue(field, spellValue(field, value), { path: name, context }).value;
}

/** The spelling of values in a project: references by id where no key leads to them, names by the keys of declared objects. */
export function acceptContext(declared: Iterable<TreeNode>): ValueContext {
  return {
    reference: (_kind, id) => ({ value: { is: "map", members: [{ name: "id", value: writtenPlain(id) }] } }),
    named: keysOfNames(declared),
    secret: () => undefined,
  };
}
