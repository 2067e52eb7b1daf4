import { type Field, group, map } from "../model/field.ts";
import { getOrMake } from "../model/group-by.ts";
import { type AnyKind, hasChildKinds } from "../model/kind.ts";
import { lifecycleOf, projectFields } from "./project-fields.ts";

/** A whole project described in the language of fields: schema and checks are both read from it. */
export interface ProjectShape {
  /** loadform.yaml and included files. */
  readonly document: Field;
  /** Fields that hold a whole kind, with the name of their definition. */
  readonly names: ReadonlyMap<Field, string>;
}

type Fields = Readonly<Record<string, Field>>;

/** Shapes by their kinds: a command reads many projects of the same ones. */
const known = new WeakMap<readonly AnyKind[], ProjectShape>();

export function projectShape(kinds: readonly AnyKind[]): ProjectShape {
  return getOrMake(known, kinds, () => makeShape(kinds));
}

function makeShape(kinds: readonly AnyKind[]): ProjectShape {
  const objects = new Map<AnyKind, Field>();
  const collections = childCollections(kinds, undefined, objects);
  const project: Fields = { ...projectFields, ...collections, defaults: defaultsField(kinds) };
  const { defaultEnvironment: _default, ...patched } = project;
  const memo = new Map<Field, Field>();
  const environment = partial(group(patched, { description: "What differs in this environment." }), memo);
  const environments = map(environment, {
    description: "Environments for --env NAME: each is merged over the whole document (JSON merge patch).",
    keyed: true,
  });
  return {
    document: group({ ...project, environments }, { description: "A loadform project." }),
    names: definitionNames(objects, memo),
  };
}

/** Members that hold the objects below a kind (or at the top), by their plural. */
function childCollections(kinds: readonly AnyKind[], parent: AnyKind | undefined, done: Map<AnyKind, Field>): Fields {
  const children = kinds.filter((kind) => kind.parent === parent?.name);
  return Object.fromEntries(
    children.map((kind) => {
      const object = objectField(kinds, kind, done);
      return [kind.plural, map(object, { description: `${kind.description} By key.`, keyed: true })];
    }),
  );
}

function objectField(kinds: readonly AnyKind[], kind: AnyKind, objects: Map<AnyKind, Field>): Field {
  const children = childCollections(kinds, kind, objects);
  const field = group({ ...ownMembers(kind, kinds), ...children }, { description: kind.description });
  objects.set(kind, field);
  return field;
}

/** Fields and lifecycle of a kind. `unmanaged` makes sense where objects lie below a top-level one. */
function ownMembers(kind: AnyKind, kinds: readonly AnyKind[]): Fields {
  const { protect, ignore, unmanaged } = lifecycleOf(kind);
  return {
    ...kind.fields,
    protect,
    ignore,
    ...(kind.parent === undefined && hasChildKinds(kind.name, kinds) && { unmanaged }),
  };
}

function defaultsField(kinds: readonly AnyKind[]): Field {
  const memo = new Map<Field, Field>();
  const perKind = kinds.map((kind) => {
    const fields = group(ownMembers(kind, kinds), { description: `Fields under every ${kind.name}.` });
    return [kind.name, partial(fields, memo)] as const;
  });
  return group(Object.fromEntries(perKind), { description: "Fields under every object of a kind, by kind." });
}

/** The field with nothing required in it, as for a merge patch. */
function partial(field: Field, memo: Map<Field, Field>): Field {
  const known = memo.get(field);
  if (known) return known;
  const { of, fields } = field;
  const member = of && field.type === "map" ? partial(of, memo) : undefined;
  const members = fields && Object.entries(fields).map(([name, member]) => [name, partial(member, memo)]);
  const made: Field = {
    ...field,
    required: false,
    // Named shapes keep their identity; objects may be null by themselves when nothing in them is required.
    ...(member && { of: member.type === "object" ? member : { ...member, nullable: true } }),
    ...(members ? { fields: Object.fromEntries(members) as Fields } : {}),
  };
  memo.set(field, made);
  return made;
}

function definitionNames(objects: ReadonlyMap<AnyKind, Field>, patches: ReadonlyMap<Field, Field>) {
  const names = new Map<Field, string>();
  for (const [kind, field] of objects) {
    names.set(field, kind.name);
    const patch = patches.get(field);
    if (patch) names.set(patch, `${kind.name}.patch`);
  }
  return names;
}
