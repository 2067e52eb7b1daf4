import { unlessThrown } from "./diagnostic.ts";
import { atFirstUse } from "./group-by.ts";
import { isObject, type Json, valueAt } from "./json.ts";
import { sensitiveText } from "./redact.ts";
import type { TreeNode } from "./tree.ts";

/** Objects, as far as they hold secrets. */
export type SecretNodes = Iterable<Pick<TreeNode, "fields" | "sensitive" | "sources" | "handle">>;

/** Texts that must not be shown anywhere: of a list that is secret as a whole neither what the files spell out nor names of objects. */
export function secretsIn(nodes: SecretNodes): readonly string[] {
  const all = [...nodes];
  const openName = ({ fields, sensitive = [] }: (typeof all)[number]) =>
    sensitive.includes("name") ? undefined : fields["name"];
  const named = atFirstUse(() => new Set(all.flatMap((node) => [node.handle, openName(node)])));
  return all.flatMap(({ fields, sensitive = [], sources = {} }) =>
    sensitive.flatMap((path) => {
      const value = valueAt(fields, path.split("."));
      if (!Array.isArray(value)) return textsIn(value);
      const written = new Set(textsIn(sources[path]));
      return textsIn(value).filter((text) => !written.has(text) && !named().has(text));
    }),
  );
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsIn(item));
  // The mark of a value that is not set has the name of a variable, which is no secret.
  return isObject(value) && !("$unset" in value) ? Object.values(value).flatMap(textsIn) : [];
}

/** A sentence that quotes values without those that are secret: whole words, however short, numbers too. */
export function withoutQuoted(sentence: string, secrets: Iterable<Json | undefined>): string {
  const words = [...secrets].flatMap(wordsIn).sort((left, right) => right.length - left.length);
  if (words.length === 0) return sentence;
  const any = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return sentence.replace(new RegExp(`(?<![\\w.+-])(?:${any})(?![\\w])`, "g"), sensitiveText);
}

function wordsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value, JSON.stringify(value).slice(1, -1)];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap((item: Json) => wordsIn(item));
  return isObject(value) ? Object.values(value).flatMap(wordsIn) : [];
}

/** The password and the values of the query in an address: what of a text may be a secret wherever it is shown. */
export function secretParts(text: string): readonly string[] {
  if (!text.includes("://") || !URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  return [password, decodedPart(password), ...searchParams.values()];
}

/** A part of an address as it is meant; one with a bare per cent sign means itself. */
export function decodedPart(text: string): string {
  return unlessThrown(() => decodeURIComponent(text)) ?? text;
}
