import { firstFree, parseAddress } from "../../model/address.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Written, WrittenMember, WrittenObject } from "../../model/written.ts";
import { isNested, type TerraformAttribute } from "../../terraform-schema/attribute.ts";
import { resourceType, snakeCase } from "../../terraform-schema/names.ts";
import type { TerraformSchema } from "../../terraform-schema/schema.ts";
import { expression, type HclArgument, type HclBlock, type HclValue, withinQuotes } from "./text.ts";

/** Everything that objects are written in HCL with. */
export interface HclOptions {
  readonly schema: TerraformSchema;
  /** True where Terraform reads the file at a path as text without changing it. */
  readonly isText: (path: string) => boolean;
}

/** A variable that the blocks need, for a value that nobody can read. */
export interface HclVariable {
  readonly name: string;
  /** The object, and the attribute of it. */
  readonly address: string;
  readonly attribute: string;
}

export interface HclResources {
  /** The blocks of an object and of all below it, by the address of the one at the top. */
  readonly blocks: ReadonlyMap<string, readonly HclBlock[]>;
  /** `loadform_scenario.browse` by address. */
  readonly names: ReadonlyMap<string, string>;
  readonly variables: readonly HclVariable[];
}

/** Objects of a project as resources of Terraform: references by id, texts from files, secrets from write-only variables. */
export function writeResources(tops: readonly WrittenObject[], options: HclOptions): HclResources {
  const objects = tops.flatMap(withBelow);
  const names = nameResources(objects);
  const variables: HclVariable[] = [];
  const namesakes = groupBy(objects, (object) => `${object.kind} ${nameOf(object)}`);
  const writing: Writing = { ...options, names, namesakes, variables };
  const blocks = tops.map((top) => [top.address, withBelow(top).map((each) => resourceBlock(each, writing))] as const);
  return { blocks: new Map(blocks), names, variables };
}

function withBelow(object: WrittenObject): readonly WrittenObject[] {
  return [object, ...object.children.flatMap(withBelow)];
}

interface Writing extends HclOptions {
  readonly names: ReadonlyMap<string, string>;
  /** Objects by kind and name at the service. */
  readonly namesakes: ReadonlyMap<string, readonly WrittenObject[]>;
  readonly variables: HclVariable[];
}

/** A word for each resource that no other of its type has: the key, else with the keys above it. */
function nameResources(objects: readonly WrittenObject[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const { kind, address } of objects) {
    const keys = (parseAddress(address) ?? []).map(({ key }) => word(key));
    const choices = keys.map((_, above) => keys.slice(keys.length - 1 - above).join("_"));
    const usable = choices.map((label) => `${resourceType(kind)}.${/^\d/.test(label) ? "_" : ""}${label}`);
    const isTaken = (each: string) => taken.has(each);
    const name = usable.find((each) => !isTaken(each)) ?? firstFree(usable.at(-1) ?? resourceType(kind), isTaken, "_");
    taken.add(name);
    names.set(address, name);
  }
  return names;
}

/** A key as people spell names in Terraform, and as a shell takes the name of a variable. */
function word(key: string): string {
  return key.replace(/[^A-Za-z0-9_]/g, "_").toLowerCase();
}

function nameOf({ key, members }: WrittenObject): string {
  const value = members.find(({ name }) => name === "name")?.value;
  return value?.is === "plain" ? String(value.value) : key;
}

function resourceBlock(object: WrittenObject, writing: Writing): HclBlock {
  const name = writing.names.get(object.address) ?? "";
  const [type = "", label = ""] = name.split(".");
  const attributes = writing.schema.resources.get(type)?.attributes ?? [];
  const notes = [...object.notes];
  const place: Place = { object, writing, notes };
  const parent = attributes.find(({ source }) => source.is === "parent");
  const above = writing.names.get(object.parent ?? "");
  const key: HclArgument = { name: "name", value: { is: "plain", value: nameOf(object) } };
  const isNamed = attributes.some((attribute) => attribute.name === "name");
  const body = [
    ...(parent && above !== undefined ? [{ name: parent.name, value: expression(`${above}.id`) }] : []),
    ...(isNamed ? [key] : []),
    ...argumentsOf(attributes, object.members, place).filter((argument) => argument.name !== "name"),
  ];
  return { head: `resource "${type}" "${label}"`, notes, body, blocks: unmanagedBlocks(attributes, object) };
}

/** An attribute that a configuration does not have is removed, unless it is computed. */
function unmanagedBlocks(
  attributes: readonly TerraformAttribute[],
  { unmanaged = [] }: WrittenObject,
): readonly HclBlock[] {
  const ignored = attributes.filter(
    ({ source, computed, writeOnly }) =>
      source.is === "field" &&
      source.path.length === 1 &&
      unmanaged.includes(source.path[0] ?? "") &&
      !computed &&
      !writeOnly,
  );
  if (ignored.length === 0) return [];
  const items = ignored.map(({ name }) => expression(name));
  return [{ head: "lifecycle", body: [{ name: "ignore_changes", value: { is: "list", items } }] }];
}

interface Place {
  readonly object: WrittenObject;
  readonly writing: Writing;
  readonly notes: string[];
}

/** The arguments that members of an object make, in the order of the attributes. */
function argumentsOf(
  attributes: readonly TerraformAttribute[],
  members: readonly WrittenMember[],
  place: Place,
): readonly HclArgument[] {
  return attributes.flatMap((attribute): HclArgument[] => {
    const member = memberOf(attribute, members);
    if (member === undefined || (member.value.is === "plain" && member.value.value === null)) return [];
    if (!isChosen(attribute, member.value, place)) return [];
    const value = attributeValue(attribute, member.value, place);
    if (value === undefined) return [];
    const note = attribute.source.is === "field" && attribute.source.form === "id" ? member.note : undefined;
    return [{ name: attribute.name, value, ...(note !== undefined && { note }) }];
  });
}

