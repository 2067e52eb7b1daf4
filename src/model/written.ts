/** A value as a project's files will have it, whatever language they are written in. Texts are plain: writers escape them. */
export type Written =
  | { readonly is: "plain"; readonly value: string | number | boolean | null }
  | { readonly is: "list"; readonly items: readonly Written[] }
  | { readonly is: "map"; readonly members: readonly WrittenMember[] }
  /** An object of the project. */
  | { readonly is: "reference"; readonly address: string }
  /** A text or file of the project; the path is relative to the project folder. */
  | { readonly is: "file"; readonly path: string }
  /** A value of the environment. */
  | { readonly is: "environment"; readonly name: string };

/** One member of a mapping, with remarks for the reader. */
export interface WrittenMember {
  readonly name: string;
  readonly value: Written;
  readonly note?: string;
}

/** An object as a project's files will have it. */
export interface WrittenObject {
  readonly kind: string;
  readonly key: string;
  readonly address: string;
  /** Address of the parent. */
  readonly parent?: string;
  readonly members: readonly WrittenMember[];
  /** Fields that the service has a value of and the files do not manage. */
  readonly unmanaged?: readonly string[];
  /** Remarks for the reader of the file, a line each. */
  readonly notes: readonly string[];
  readonly children: readonly WrittenObject[];
}

/** A scalar as it is. */
export function writtenPlain(value: string | number | boolean | null): Written {
  return { is: "plain", value };
}

/** Text that a project's file expands to this one. */
export function escaped(text: string): string {
  return text.replaceAll("${", "$$$${");
}
