import type { Body } from "./document.ts";
import { expectedOf } from "./expected.ts";
import { fieldsOf, type Row, textOf } from "./rows.ts";

/** Whether an object has the name of a declared one and says everything that is declared of it. */
export function isLookalike(document: Body, kind: string, row: Row): boolean {
  const live = fieldsOf(kind, row);
  return [...expectedOf(document).values()].some(
    (wanted) =>
      wanted.kind === kind &&
      Object.keys({ ...wanted.references, ...wanted.secrets }).length === 0 &&
      Object.entries(wanted.fields).every(([name, value]) => textOf(value) === textOf(live[name])),
  );
}
