import { canonicalJson } from "../model/canonical.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { holdsSecret } from "../plan/diff-fields.ts";
import type { EmbeddedItem, EmbeddedList, Operation } from "../plan/plan.ts";
import type { CreateIntent } from "../state/journal.ts";
import type { ApplyContext } from "./apply-context.ts";
import { encodeFields } from "./encode-fields.ts";
import { traceableFields } from "./recover-create.ts";

/** The body of a unit's request: its own fields, and its embedded children as a whole list. */
export function unitBody(context: ApplyContext, operation: Operation, fields: JsonObject): JsonObject {
  const { address, embedded } = operation;
  const kind = context.kindOf(operation.kind);
  const body = encodeFields(context, { kind, address, fields });
  return embedded === undefined ? body : { ...body, ...embeddedBody(context, operation, embedded) };
}

function embeddedBody(context: ApplyContext, operation: Operation, embedded: EmbeddedList): JsonObject {
  if (embedded.items.length === 0) return operation.op === "update" ? embedded.clear : {};
  const kind = context.kindOf(embedded.kind);
  const items = embedded.items.map((item): Json => {
    const fields = encodeFields(context, { kind, address: item.address ?? operation.address, fields: item.fields });
    return item.id === undefined ? fields : { id: item.id, ...fields };
  });
  return { [embedded.member]: items };
}

/** Fields that only go out: a request carries them whenever it carries anything (docs/engine.md, Assumptions A3). */
export function writeOnlyFields(kind: AnyKind, declared: JsonObject): JsonObject {
  const isWriteOnly = (name: string) =>
    kind.fields[name]?.secret === true || kind.fields[name]?.secretKeys !== undefined;
  return Object.fromEntries(
    Object.entries(declared).filter(([name, value]) => isWriteOnly(name) && holdsSecret(value)),
  );
}

/** The intents of a request: one for the object when it makes one, one for each embedded child that it makes. */
export function intentsOf(context: ApplyContext, operation: Operation): readonly CreateIntent[] {
  if (operation.op !== "create" && operation.embedded === undefined) return [];
  const kind = context.kindOf(operation.kind);
  const own = context.resources.get(operation.address)?.id;
  const makesObject = operation.op === "create";
  const self = makesObject ? [intentOf(context, kind, operation)] : [];
  const { embedded } = operation;
  if (embedded === undefined) return self;
  const childKind = context.kindOf(embedded.kind);
  const children = embedded.items
    .filter((item) => item.address !== undefined && item.id === undefined)
    .map((item) =>
      childIntent(context, {
        kind: childKind,
        item,
        parent: operation.address,
        ...(makesObject || own === undefined ? {} : { parentId: own }),
      }),
    );
  return [...self, ...children];
}

function intentOf(context: ApplyContext, kind: AnyKind, operation: Operation): CreateIntent {
  const { parent } = operation;
  const isUnderNew = parent !== undefined && context.made.has(parent);
  // What a replaced parent is bound to before it is made anew is not the parent.
  const isMissing = isUnderNew && !context.touched.has(parent);
  const parentId = parent === undefined || isMissing ? undefined : context.resources.get(parent)?.id;
  const name = operation.declared["name"];
  const within = typeof kind.naturalKey === "object" ? operation.declared[kind.naturalKey.within] : undefined;
  return {
    address: operation.address,
    kind: kind.name,
    ...(parent === undefined ? {} : { parent }),
    ...(parentId === undefined ? {} : { parentId }),
    preIds: isUnderNew ? [] : context.idsUnder(kind, parentId),
    ...(typeof name === "string" && { name, sent: withoutName(traceableFields(kind, operation.fields)) }),
    ...(isObject(within) && { within }),
    fp: context.hash(canonicalJson(traceableFields(kind, operation.fields))),
    t: context.clock.now(),
  };
}

function withoutName({ name: _name, ...others }: JsonObject): JsonObject {
  return others;
}

function childIntent(
  context: ApplyContext,
  of: { readonly kind: AnyKind; readonly item: EmbeddedItem; readonly parent: string; readonly parentId?: number },
): CreateIntent {
  const sent = traceableFields(of.kind, of.item.fields);
  return {
    address: of.item.address ?? of.parent,
    kind: of.kind.name,
    parent: of.parent,
    ...(of.parentId === undefined ? {} : { parentId: of.parentId }),
    preIds: of.parentId === undefined ? [] : context.idsUnder(of.kind, of.parentId),
    sent,
    fp: context.hash(canonicalJson(sent)),
    t: context.clock.now(),
  };
}
