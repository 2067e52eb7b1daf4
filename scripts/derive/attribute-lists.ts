import type { Json } from "../../src/model/json.ts";
import { code } from "../../src/schema/reference-table.ts";
import {
  type CtyType,
  isNested,
  type NestedType,
  type TerraformAttribute,
} from "../../src/terraform-schema/attribute.ts";

type Attributes = readonly TerraformAttribute[];

/** The attributes of a page as registries show them: required, optional, read-only, then the objects within them. */
export function attributeLists(attributes: Attributes): string {
  const lists = groups(attributes).map(([title, members]) => `### ${title}\n\n${listOf(members, "")}`);
  return [...lists, ...nestedLists(attributes, "")].join("\n\n");
}

function groups(attributes: Attributes): readonly (readonly [title: string, members: Attributes])[] {
  const required = attributes.filter((each) => each.required);
  const optional = attributes.filter((each) => each.optional);
  const read = attributes.filter((each) => !each.required && !each.optional);
  const all = [["Required", required] as const, ["Optional", optional] as const, ["Read-Only", read] as const];
  return all.filter(([, members]) => members.length > 0);
}

function listOf(attributes: Attributes, path: string): string {
  return attributes.map((each) => line(each, path)).join("\n");
}

function line(attribute: TerraformAttribute, path: string): string {
  const { name, type, sensitive, writeOnly, description } = attribute;
  const flags = [typeText(type), ...(sensitive ? ["Sensitive"] : []), ...(writeOnly ? ["Write-only"] : [])];
  const below = isNested(type) ? [`(see [below for nested schema](#${anchor(path + name)}))`] : [];
  return [`- ${code(name)} (${flags.join(", ")})`, description, ...fallbackText(attribute), ...below].join(" ");
}

/** The value of an attribute that is not set, where its description does not name it. */
function fallbackText({ optional, computed, default: fallback, source, description }: TerraformAttribute) {
  if (!optional || !computed || source.is !== "field" || description.includes("Default: ")) return [];
  if (fallback === undefined && source.field.maybeSecret) return [];
  return fallback === undefined ? ["Default: what the service chooses."] : [`Default: ${emptyText(fallback)}.`];
}

function emptyText(fallback: Json): string {
  const text = typeof fallback === "string" ? fallback : JSON.stringify(fallback);
  return text === "[]" || text === "{}" ? "none" : code(text);
}

const scalars = { string: "String", number: "Number", bool: "Boolean" } as const;
const collections = { list: "List", set: "Set", map: "Map" } as const;
const nestings = { single: "Attributes", list: "Attributes List", set: "Attributes Set" } as const;

function typeText(type: CtyType | NestedType): string {
  if (isNested(type)) return nestings[type.nesting];
  if (typeof type === "string") return scalars[type];
  const [collection, of] = type;
  return `${collections[collection]} of ${scalars[of]}`;
}

function nestedLists(attributes: Attributes, path: string): readonly string[] {
  return attributes.flatMap(({ name, type }) => {
    if (!isNested(type)) return [];
    const here = `${path}${name}.`;
    const lists = groups(type.attributes).map(([title, members]) => `${title}:\n\n${listOf(members, here)}`);
    const head = `<a id="${anchor(path + name)}"></a>\n\n### Nested Schema for ${code(path + name)}`;
    return [[head, ...lists].join("\n\n"), ...nestedLists(type.attributes, here)];
  });
}

/** The anchor that registries' own generators give to an object within an attribute. */
function anchor(path: string): string {
  return `nestedatt--${path.replaceAll(".", "--")}`;
}
