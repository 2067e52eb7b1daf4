import type { Api } from "../api/routes.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import type { Json, JsonObject } from "./json.ts";
import type { TreeNode } from "./tree.ts";

/** An object as the service answered it. */
export type Wire = JsonObject & { readonly id: number };

/** A set of fields of which only those of the active variant count (docs/engine.md, Diff). */
export interface Variant {
  /** The field that chooses, or a pair of fields: the one that is set chooses. */
  readonly by: string | readonly [string, string];
  /** The variant without a choice. */
  readonly default?: string;
  /** Fields that belong to the variants, by variant; a field may belong to several, one in none belongs to all. */
  readonly owns: Readonly<Record<string, readonly string[]>>;
}

/** One problem that a rule found in an object's fields. */
export interface RuleFinding extends Pick<Diagnostic, "summary" | "detail" | "suggestion"> {
  /** The field, or a path into it, that the message points at; its key where the suggestion is about that. */
  readonly path: readonly (string | number)[];
}

/** A rule that the service would enforce, checked offline too. */
export interface Rule {
  /** Stated by the API documents (error) or decided by us (warning against a live service). */
  readonly origin: "documented" | "decision";
  /** Where it is stated: "1 Schedule". */
  readonly section: string;
  readonly check: (fields: JsonObject) => readonly RuleFinding[];
}

/** Fields that hold scripts, and the language they are written in. */
export interface ScriptFields {
  readonly language: "javascript" | "typescript";
  readonly names: readonly string[];
}

/** The scope of a remote call: the client, and the place it acts in. */
export interface RemoteScope {
  readonly api: Api;
  readonly organization: number;
  /** Address for diagnostics and logs. */
  readonly address: string;
}

/** A write of one object: the encoded body, and the live object where a call needs it. */
export interface RemoteWrite extends RemoteScope {
  readonly body: JsonObject;
  /** Id of the object; absent on create. */
  readonly id: number;
  /** Id of the parent; 0 for top-level kinds. */
  readonly parentId: number;
  /** Name at the service before the write. */
  readonly currentName: string;
  /** Every declared field, encoded, changed or not. */
  readonly declared: JsonObject;
}

/** The few calls of a kind. A kind without `create` cannot be created by itself. */
interface Remote {
  /** Top-level kinds: all objects of the organization. Requests that several kinds share are sent once. */
  readonly list?: (scope: RemoteScope) => Promise<readonly Wire[]>;
  /** Kinds below another: their objects within the parent's answer, or its parent's; undefined when neither contains them. */
  readonly within?: (parent: JsonObject, grandparent: JsonObject | undefined) => readonly Wire[] | undefined;
  /** Members that an answer must carry to be compared; a missing one is read by `read`. */
  readonly needs?: readonly string[];
  /** Objects that count as absent until something is bound to them. */
  readonly deactivated?: (wire: JsonObject) => boolean;
  readonly read?: (scope: RemoteScope & { readonly id: number }) => Promise<Wire>;
  /** The bytes behind a content field that the tree does not carry. */
  readonly download?: (scope: RemoteScope & { readonly id: number }) => Promise<Uint8Array>;
  /** Creating what exists already updates it, so a lost create may be sent again. */
  readonly upserts?: true;
  /** The object that a create with this body would update as things are now. */
  readonly namesake?: (
    scope: RemoteScope & { readonly body: JsonObject; readonly parentId: number },
  ) => Promise<Wire | undefined>;
  readonly create?: (write: Omit<RemoteWrite, "id" | "currentName" | "declared">) => Promise<Wire>;
  readonly update?: (write: RemoteWrite) => Promise<Wire>;
  /** Deletes the object; answers the service's own answer, undefined when it has none. */
  readonly remove?: (write: Omit<RemoteWrite, "body" | "currentName" | "declared">) => Promise<unknown>;
  /** Sets fields that have a separate request (`separateRequest`). */
  readonly set?: (write: Omit<RemoteWrite, "currentName" | "parentId" | "declared">) => Promise<void>;
}

