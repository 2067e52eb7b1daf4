/** The library that bindings are for. */
export interface BindingLibrary {
  readonly name: "cdktf" | "cdktn";
  /** The versions that they work with. */
  readonly range: string;
}

/** literal.ts of the bindings: the function for users, and the one that setters and constructors call. */
export function literalSource(literal: string, { name }: BindingLibrary): string {
  return `import './require-peer';
import { Token } from '${name}';

${literal}
/** The same for a value that an attribute is set to; one with a reference in it remains as it is. */
export function escaped<T extends string | undefined>(value: T): T {
  return typeof value !== 'string' || Token.isUnresolved(value) ? value : literal(value) as T;
}
`;
}

/** require-peer.ts of the bindings: says what to install where the library is missing. */
export function peerCheckSource({ name, range }: BindingLibrary): string {
  const found = `loadform/${name} needs the package ${name}, which is not installed.`;
  return `try {
  require.resolve('${name}');
} catch {
  throw new Error(${JSON.stringify(`${found} Run \`npm install "${name}@${range}"\` beside loadform.`)});
}
`;
}
