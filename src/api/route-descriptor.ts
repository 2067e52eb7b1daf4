import type { Descriptor, Fields } from "./descriptors.ts";

/** One route: where it is stated, what it takes, what it answers. */
export interface RouteDescriptor {
  /** Section of the seeds ("1 Test cases"), or of our own pages for routes that the seeds do not have. */
  readonly seed: string;
  /** One line for the docs. */
  readonly summary?: string;
  /** Path parameters that are no integers, by name. */
  readonly params?: Fields;
  readonly query?: Fields;
  /** Body fields, or one descriptor for a body that is no object. */
  readonly body?: Fields | Descriptor;
  /** `@name`, `@name[]`, `none`, `text`, `binary`; an object's fields. */
  readonly answer: Fields | Descriptor;
  /** The other spellings of the path that the seeds use. */
  readonly aliases?: readonly string[];
  /** The life behind it comes with a later issue; answered 501. */
  readonly later?: true;
  /** What we settled because the seeds do not say. */
  readonly decision?: string;
  /** Any query parameter is taken. */
  readonly openQuery?: true;
  /** The body is a multipart form. */
  readonly multipart?: true;
  /** The body may be absent. */
  readonly bodyOptional?: true;
  /** Status of success when it is not 200. */
  readonly status?: 201;
  /** Answered without a key: to anyone, or to who holds a session id. */
  readonly open?: "all" | "sid";
}

/** The routes of one section, keyed "METHOD /path". */
export type RouteTable = Readonly<Record<string, RouteDescriptor>>;
