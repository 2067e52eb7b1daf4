import { DeclarationError } from "../model/diagnostic.ts";

declare const expression: unique symbol;

/** Text that is replaced when the project is read: what `file`, `env` and `variable` answer. In a document it is `${…}` text. */
export type Expression = string & { readonly [expression]: true };

/** The text or bytes of a file, by its path relative to the project folder. A missing file is a problem of validation. */
export function file(path: string): Expression {
  if (path.includes("}")) throw new DeclarationError(`file("${path}"): a path must be without "}": rename the file`);
  return `\${file:${path}}` as Expression;
}

/** An environment variable; its value is a secret wherever it is used. Validation warns while it is not set, a plan refuses it. */
export function env(name: string): Expression {
  return `\${env:${name}}` as Expression;
}

/** A variable that `variables` of the App declares, with its type: the default, or what `--var name=value` says. */
export function variable(name: string): Expression {
  return `\${var:${name}}` as Expression;
}
