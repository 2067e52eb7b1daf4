import type { ShapeName, shapes } from "./shapes.ts";

/** A JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * A field is described by a word: `string` `int` `number` `boolean` `time` (ISO text) `epoch` (epoch milliseconds or ISO
 * text, on input) `json` (anything) `binary` (bytes) `text` (a plain text answer) `none` (no body), a closed
 * enumeration `A|B|C`, or `@name` for an object of `shapes`; then `[]` for a list, `!` for required, `=value` for a default.
 */
export type Descriptor = string;

/** Fields by name. */
export type Fields = Readonly<Record<string, Descriptor>>;

interface Scalars {
  readonly string: string;
  readonly int: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly time: string;
  readonly epoch: number | string;
  readonly json: JsonValue;
  readonly binary: Uint8Array;
  readonly text: string;
  readonly none: undefined;
}

type Bare<D extends string> = D extends `${infer B}=${string}` ? Bare<B> : D extends `${infer B}!` ? B : D;

type Word<D extends string> = D extends `${infer E}[]`
  ? readonly Word<E>[]
  : D extends keyof Scalars
    ? Scalars[D]
    : D extends `@${infer N extends ShapeName}`
      ? Wire<N>
      : Choice<D>;

type Choice<D extends string> = D extends `${infer A}|${infer B}` ? A | Choice<B> : D;

/** The type of a value so described. */
export type ValueOf<D extends string> = Word<Bare<D>>;

type RequiredKeys<F> = { [K in keyof F]: F[K] extends `${string}!` ? K : never }[keyof F];

/** Fields of an answer: all optional but those that identify an object, for the service is not trusted. */
export type AnswerFields<F> = {
  readonly [K in RequiredKeys<F>]: F[K] extends string ? ValueOf<F[K]> : never;
} & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: F[K] extends string ? ValueOf<F[K]> | null : never;
};

/** Fields of a request body: `null` clears any of them. */
export type BodyFields<F> = {
  readonly [K in RequiredKeys<F>]: F[K] extends string ? ValueOf<F[K]> | null : never;
} & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: F[K] extends string ? ValueOf<F[K]> | null : never;
};

/** Query parameters: none has to be null. */
export type QueryFields<F> = {
  readonly [K in RequiredKeys<F>]: F[K] extends string ? ValueOf<F[K]> : never;
} & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: F[K] extends string ? ValueOf<F[K]> : never;
};

/** An object as it travels on the wire. */
export type Wire<N extends ShapeName> = AnswerFields<(typeof shapes)[N]>;