/** A kind of object: everything the stages know about it is read from here. */
export interface Kind<F extends Readonly<Record<string, Field>> = Readonly<Record<string, Field>>> {
  /** As in addresses: `testCase`. */
  readonly name: string;
  /** As in files: `testCases`. */
  readonly plural: string;
  /** One or two sentences for editors and docs. */
  readonly description: string;
  readonly parent?: string;
  readonly fields: F;
  readonly variants?: readonly Variant[];
  readonly rules?: readonly Rule[];
  /** Settings that the service accepts and nobody means; always a warning. */
  readonly doubts?: readonly Rule["check"][];
  /**
   * Settings that the service accepts although a run needs more; of an object and those that it refers to, in normal
   * form. Always a warning.
   */
  readonly missing?: (fields: JsonObject, beside: (field: string) => JsonObject | undefined) => readonly RuleFinding[];
  /** Which of its fields hold scripts that can be read offline. */
  readonly scripts?: (fields: JsonObject) => ScriptFields | undefined;
  /** The name is unique among the service's siblings: under the same parent, or in what this field refers to. */
  readonly naturalKey?: "parent" | { readonly within: string };
  /** Written inside the parent's requests, under this member (docs/engine.md, Write routes). */
  readonly inline?: { readonly member: string; readonly clear: JsonObject };
  /** Members that say whether content that is not in the tree has changed. */
  readonly contentVersion?: readonly string[];
  /** Members of answers that only guards, reports and Terraform's computed attributes show; one may be a field too. */
  readonly facts?: Readonly<Record<string, Field>>;
  /** Created by the service with the first object that uses it: absent means pending, not to be created (docs/engine.md, Write routes). */
  readonly createdByUse?: true;
  /** Objects of this kind hold history that a delete destroys: how to count it. */
  readonly history?: (scope: RemoteScope & { readonly id: number }) => Promise<History>;
  /** The pause of such an object: this field, which has a separate request, is set to false. */
  readonly pause?: { readonly field: string; readonly applies: (live: JsonObject) => boolean };
  /** Moments at which the object acts by itself, for the plan's text and for pausing. */
  readonly nextTimes?: (
    fields: JsonObject,
    from: { readonly createdAt: number; readonly now: number },
  ) => readonly NextTime[];
  /**
   * Dotted paths of values that are write-only because of the values beside them; `referred` gives the fields of the
   * declared object that a reference field leads to.
   */
  readonly secretPaths?: (fields: JsonObject, referred: (field: string) => JsonObject | undefined) => readonly string[];
  /** Names that others may take from such an object; undefined where the service takes any. */
  readonly offers?: (wire: JsonObject) => readonly string[] | undefined;
  /** Those of them that are deactivated: they may be taken, and nothing runs there. */
  readonly deactivatedOffers?: (wire: JsonObject) => readonly string[];
  /** Names that an object takes from others, each with the reference to the object that has to offer it. */
  readonly takes?: (fields: JsonObject) => readonly Taken[];
  /** Why such an object cannot be created now (epoch milliseconds), or the named fields cannot be changed. */
  readonly beforeCreate?: (fields: JsonObject, now: number) => readonly RuleFinding[];
  /** True once the object has finished: it counts as equal to its declaration and is never sent. */
  readonly finished?: (live: JsonObject, facts: JsonObject) => boolean;
  readonly remote: Remote;
}

/** Names that an object takes from another one. */
export interface Taken {
  readonly field: string;
  readonly kind: string;
  readonly names: readonly string[];
  readonly from: Json;
}

/** The history that would be lost with an object. */
export interface History {
  /** The noun that is counted: "executions". */
  readonly what: string;
  readonly count: number;
  readonly running: number;
}

/** One moment an object acts by itself, and the window that skips it. */
export interface NextTime {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly skippedBy?: number;
}

/** Its name and that of the kind above it, as types. */
export interface KindPlace<N extends string = string, P extends string | undefined = string | undefined> {
  readonly name: N;
  readonly parent?: P;
}

/** Declares a kind; preserves the exact type of its fields for the input types, and its place for typed scopes. */
export function defineKind<
  const F extends Readonly<Record<string, Field>>,
  const N extends string,
  const P extends string | undefined = undefined,
>(kind: Kind<F> & KindPlace<N, P>): Kind<F> & KindPlace<N, P> {
  return kind;
}

/** A kind whose exact fields do not matter. */
export type AnyKind = Kind;

/** True for the name of a kind whose objects can have others below them. */
export function hasChildKinds(name: string, kinds: readonly AnyKind[]): boolean {
  return kinds.some(({ parent }) => parent === name);
}

export function kindsByName(kinds: readonly AnyKind[]): ReadonlyMap<string, AnyKind> {
  return new Map(kinds.map((kind) => [kind.name, kind]));
}

/** The kind within whose objects those of a kind are named, created and deleted: the grid of a region. One answer lists both. */
export function groundKind({ naturalKey, fields }: AnyKind): string | undefined {
  return typeof naturalKey === "object" ? fields[naturalKey.within]?.reference?.kind : undefined;
}

/** True for kinds whose objects can take another name in place, and for one that is not known. */
export function canBeRenamed(kind: AnyKind | undefined): boolean {
  return kind?.createdByUse !== true && kind?.fields["name"]?.change !== "replace";
}

/** True for an object that counts as absent until something is bound to it. */
export function isDeactivated(kind: AnyKind, { facts }: Pick<TreeNode, "facts">): boolean {
  return facts !== undefined && (kind.remote.deactivated?.(facts) ?? false);
}
