import { Construct } from "constructs";
import { keyPattern } from "../model/address.ts";
import { DeclarationError } from "../model/diagnostic.ts";
import type { AnyKind, KindPlace } from "../model/kind.ts";

/** Tells the constructs of objects: a library of a program may come with its own copy of loadform, so their class does not tell. */
const mark = Symbol.for("loadform.KindConstruct");

/** True for a construct that declares an object of the service. */
export function isKindConstruct(value: unknown): value is KindConstruct {
  return Construct.isConstruct(value) && mark in value;
}

/** A construct that declares one object of the service; its node id is `<kind>.<key>`, so kinds may share keys. */
export class KindConstruct<K extends string = string> extends Construct {
  readonly kind: K;
  readonly key: string;
  readonly props: object;
  readonly definition: AnyKind;
  /** Tells where it was made, for messages. An error spells its stack out when asked, which takes longer than making it. */
  readonly made: Error = new Error();

  constructor(scope: Construct, id: string, declaration: { readonly kind: AnyKind; readonly props: object }) {
    const { kind, props } = declaration;
    if (!keyPattern.test(id))
      throw new DeclarationError(
        `"${id}" is not usable as the id of a ${kind.name}: an id consists of letters, digits, ".", "_" and "-", and begins with a letter or digit`,
      );
    if (scope.node.tryFindChild(`${kind.name}.${id}`) !== undefined)
      throw new DeclarationError(`This is a second ${kind.name} "${id}" in the same place: rename or remove one`);
    super(scope, `${kind.name}.${id}`);
    Object.defineProperty(this, mark, { value: true });
    this.definition = kind;
    this.kind = kind.name as K;
    this.key = id;
    this.props = props;
    parentOf(this);
  }
}

/** The object above this one; groups (plain constructs) in between do not count. */
export function parentOf(construct: KindConstruct): KindConstruct | undefined {
  const above = construct.node.scopes.slice(0, -1).reverse().find(isKindConstruct);
  const { name, parent } = construct.definition;
  if (above?.kind === parent) return above;
  const wanted = parent === undefined ? "the App, or a group directly in it" : `a ${parent}`;
  const found = above === undefined ? "the App" : `${above.kind}.${above.key}`;
  throw new DeclarationError(`${name}.${construct.key} was made in ${found}; a ${name} belongs in ${wanted}`);
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
