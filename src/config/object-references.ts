import type { DocumentPath } from "../model/diagnostic.ts";
import { hinted } from "../model/did-you-mean.ts";
import type { Field } from "../model/field.ts";
import { getOrMake, grouped } from "../model/group-by.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { type AnyKind, groundKind, kindsByName } from "../model/kind.ts";
import { holdsReference } from "../model/references.ts";
import type { TreeNode } from "../model/tree.ts";
import type { Report } from "./collect-problems.ts";
import { type DeclaredObject, pathOf } from "./declared-object.ts";

/** The referring object, and the objects that it can refer to. */
export interface ReferenceContext {
  readonly object: DeclaredObject;
  readonly index: ObjectIndex;
  readonly report: Report;
  /** Takes the address of an object that is referred to by name. */
  readonly depend: (address: string) => void;
  /** The nodes made so far: an object comes before those that refer to it by name. */
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** Takes the name of an object that a field refers to by its key, where the name is sensitive: it is written here too. */
  readonly secret: (field: string, name: string) => void;
  /** A reference as the module writes it that declares a test case; as it is for any other test case. */
  readonly inModule?: ((text: string, testCase: string) => string) | undefined;
}

/** Place of a reference in its object, with the mapping around it. */
interface ReferencePlace {
  readonly path: DocumentPath;
  readonly within: MappingOf | undefined;
}

/**
 * References by id become `{ ref: address }`; the name of a declared object takes the place of its key in references
 * by name, where other text is a name at the service and remains.
 */
export function resolveReferences(field: Field, value: Json, at: ReferencePlace, context: ReferenceContext): Json {
  const { of, reference, fields } = field;
  const { path, within } = at;
  if (reference) return typeof value === "string" ? resolveText(reference, value, at, context) : value;
  if (Array.isArray(value))
    return of
      ? value.map((item: Json, index) => resolveReferences(of, item, { path: [...path, index], within }, context))
      : value;
  return isObject(value) && fields ? resolveMembers({ fields, value }, path, context) : value;
}

function resolveMembers(within: MappingOf, path: DocumentPath, context: ReferenceContext): JsonObject {
  const { fields, value } = within;
  const members: Record<string, Json> = {};
  for (const name of Object.keys(value)) {
    const member = value[name] ?? null;
    const field = fields[name];
    const isReferring = field !== undefined && member !== null && holdsReference(field);
    members[name] = isReferring ? resolveReferences(field, member, { path: [...path, name], within }, context) : member;
  }
  return members;
}

function resolveText(
  reference: NonNullable<Field["reference"]>,
  text: string,
  at: ReferencePlace,
  context: ReferenceContext,
): Json {
  if (reference.by === "name") return declaredName(reference.kind, text, at, context);
  const address = context.index.addressOf(text, reference.kind, context.object);
  if (address !== undefined) return { ref: address };
  context.report(unknownReference(reference.kind, text, at, context));
  return { name: text };
}

function declaredName(
  kind: string,
  text: string,
  { path, within }: ReferencePlace,
  { object, index, depend, nodes, secret }: ReferenceContext,
): string {
  const declared = index.named(text.trim(), kind, () => within && index.groundBeside(kind, within, object));
  if (declared === undefined) return text;
  depend(declared.address);
  if (nodes.get(declared.address)?.sensitive?.includes("name")) secret(String(path[0]), declared.name);
  return declared.name;
}

function unknownReference(
  kind: string,
  resolved: string,
  { path }: Pick<ReferencePlace, "path">,
  context: ReferenceContext,
) {
  const { object, index, inModule = (each) => each } = context;
  const [testCase = ""] = keysOf(object.address).split("/", 1);
  const text = inModule(resolved, testCase);
  const among = index.candidates(kind, object, text.includes("/")).map((each) => inModule(each, testCase));
  const detail = `${text} is not the key of a declared ${kind}. To refer to an object at the service, write { id: … } or { name: … }`;
  const summary = `no ${kind} ${text} in this project`;
  const place = { path: [...pathOf(object), ...path], at: "value" } as const;
  const hint = hinted(detail, { found: text, among });
  return { severity: "error", code: "LF1301", summary, ...hint, address: object.address, place } as const;
}

interface NamedObject {
  readonly address: string;
  readonly name: string;
}

interface MappingOf {
  readonly fields: Readonly<Record<string, Field>>;
  readonly value: JsonObject;
}

