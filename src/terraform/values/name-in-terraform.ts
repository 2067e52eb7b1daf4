import { isNested, type TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { Path, PathStep } from "../provider-session.ts";

/** A path into a kind's fields as Terraform names it: `["providers", 0, "numRegions"]` is `providers[0].num_regions`. */
export function attributePath(attributes: readonly TerraformAttribute[], path: readonly PathStep[]): Path {
  const [name, key] = path;
  const exact = attributes.find(
    ({ source }) =>
      source.is === "field" && source.path.length > 1 && source.path[0] === name && source.path[1] === key,
  );
  if (exact !== undefined) return [exact.name];
  const attribute = attributes.find(
    ({ source }) => source.is === "field" && source.path.length === 1 && source.path[0] === name,
  );
  if (attribute === undefined) return [];
  const rest = path.slice(1);
  const indexes = rest.findIndex((step) => typeof step !== "number");
  const inner = indexes < 0 ? rest : rest.slice(0, indexes);
  const below = indexes < 0 ? [] : rest.slice(indexes);
  if (!isNested(attribute.type)) return [attribute.name, ...rest];
  return [attribute.name, ...inner, ...(below.length === 0 ? [] : attributePath(attribute.type.attributes, below))];
}

/** A sentence about fields with their names as Terraform spells them. */
export function inTerraformWords(attributes: readonly TerraformAttribute[], sentence: string): string {
  let words = sentence;
  for (const [field, name] of respelledNames(attributes))
    words = words.replace(
      new RegExp(`(?<![\\w.])${field}(?!\\w)(: )?`, "g"),
      (_, colon?: string) => name + (colon === undefined ? "" : " = "),
    );
  return words;
}

/** Settings that messages name by their place in loadform.yaml, which users of Terraform do not have. */
const settings = [
  ["the variable that service.apiKey names", "api_key of the provider block"],
  ["service.url", "url of the provider block"],
] as const;

/** A sentence that names settings of the service by their place in the provider block. */
export function withProviderBlock(sentence: string): string {
  return settings.reduce((words, [project, block]) => words.replaceAll(project, block), sentence);
}

/** Only names that are spelled otherwise; words of everyday language among them would be changed where they are none. */
function respelledNames(attributes: readonly TerraformAttribute[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, source, type } of attributes) {
    if (isNested(type)) for (const [field, inner] of respelledNames(type.attributes)) names.set(field, inner);
    const field = source.is === "field" ? source.path.at(-1) : undefined;
    if (field !== undefined && /[A-Z]/.test(field) && !names.has(field)) names.set(field, name);
  }
  return names;
}
