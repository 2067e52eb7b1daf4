declare const expression: unique symbol;

/** Text that is replaced when the project is read: a file's text, an environment variable, a variable. */
export type Expression = string & { readonly [expression]: true };

/** The text or bytes of a file, by its path relative to the project folder. */
export function file(path: string): Expression {
  return `\${file:${path}}` as Expression;
}

/** An environment variable; its value is sensitive wherever it is used. */
export function env(name: string): Expression {
  return `\${env:${name}}` as Expression;
}

/** A variable of the project, with its type. */
export function variable(name: string): Expression {
  return `\${var:${name}}` as Expression;
}
