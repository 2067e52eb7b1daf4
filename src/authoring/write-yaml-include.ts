import { isMap, isSeq, parseDocument, Scalar, type YAMLMap, YAMLSeq } from "yaml";
import { unlessThrown } from "../model/diagnostic.ts";
import { isObject, sameJson, valueAt, withValueAt } from "../model/json.ts";
import { addPair } from "../yaml/edit-yaml-map.ts";
import { editPair } from "../yaml/edit-yaml-value.ts";
import { parseYaml, withoutMark } from "../yaml/parse-yaml.ts";
import { ownPair, type Splice, spliced } from "../yaml/yaml-places.ts";

/**
 * The text of a main file with one more glob under `include`, every other character as it was; undefined when that
 * cannot be done without touching more.
 */
export function withInclude(
  text: string,
  pattern: string,
  /** The mapping that has it; in an environment it is extended, and not made. */
  within: readonly string[] = [],
): string | undefined {
  const plain = withoutMark(text);
  const document = parseDocument(plain, { version: "1.2" });
  const root: unknown = within.length === 0 ? document.contents : document.getIn(within, true);
  const isFile = within.length === 0;
  const splices = isMap(root) ? unlessThrown(() => addition(root, plain, { pattern, isFile })) : undefined;
  const changed = spliced(plain, splices ?? []);
  const [old, made] = [parseYaml(plain, "").value, parseYaml(changed, "").value];
  if (!isObject(old) || !isObject(made)) return undefined;
  const path = [...within, "include"];
  const include = valueAt(old, path);
  const isAdded = sameJson(made, withValueAt(old, path, [...(Array.isArray(include) ? include : []), pattern]));
  return isAdded ? text.slice(0, text.length - plain.length) + changed : undefined;
}

/** The pattern at the end of the list, which is made where a file has none; nothing for a value that is no list. */
function addition(
  root: YAMLMap,
  text: string,
  { pattern, isFile }: { readonly pattern: string; readonly isFile: boolean },
): readonly Splice[] {
  const pair = ownPair(root, "include");
  const list = pair === undefined ? Object.assign(new YAMLSeq(), { flow: true }) : pair.value;
  if (!isSeq(list) || (pair === undefined && !isFile)) return [];
  const next = list.clone() as YAMLSeq;
  next.add(Object.assign(new Scalar(pattern), { type: Scalar.QUOTE_DOUBLE }));
  if (pair === undefined) return [addPair(root, text, { name: "include", value: next, order: [] })];
  return editPair(pair, { text, old: list, next }, root.flow === true);
}
