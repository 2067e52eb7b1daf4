import type { Document } from "yaml";
import { parseDocument } from "yaml";
import { withoutMark } from "./parse-yaml.ts";
import type { DocumentPath } from "./place.ts";
import type { FieldWrite } from "./write-yaml-field.ts";
import { fieldEdit, removalEdit } from "./write-yaml-field.ts";
import type { Splice } from "./yaml-places.ts";
import { NotWritable, spliced } from "./yaml-places.ts";

/** One file of a project that is being changed. Its methods throw {@link NotWritable} and then change nothing. */
export interface YamlEditor {
  /**
   * Gives a field another value, every other character as it was. What the object shares with others (merge keys, aliases,
   * defaults) is overridden in the object.
   */
  readonly write: (write: FieldWrite) => void;
  /** Takes an object out, its comment and what is below it. */
  readonly remove: (path: DocumentPath) => void;
  readonly text: () => string;
}

/** More steps than an object's path has cannot be missing. */
const rounds = 20;

/** An editor of a text. Changes wait until one meets another, so that the text is parsed seldom. */
export function yamlEditor(source: string): YamlEditor {
  let text = withoutMark(source);
  const mark = source.slice(0, source.length - text.length);
  let document: Document | undefined;
  let waiting: Splice[] = [];
  const replace = (splices: readonly Splice[]) => {
    if (splices.length === 0) return;
    text = spliced(text, splices);
    document = undefined;
  };
  const settle = () => {
    replace(waiting);
    waiting = [];
  };
  const parsed = () => {
    document ??= parseDocument(text, { version: "1.2", uniqueKeys: false, prettyErrors: false });
    return document;
  };
  /** Does what can be done now; answers whether that was all. */
  const step = (write: FieldWrite): boolean => {
    if (write.next === undefined) settle();
    const edit = fieldEdit(parsed(), text, write);
    const splices = "missing" in edit ? [edit.missing] : edit.splices;
    const isFree = !splices.some((splice) => waiting.some((other) => touches(splice, other)));
    if (isFree) waiting.push(...splices);
    if (!isFree || "missing" in edit || write.next === undefined) settle();
    return isFree && !("missing" in edit);
  };
  return {
    write(write) {
      for (let round = 0; round < rounds; round++) if (step(write)) return;
      throw new NotWritable("it stands there in a way that is not understood");
    },
    remove(path) {
      settle();
      replace([removalEdit(parsed(), text, path)]);
    },
    text() {
      settle();
      return mark + text;
    },
  };
}

function touches(left: Splice, right: Splice): boolean {
  return left.from <= right.to && right.from <= left.to;
}
