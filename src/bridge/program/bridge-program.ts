import { childAddress } from "../../model/address.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import { utf8Text } from "../../model/tree.ts";
import { escaped } from "../../model/written.ts";
import type { TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { type TerraformSchema, terraformSchema } from "../../terraform-schema/schema.ts";
import { type Block, blockWords, type ProgramFile, type ReportProgram, readProgram, type Site } from "./blocks.ts";
import { providerSettings } from "./provider-settings.ts";
import { type AttributeContext, readAttributes } from "./read-attributes.ts";
import { readLifecycle, withoutMeta } from "./read-lifecycle.ts";
import { readParent } from "./read-reference.ts";
import { readVariables, type VariableInput } from "./variables.ts";

/** Everything that makes a program a project. */
export interface BridgeInput extends VariableInput {
  readonly project: string;
  readonly kinds: readonly AnyKind[];
  readonly report: ReportProgram;
}

/** A program as the document of a project. */
export interface BridgedProgram {
  readonly document: JsonObject;
  /** The values that the document is loaded with. */
  readonly given: VariableInput;
  /** Bytes that are no text, by the path that `${file:…}` names in the document. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The objects in their places, for messages about them, by name of their blocks. */
  readonly objects: ReadonlyMap<string, PlacedObject>;
}

/** A Terraform program in JSON as the document that a YAML project would have; what only Terraform can do is reported. */
export function bridgeProgram(files: readonly ProgramFile[], input: BridgeInput): BridgedProgram {
  const { kinds, report, project } = input;
  const program = readProgram(files, report);
  const schema = terraformSchema(kinds);
  const variables = readVariables(program.variables, input, report);
  const bytes = new Map<string, Uint8Array>();
  const objects = placeObjects({ program, schema, variables, report });
  const context: ObjectContext = {
    ...{ program, schema, variables, report, needed: neededIn(schema) },
    keysOf: (block) => {
      const object = objects.get(block.name);
      return object && keysOf(object);
    },
    keepBytes: (data, site) => keepBytes(data, site, bytes),
  };
  for (const block of program.resources.values()) readObject(block, objects.get(block.name)?.fields ?? {}, context);
  const service = program.provider && providerSettings(program.provider, schema.provider, context);
  const document: Record<string, Json> = {
    project,
    ...(service && { service }),
    ...(Object.keys(variables.declared).length > 0 && { variables: variables.declared }),
    ...nested(objects),
  };
  return {
    document,
    given: variables.given,
    files: bytes,
    objects,
  };
}

/** An object of the program in its place. */
export interface PlacedObject {
  readonly block: Block;
  readonly resource: ResourceSchema;
  readonly parent: PlacedObject | undefined;
  /** The object as the document has it. */
  readonly fields: Record<string, Json>;
}

/** Gives every resource its place; one whose parent is not known has none, and is reported. */
function placeObjects(context: Omit<AttributeContext, "keysOf" | "keepBytes">): ReadonlyMap<string, PlacedObject> {
  const { program, schema, report } = context;
  const placed = new Map<string, PlacedObject | null>();
  const place = (block: Block): PlacedObject | undefined => {
    const known = placed.get(block.name);
    if (known !== undefined) return known ?? undefined;
    const resource = schema.resources.get(block.type);
    if (resource === undefined) report(unknownType(block, schema));
    const made = resource && placeOne(block, resource);
    placed.set(block.name, made ?? null);
    return made;
  };
  const placeOne = (block: Block, resource: ResourceSchema): PlacedObject | undefined => {
    const above = resource.kind.parent;
    if (above === undefined) return { block, resource, parent: undefined, fields: {} };
    const key = resource.attributes.find(({ source }) => source.is === "parent")?.name ?? "";
    const found = readParent(above, { raw: block.body[key] ?? null, site: { block, path: [key] } }, context);
    const parent = found && place(found);
    return parent && { block, resource, parent, fields: {} };
  };
  for (const block of program.resources.values()) place(block);
  for (const [name, object] of placed) if (object === null) placed.delete(name);
  return placed as ReadonlyMap<string, PlacedObject>;
}

/** Keys from the top down. */
function keysOf({ parent, block }: PlacedObject): readonly string[] {
  return parent === undefined ? [block.label] : [...keysOf(parent), block.label];
}

/** The address of an object in its place. */
export function placedAddress({ parent, resource, block }: PlacedObject): string {
  return childAddress(parent && placedAddress(parent), resource.kind.name, block.label);
}

/** The path of an object in the document. */
export function placedPath({ parent, resource, block }: PlacedObject): readonly string[] {
  return [...(parent === undefined ? [] : placedPath(parent)), resource.kind.plural, block.label];
}

function unknownType(block: Block, { resources }: TerraformSchema) {
  const detail = `There is no ${block.type} (${blockWords(block)}). The types are ${[...resources.keys()].join(", ")}`;
  const site = { block, path: [] };
  return { severity: "error", code: "LF1101", summary: `unknown resource type ${block.type}`, detail, site } as const;
}

interface ObjectContext extends AttributeContext {
  /** Attributes that a program needs where a file has a default, by type. */
  readonly needed: ReadonlyMap<string, readonly string[]>;
}

function neededIn({ resources }: TerraformSchema): ReadonlyMap<string, readonly string[]> {
  const needed = (attributes: readonly TerraformAttribute[]) =>
    attributes.flatMap(({ name, required, source }) =>
      required && source.is === "field" && !source.field.required ? [name] : [],
    );
  return new Map([...resources].map(([type, { attributes }]) => [type, needed(attributes)]));
}

/** Reads the fields of an object wherever it is, so that all problems are reported at once. */
function readObject(block: Block, fields: Record<string, Json>, context: ObjectContext): void {
  const resource = context.schema.resources.get(block.type);
  if (resource === undefined) return;
  const site: Site = { block, path: [] };
  const body = withoutMeta(block, context);
  for (const name of context.needed.get(block.type) ?? [])
    if ((body[name] ?? null) === null) context.report(missing(name, site));
  readAttributes(body, resource.attributes, { site, context, into: fields });
  Object.assign(fields, readLifecycle(block, resource, context));
}

function missing(name: string, site: Site) {
  const detail = `${blockWords(site.block)} needs a ${name}: unlike in YAML, there is no key that could serve as its name`;
  return { severity: "error", code: "LF1103", summary: `${name} is missing`, detail, site } as const;
}

/** Objects below their parents, in the document's collections. */
function nested(objects: ReadonlyMap<string, PlacedObject>): Readonly<Record<string, Json>> {
  const root: Record<string, Json> = {};
  for (const { block, resource, parent, fields } of objects.values()) {
    const holder = parent?.fields ?? root;
    const { plural } = resource.kind;
    holder[plural] ??= {};
    (holder[plural] as Record<string, Json>)[block.label] = fields;
  }
  return root;
}

function keepBytes(data: Uint8Array, { block, path }: Site, into: Map<string, Uint8Array>): string {
  const text = utf8Text(data);
  if (text !== undefined) return escaped(text);
  const name = `${block.name}/${path.join("/")}`;
  into.set(name, data);
  return `\${file:${name}}`;
}
