import { childAddress } from "../../model/address.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import { utf8Text } from "../../model/tree.ts";
import type { ResourceSchema } from "../../schema/terraform-resource.ts";
import type { TerraformSchema } from "../../schema/terraform-schema.ts";
import { terraformSchema } from "../../schema/terraform-schema.ts";
import { escaped } from "../expand.ts";
import type { VariableInput } from "./program-variables.ts";
import { readVariables } from "./program-variables.ts";
import { providerSettings } from "./provider-settings.ts";
import type { AttributeContext } from "./read-attributes.ts";
import { readAttributes } from "./read-attributes.ts";
import { readLifecycle, reportMeta, withoutMeta } from "./read-lifecycle.ts";
import { readParent } from "./read-reference.ts";
import type { Block, ProgramFile, ReportProgram, Site } from "./terraform-program.ts";
import { blockWords, readProgram } from "./terraform-program.ts";

/** What a program is made a project of. */
export interface BridgeInput extends VariableInput {
  readonly project: string;
  readonly kinds: readonly AnyKind[];
  readonly report: ReportProgram;
}

/** A program as the document of a project. */
export interface BridgedProgram {
  readonly document: JsonObject;
  /** What the document is loaded with. */
  readonly given: VariableInput;
  /** Bytes that are no text, by the path that `${file:…}` names in the document. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The blocks of objects by path in the document, joined by `/`. */
  readonly blocks: ReadonlyMap<string, Block>;
  /** Address of the object of a block, as far as it is known. */
  readonly addressOf: (name: string) => string | undefined;
}

/** A Terraform program in JSON as the document that a YAML project would have; what only Terraform can do is reported. */
export function bridgeProgram(files: readonly ProgramFile[], input: BridgeInput): BridgedProgram {
  const { kinds, report, project } = input;
  const program = readProgram(files, report);
  const schema = terraformSchema(kinds);
  const variables = readVariables(program.variables, input, report);
  const bytes = new Map<string, Uint8Array>();
  const objects = placeObjects({ program, schema, variables, report });
  const context: AttributeContext = {
    ...{ program, schema, variables, report },
    keysOf: (block) => objects.get(block.name)?.keys,
    keepBytes: (data, site) => keepBytes(data, site, bytes),
  };
  const made = new Map([...program.resources].map(([name, block]) => [name, readObject(block, context)]));
  const service = program.provider && providerSettings(program.provider, schema.provider, context);
  const document: Record<string, Json> = {
    project,
    ...(service && { service }),
    ...(Object.keys(variables.declared).length > 0 && { variables: variables.declared }),
    ...nested(objects, made),
  };
  return {
    document,
    given: variables.given,
    files: bytes,
    blocks: new Map([...objects.values()].map((object) => [pathOf(object).join("/"), object.block])),
    addressOf: (name) => objects.get(name)?.address,
  };
}

/** An object of the program in its place. */
interface PlacedObject {
  readonly block: Block;
  readonly resource: ResourceSchema;
  readonly parent: PlacedObject | undefined;
  /** Keys from the top down. */
  readonly keys: readonly string[];
  readonly address: string;
}

/** Gives every resource its place; one whose parent is not known has none, and is reported. */
function placeObjects(context: Omit<AttributeContext, "keysOf" | "keepBytes">): ReadonlyMap<string, PlacedObject> {
  const { program, schema, report } = context;
  const placed = new Map<string, PlacedObject | undefined>();
  const place = (block: Block): PlacedObject | undefined => {
    if (placed.has(block.name)) return placed.get(block.name);
    placed.set(block.name, undefined);
    const resource = schema.resources.get(block.type);
    if (resource === undefined) report(unknownType(block, schema));
    const made = resource && placeOne(block, resource);
    placed.set(block.name, made);
    return made;
  };
  const placeOne = (block: Block, resource: ResourceSchema): PlacedObject | undefined => {
    const { name: kind, parent: above } = resource.kind;
    if (above === undefined)
      return {
        block,
        resource,
        parent: undefined,
        keys: [block.label],
        address: childAddress(undefined, kind, block.label),
      };
    const key = resource.attributes.find(({ source }) => source.is === "parent")?.name ?? "";
    const value = { raw: block.body[key] ?? null, site: { block, path: [key] } };
    const found = readParent(above, value, context);
    const parent = found && place(found);
    if (parent === undefined) return undefined;
    const keys = [...parent.keys, block.label];
    return { block, resource, parent, keys, address: childAddress(parent.address, kind, block.label) };
  };
  for (const block of program.resources.values()) place(block);
  return new Map([...placed].flatMap(([name, object]) => (object ? [[name, object]] : [])));
}

function unknownType(block: Block, { resources }: TerraformSchema) {
  const detail = `There is no ${block.type} (${blockWords(block)}). The types are ${[...resources.keys()].join(", ")}`;
  const site = { block, path: [] };
  return { severity: "error", code: "LF1101", summary: `unknown resource type ${block.type}`, detail, site } as const;
}

/** Read wherever it is, so that all problems are told at once. */
function readObject(block: Block, context: AttributeContext): JsonObject {
  const resource = context.schema.resources.get(block.type);
  if (resource === undefined) return {};
  const site: Site = { block, path: [] };
  reportMeta(block, context);
  for (const { name, required, source } of resource.attributes)
    if (required && source.is === "field" && !source.field.required && (block.body[name] ?? null) === null)
      context.report(missing(name, site));
  return {
    ...readAttributes(withoutMeta(block.body), resource.attributes, { site, context }),
    ...readLifecycle(block, resource, context),
  };
}

function missing(name: string, site: Site) {
  const detail = `${blockWords(site.block)} needs a ${name}, because Terraform gives a provider no key to take its place`;
  return { severity: "error", code: "LF1103", summary: `${name} is missing`, detail, site } as const;
}

/** Objects below their parents, in the document's collections. */
function nested(
  objects: ReadonlyMap<string, PlacedObject>,
  made: ReadonlyMap<string, JsonObject>,
): Readonly<Record<string, Json>> {
  const root: Record<string, Json> = {};
  const holders = new Map<PlacedObject | undefined, Record<string, Json>>([[undefined, root]]);
  for (const object of objects.values()) holders.set(object, { ...made.get(object.block.name) });
  for (const object of objects.values()) {
    const holder = holders.get(object.parent) ?? root;
    const { plural } = object.resource.kind;
    holder[plural] ??= {};
    (holder[plural] as Record<string, Json>)[object.block.label] = holders.get(object) ?? {};
  }
  return root;
}

function pathOf({ parent, resource, block }: PlacedObject): readonly string[] {
  return [...(parent === undefined ? [] : pathOf(parent)), resource.kind.plural, block.label];
}

function keepBytes(data: Uint8Array, { block, path }: Site, into: Map<string, Uint8Array>): string {
  const text = utf8Text(data);
  if (text !== undefined) return escaped(text);
  const name = `${block.name}/${path.join("/")}`;
  into.set(name, data);
  return `\${file:${name}}`;
}
