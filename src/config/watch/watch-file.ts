import type { InputOf } from "../../model/field.ts";
import type { watchFields } from "../../schema/watch-fields.ts";

/** The file in types, once its shape was checked: a null says nothing. */
export type WatchFile = Present<InputOf<typeof watchFields>>;
type Present<T> = T extends readonly (infer Item)[]
  ? readonly Present<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Present<NonNullable<T[Name]>> }
    : T;
/** A project in it. */
export type ProjectFile = WatchFile["projects"][number];
