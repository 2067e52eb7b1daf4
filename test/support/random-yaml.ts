import fc from "fast-check";
import { Document, Scalar, visit } from "yaml";
import type { Json } from "../../src/model/json.ts";

/** Decides how one thing is written: a whole number below `limit`. */
type Choose = (limit: number) => number;

/** A value as some person might have written it: any style, any order of keys, comments anywhere. */
export function randomYaml(value: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  return fc.tuple(value, fc.array(fc.nat(1_000_000), { minLength: 40, maxLength: 40 })).map(([json, picks]) => {
    let next = 0;
    const choose: Choose = (limit) => ((picks[next++ % picks.length] ?? 0) + next * 7919) % limit;
    return withLooseComments(written(json, choose), choose);
  });
}

function written(json: Json, choose: Choose): string {
  const aliasDuplicateObjects = choose(3) === 0;
  const document = new Document(json, { aliasDuplicateObjects });
  const comment = (): string => ` note ${choose(1000)}`;
  visit(document, {
    Map(_, map) {
      if (!aliasDuplicateObjects && choose(2) === 0) map.items.sort(() => choose(3) - 1);
    },
  });
  visit(document, {
    Scalar(key, node) {
      style(node, choose);
      if (choose(12) === 0) node.commentBefore = comment();
      if (key === "value" && choose(12) === 0) node.comment = comment();
      if (key === "key" && choose(8) === 0) node.spaceBefore = true;
    },
    Collection(_, node) {
      if (choose(4) === 0) node.flow = true;
      else if (choose(12) === 0) node.comment = comment();
    },
  });
  return document.toString({
    lineWidth: [0, 40, 80][choose(3)] ?? 0,
    indent: 1 + choose(4),
    indentSeq: choose(2) === 0,
  });
}

function style(node: Scalar, choose: Choose): void {
  const styles = [
    Scalar.PLAIN,
    Scalar.QUOTE_DOUBLE,
    Scalar.QUOTE_SINGLE,
    Scalar.BLOCK_FOLDED,
    Scalar.BLOCK_LITERAL,
  ] as const;
  if (typeof node.value === "string") node.type = styles[choose(styles.length)] ?? Scalar.PLAIN;
}

/** Comment lines between the others, indented anyhow; texts of several lines are left alone. */
function withLooseComments(text: string, choose: Choose): string {
  if (/["'|>]/.test(text)) return text;
  return text
    .split("\n")
    .flatMap((line) => (choose(6) === 0 ? [`${" ".repeat(choose(7))}# loose ${choose(1000)}`, line] : [line]))
    .join("\n");
}
