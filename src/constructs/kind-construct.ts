import { Construct, type IConstruct } from "constructs";
import { keyPattern } from "../model/address.ts";
import { DeclarationError, thrownWords } from "../model/diagnostic.ts";
import type { AnyKind, KindPlace } from "../model/kind.ts";

/** Tells the constructs of objects: a library of a program may come with its own copy of loadform, so their class does not tell. */
const mark = Symbol.for("loadform.KindConstruct");

/** What a construct declares. It is read from here: a class of a user's own may have members of the same names. */
export interface Declaration {
  readonly kind: AnyKind;
  readonly key: string;
  readonly props: object;
  /** Tells where it was made, for messages. An error spells its stack out when asked, which takes longer than making it. */
  readonly made: Error;
}

/** The declaration of a construct; undefined for one that declares no object of the service, and for all else. */
export function declarationOf(value: unknown): Declaration | undefined {
  return Construct.isConstruct(value) ? (value as { readonly [mark]?: Declaration })[mark] : undefined;
}

/** A construct that declares one object of the service; its node id is `<kind>.<key>`, so kinds may share keys. */
class KindConstruct<K extends string = string> extends Construct {
  readonly kind: K;
  readonly key: string;
  readonly props: object;

  constructor(scope: Construct, id: string, { kind, props }: Pick<Declaration, "kind" | "props">) {
    if (typeof id !== "string" || !keyPattern.test(id))
      throw new DeclarationError(
        `${typeof id === "string" ? `"${id}"` : thrownWords(id)} is not usable as the id of a ${kind.name}: an id is a text of letters, digits, ".", "_" and "-", and begins with a letter or digit`,
      );
    if (scope.node.tryFindChild(`${kind.name}.${id}`) !== undefined)
      throw new DeclarationError(`This is a second ${kind.name} "${id}" in the same place: rename or remove one`);
    super(scope, `${kind.name}.${id}`);
    this.kind = kind.name as K;
    this.key = id;
    this.props = asGiven(props) as object;
    const declaration: Declaration = { kind, key: id, props: this.props, made: new Error() };
    Object.defineProperty(this, mark, { value: declaration });
    parentOf(this, declaration);
  }
}

/** The object above this one; groups (plain constructs) in between do not count. */
export function parentOf(construct: IConstruct, { kind: { name, parent }, key }: Declaration): IConstruct | undefined {
  const above = construct.node.scopes.slice(0, -1).reverse().find(declarationOf);
  const holder = declarationOf(above);
  if (holder?.kind.name === parent) return above;
  const wanted = parent === undefined ? "the App, or a group directly in it" : `a ${parent}`;
  const found = holder === undefined ? "the App" : `${holder.kind.name}.${holder.key}`;
  throw new DeclarationError(`${name}.${key} was made in ${found}; a ${name} belongs in ${wanted}`);
}

/**
 * A copy of what a construct is given, so that nothing which the program does to a shared object or list later changes what was declared;
 * to change the copy is an error. Getters of a class count. What no document can have remains as it is, as does what leads back to itself.
 */
export function asGiven(value: unknown, within: readonly unknown[] = []): unknown {
  if (value instanceof Date) return new Date(value);
  if (Construct.isConstruct(value) || within.includes(value)) return value;
  const inside = [...within, value];
  if (Array.isArray(value)) return Object.freeze(Array.from(value, (item) => asGiven(item, inside)));
  if (!hasMembers(value)) return value;
  return Object.freeze(Object.fromEntries(memberNames(value).map((name) => [name, asGiven(value[name], inside)])));
}

/** True for an object, but for bytes and for one of a class that shows nothing, such as a Map, a Promise or a URL. */
export function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || value instanceof Date || ArrayBuffer.isView(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null || Object.keys(value).length > 0;
}

/** Names of the members of an object, those included that it has from its prototypes or as getters of its class, but for methods. */
function memberNames(value: Readonly<Record<string, unknown>>): readonly string[] {
  const names = new Set<string>();
  for (const name in value) if (Object.hasOwn(value, name) || typeof value[name] !== "function") names.add(name);
  for (let of = Object.getPrototypeOf(value); of && Object.getPrototypeOf(of); of = Object.getPrototypeOf(of))
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(of))) if (get) names.add(name);
  return [...names];
}

/** Required props must be given; a kind that requires none may be made without. */
export type PropsArgument<P> = Record<never, never> extends P ? [props?: P] : [props: P];

/** Where an object may be made: in one of the kind above its own, in the App when there is none, or in a group in there. */
export type ScopeOf<P extends string | undefined> = Construct & {
  readonly kind?: [P] extends [undefined] ? "app" : NonNullable<P>;
};

export function constructOf<P extends object, K extends KindPlace>(kind: AnyKind & K) {
  return class extends KindConstruct<K["name"]> {
    /** As they were given: expressions are text, references are constructs. */
    declare readonly props: P;
    constructor(scope: ScopeOf<K["parent"]>, id: string, ...[props]: PropsArgument<P>) {
      super(scope, id, { kind, props: props ?? {} });
    }
  };
}
