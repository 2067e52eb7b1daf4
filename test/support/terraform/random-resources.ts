import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import { kindsSchema } from "../../../src/terraform/kinds-schema.ts";
import { resourceType } from "../../../src/terraform-schema/names.ts";
import type { Wish } from "../random-project.ts";
import { toConfig } from "./random-config.ts";
import type { Resources } from "./terraform-project.ts";

const { resources } = kindsSchema();

/** Marks a text as an expression until all other text is escaped. */
const expression = "\u0000";

/** Wishes as the resources that a user of Terraform declares for them. */
export function toResources(wishes: readonly Wish[]): Resources {
  return Object.fromEntries(wishes.flatMap((wish) => declared(wish, undefined)));
}

function declared(wish: Wish, parent: string | undefined): readonly [string, JsonObject][] {
  const path = parent === undefined ? `${wish.kind}.${wish.key}` : `${parent}/${wish.kind}.${wish.key}`;
  const resource = resources.get(resourceType(wish.kind))!;
  const above = resource.attributes.find(({ source }) => source.is === "parent");
  const members = {
    ...toConfig(resource, wish.fields, idOf),
    ...(above && parent !== undefined && { [above.name]: idOf({ ref: parent }) }),
  };
  const own: [string, JsonObject] = [addressOf(path), escaped(members as unknown as Json) as JsonObject];
  return [own, ...wish.below.flatMap((child) => declared(child, path))];
}

function idOf(reference: Json): string {
  if (isObject(reference) && typeof reference["id"] === "number") return String(reference["id"]);
  return `${expression}\${${addressOf(String(isObject(reference) ? reference["ref"] : reference))}.id}`;
}

/** The address of an object in a project as one of Terraform: its keys and those above it. */
function addressOf(path: string): string {
  const steps = path.split("/").map((step) => step.split("."));
  return `${resourceType(steps.at(-1)?.[0] ?? "")}.${steps.map(([, key]) => key).join("_")}`;
}

function escaped(value: Json): Json {
  if (typeof value === "string") return value.startsWith(expression) ? value.slice(1) : literal(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escaped(member)]));
}

/** As documents in JSON write what is no template. */
function literal(text: string): string {
  return text.replaceAll("${", () => "$${").replaceAll("%{", () => "%%{");
}