/** Finds declared objects by the ways in which a user refers to them. */
export interface ObjectIndex {
  /** The address that a reference text in `from` leads to: a key beside it, or `otherCase/key`. */
  addressOf(text: string, kind: string, from: DeclaredObject): string | undefined;
  /** A declared object by key or else by name; none that is known to be within something else than this. */
  named(text: string, kind: string, within?: () => string | undefined): NamedObject | undefined;
  /** The address of what objects of a kind are within, as a mapping says that holds their names: the grid beside its regions. */
  groundBeside(kind: string, at: MappingOf, from: DeclaredObject): string | undefined;
  /** Every text that would lead to an object of the kind, for hints; `isWhole`: those beside it by all of their keys, too. */
  candidates(kind: string, from: DeclaredObject, isWhole?: boolean): readonly string[];
}

/** Indexes the declared objects; `nameOf` gives the name of one by address, with everything replaced. */
export function indexObjects(
  objects: readonly DeclaredObject[],
  kinds: readonly AnyKind[],
  nameOf: (address: string) => Json | undefined,
): ObjectIndex {
  const indexes = new Map<string, ReadonlyMap<string, DeclaredObject>>();
  const ofKind = (kind: string) => {
    const entries = () =>
      objects.flatMap((object) => (object.kind.name === kind ? [[object.address, object] as const] : []));
    return getOrMake(indexes, kind, () => new Map(entries()));
  };
  const byName = kindsByName(kinds);
  const names = new Map<string, ReadonlyMap<string, readonly NamedObject[]>>();
  const addressOf = (text: string, kind: string, from: DeclaredObject) => {
    const address = text.includes("/") ? fromRoot(text, kind, byName) : beside(text, kind, from, byName);
    return address !== undefined && ofKind(kind).has(address) ? address : undefined;
  };
  const groundBeside: ObjectIndex["groundBeside"] = (name, { fields, value }, from) => {
    const kind = byName.get(name);
    const ground = kind && groundKind(kind);
    const [, text] = Object.entries(value).find(([each]) => ground && fields[each]?.reference?.kind === ground) ?? [];
    return ground !== undefined && typeof text === "string" ? addressOf(text, ground, from) : undefined;
  };
  const groundOf = (kind: string, address: string) => {
    const object = ofKind(kind).get(address);
    return object && groundBeside(object.kind.name, { fields: object.kind.fields, value: object.input }, object);
  };
  return {
    addressOf,
    groundBeside,
    named(text, kind, within) {
      const found = getOrMake(names, kind, () => namedObjects(objects, kind, nameOf)).get(text);
      const ground = found && within?.();
      return found?.find(({ address }) => ground === undefined || (groundOf(kind, address) ?? ground) === ground);
    },
    candidates(kind, from, isWhole = false) {
      const parent = byName.get(kind)?.parent;
      const scope = parent === undefined ? undefined : ancestor(from, parent);
      return objects
        .filter((object) => object.kind.name === kind)
        .map((object) => (object.parent?.address === scope && !isWhole ? object.key : keysOf(object.address)));
    },
  };
}

/** `otherCase/browse`: keys from the top down. */
function fromRoot(text: string, kind: string, kinds: ReadonlyMap<string, AnyKind>): string | undefined {
  const steps: string[] = [];
  const keys = text.split("/");
  let current = kinds.get(kind);
  while (current) {
    steps.unshift(`${current.name}.${keys.pop()}`);
    current = current.parent === undefined ? undefined : kinds.get(current.parent);
  }
  return keys.length === 0 ? steps.join("/") : undefined;
}

/** A key under the same parent as the one who refers, or under an ancestor of that kind. */
function beside(text: string, kind: string, from: DeclaredObject, kinds: ReadonlyMap<string, AnyKind>) {
  const parent = kinds.get(kind)?.parent;
  if (parent === undefined) return `${kind}.${text}`;
  const scope = ancestor(from, parent);
  return scope === undefined ? undefined : `${scope}/${kind}.${text}`;
}

/** The address of the nearest object at or above this one that is of the kind. */
function ancestor(from: DeclaredObject, kind: string): string | undefined {
  let object: DeclaredObject | undefined = from;
  while (object !== undefined && object.kind.name !== kind) object = object.parent;
  return object?.address;
}

function keysOf(address: string): string {
  return address
    .split("/")
    .map((step) => step.slice(step.indexOf(".") + 1))
    .join("/");
}

function namedObjects(objects: readonly DeclaredObject[], kind: string, nameOf: (address: string) => Json | undefined) {
  const ofKind = objects.filter((object) => object.kind.name === kind);
  const found = ofKind.map(({ address, key }) => ({ address, key, name: String(nameOf(address) ?? key) }));
  return grouped([...found.map((one) => [one.key, one] as const), ...found.map((one) => [one.name, one] as const)]);
}