/** The member that an attribute shows: a field, a key of one that is a map, or such a map without those keys. */
function memberOf({ source }: TerraformAttribute, members: readonly WrittenMember[]): WrittenMember | undefined {
  if (source.is !== "field") return undefined;
  const [name, key] = source.path;
  const member = members.find((each) => each.name === name);
  if (member?.value.is !== "map") return key === undefined ? member : undefined;
  if (key !== undefined) return member.value.members.find((each) => each.name === key);
  const secrets = source.field.secretKeys;
  if (secrets === undefined) return member;
  const rest = member.value.members.filter((each) => !secrets.includes(each.name));
  return rest.length === 0 ? undefined : { ...member, value: { is: "map", members: rest } };
}

/** Of the forms of one field, the one that says it: write-only for secrets, bytes where text would be changed. */
function isChosen({ source, name, ...attribute }: TerraformAttribute, value: Written, { writing }: Place): boolean {
  if (source.is !== "field") return false;
  const { field, form, path } = source;
  const isSecret = field.secret === true || (path.length > 1 && field.secretKeys !== undefined);
  if (isSecret) return value.is === "environment" ? attribute.writeOnly === true : attribute.writeOnly !== true;
  if (field.content !== "bytes") return true;
  const isText = value.is !== "file" || writing.isText(value.path);
  return form === "base64" ? !isText : isText;
}

function attributeValue(attribute: TerraformAttribute, value: Written, place: Place): HclValue | undefined {
  const { source, type, writeOnly } = attribute;
  if (source.is !== "field") return undefined;
  if (value.is === "environment") return writeOnly ? variable(attribute, place) : hidden(attribute.name, place);
  if (source.form === "id") return idOf(value, place);
  if (source.form === "json")
    return value.is === "map"
      ? call("jsonencode", plainOf(value, attribute.name, place))
      : plainOf(value, attribute.name, place);
  if (value.is === "file") {
    // Paths are relative to the module, whatever folder Terraform runs in.
    const path = expression(`"\${path.module}/${withinQuotes(value.path)}"`);
    return call(source.form === "base64" ? "filebase64" : "file", path);
  }
  if (isNested(type)) return nestedOf(type.attributes, value, place);
  if (typeof type !== "string" && type[0] !== "map") return listOf(attribute, value, place);
  return plainOf(value, attribute.name, place);
}

function call(name: string, argument: HclValue): HclValue {
  return { is: "call", name, argument };
}

function variable({ name: attribute }: TerraformAttribute, { object, writing }: Place): HclValue {
  const { variables } = writing;
  const words = `${word(object.key)}_${attribute.replace(/_wo$/, "")}`.split("_");
  // A repeated word is written once: our_cloud_access_key_id.
  const wanted = words
    .filter((each, index) => each !== words[index - 1])
    .join("_")
    .replace(/^(?=\d)/, "_");
  const name = firstFree(wanted, (word) => variables.some((each) => each.name === word), "_");
  variables.push({ name, address: object.address, attribute });
  return expression(`var.${name}`);
}

/** A value that the service does not show, where there is no write-only attribute: the state would have another one. */
function hidden(name: string, { notes }: Place): undefined {
  const [whole = "", key] = name.split(".");
  const until = key === undefined ? "" : ` until something else in ${whole} is changed: then write it, too`;
  notes.push(`${name} cannot be read back: it is omitted and remains unchanged${until}`);
  return undefined;
}

function idOf(value: Written, { writing }: Place): HclValue | undefined {
  if (value.is === "reference") return expression(`${writing.names.get(value.address) ?? value.address}.id`);
  const id = value.is === "map" ? value.members.find(({ name }) => name === "id")?.value : value;
  return id?.is === "plain" ? { is: "plain", value: String(id.value) } : undefined;
}

function nestedOf(attributes: readonly TerraformAttribute[], value: Written, place: Place): HclValue | undefined {
  if (value.is === "list")
    return { is: "list", items: value.items.flatMap((item) => nestedOf(attributes, item, place) ?? []) };
  return value.is === "map" ? { is: "object", members: argumentsOf(attributes, value.members, place) } : undefined;
}

function listOf({ source, name }: TerraformAttribute, value: Written, place: Place): HclValue {
  const items = value.is === "list" ? value.items : [value];
  const field = source.is === "field" ? source.field.of : undefined;
  const kind = field?.reference?.kind;
  return {
    is: "list",
    items: items.flatMap((item): HclValue[] => {
      const [one, other] = place.writing.namesakes.get(item.is === "plain" ? `${kind} ${item.value}` : "") ?? [];
      // Which of several of a name is meant is known from the object around the list.
      const found = one && !other ? place.writing.names.get(one.address) : undefined;
      const made = found === undefined ? plainOf(item, name, place) : expression(`${found}.name`);
      return made === undefined ? [] : [made];
    }),
  };
}

function plainOf(value: Written, name: string, place: Place): HclValue {
  switch (value.is) {
    case "plain":
      return value;
    case "list":
      return { is: "list", items: value.items.map((item) => plainOf(item, name, place)) };
    case "map":
      return {
        is: "object",
        members: value.members.flatMap((member): HclArgument[] =>
          member.value.is === "environment"
            ? (hidden(`${snakeCase(name)}.${member.name}`, place) ?? [])
            : [{ name: member.name, value: plainOf(member.value, name, place) }],
        ),
      };
    default:
      return { is: "plain", value: null };
  }
}
