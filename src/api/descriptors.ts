/**
 * A field is described by a word: `string` `int` `number` `boolean` `time` (ISO text) `epoch` (epoch milliseconds or ISO
 * text, on input) `json` (anything) `binary` (bytes) `text` (a plain text answer) `none` (no body), a closed
 * enumeration `A|B|C`, or `@name` for an object of `shapes`; then `[]` for a list, `!` for required, `=value` for a default.
 */
type Descriptor = string;

type Fields = Readonly<Record<string, Descriptor>>;

/** The members of every stored object (API 1, conventions 2). */
export const stored = { id: "int!", createdAt: "time", updatedAt: "time", firstVersion: "boolean" } as const;

/** Members of an object that change without anybody's write, and of which nothing is managed. */
export interface Volatile {
  readonly members: readonly string[];
  /** Of an object with this value of this member they are managed all the same. */
  readonly unless?: { readonly member: string; readonly is: string };
}

/** One route: its place in the documents, its input, its answer. */
export interface RouteDescriptor {
  /** Part and section of the API documents ("1 Test cases"), or "own" for the routes of the bundled service itself. */
  readonly section: string;
  readonly summary?: string;
  /** Path parameters that are no integers, by name. */
  readonly params?: Fields;
  readonly query?: Fields;
  /** Body fields, or one descriptor for a body that is no object. */
  readonly body?: Fields | Descriptor;
  /** `@name`, `@name[]`, `none`, `text`, `binary`; an object's fields. */
  readonly answer: Fields | Descriptor;
  /** The other spellings of the path that the documents use. */
  readonly aliases?: readonly string[];
  /** Our decision where the documents are silent. */
  readonly decision?: string;
  /** Any query parameter is taken. */
  readonly openQuery?: true;
  readonly multipart?: true;
  /** The form has text fields too, and may come as application/x-www-form-urlencoded. */
  readonly textFields?: true;
  /** Answered as plain text too: unless the caller accepts JSON, or where the caller asks for base64. */
  readonly plainAnswer?: true;
  readonly bodyOptional?: true;
  /** Status of success when it is not 200. */
  readonly status?: 201;
  /** A GET that changes something: the step of a recording, the rows that an iterator hands out. */
  readonly effect?: true;
  /** Answered without a key: to anyone, or to who holds a session id. */
  readonly open?: "all" | "sid";
  /** The key travels as this query parameter, wherever else it is sent. */
  readonly keyQuery?: string;
  /** A POST that updates the object of the body's `name` when there is one, and else creates it. */
  readonly upsert?: Upsert;
  /** Starts a run or makes a copy, and a second arrival another one: is never sent again. */
  readonly once?: true;
}

/** Where the object of an upsert is found by its name: in a list, or in a member of the object that it is in. */
export interface Upsert {
  readonly list: string;
  readonly member?: string;
  /** Path parameters of the list, by the body field or path parameter of the upsert that has their value. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, boolean>>;
  /** Body fields that say where the object belongs; an answer does not repeat them. */
  readonly placement: readonly string[];
}

/** The routes of one section, keyed "METHOD /path". */
export type RouteTable = Readonly<Record<string, RouteDescriptor>>;
