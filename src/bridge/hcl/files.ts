import { firstFree } from "../../model/address.ts";
import type { AnyKind } from "../../model/kind.ts";
import { utf8Text } from "../../model/tree.ts";
import type { WrittenObject } from "../../model/written.ts";
import type { TerraformSchema } from "../../terraform-schema/schema.ts";
import { expression, type HclArgument, type HclBlock, writeHcl } from "./text.ts";
import { type HclResources, type HclVariable, writeResources } from "./write-resources.ts";

/** The files of a Terraform configuration, and the variables to set before a plan of it. */
export interface TerraformFiles {
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly variables: readonly HclVariable[];
  /** `loadform_scenario.browse` by address. */
  readonly names: ReadonlyMap<string, string>;
}

interface ObjectsToWrite {
  readonly objects: readonly WrittenObject[];
  /** Scripts and data files by path. */
  readonly contents: ReadonlyMap<string, string | Uint8Array>;
  /** The live objects to import, by address. */
  readonly bindings: Readonly<Record<string, { readonly id: number }>>;
}

/** The settings of the configuration that is written. */
export interface TerraformSettings {
  readonly schema: TerraformSchema;
  readonly kinds: readonly AnyKind[];
  /** The service as the provider's block names it. */
  readonly service: {
    readonly url: string;
    readonly organization?: string | number;
    readonly auth: { readonly header: string } | { readonly query: string };
  };
  /** The service is not the bundled one, so that its address may be in a file. */
  readonly live: boolean;
  /** Version of loadform, which its provider has too. */
  readonly version: string;
  /** The folder has a provider block of loadform already. */
  readonly isConfigured: boolean;
}

/** A file for each object that can have children, one for all others, the provider's, and one of `import` blocks. */
export function terraformFiles(imported: ObjectsToWrite, settings: TerraformSettings): TerraformFiles {
  const { objects, contents, bindings } = imported;
  const resources = writeResources(objects, { schema: settings.schema, isText: (path) => isText(contents.get(path)) });
  const { names, variables } = resources;
  const imports = Object.entries(bindings).map(([address, { id }]) => importBlock(names.get(address) ?? address, id));
  const head = [...(settings.isConfigured ? [] : providerBlocks(settings)), ...variables.map(variableBlock)];
  const files = new Map<string, string | Uint8Array>(contents);
  if (head.length > 0) files.set("loadform.tf", writeHcl(head));
  for (const [file, blocks] of blocksByFile(imported, resources, settings.kinds)) files.set(file, writeHcl(blocks));
  files.set("imports.tf", writeHcl(imports));
  return { files, variables, names };
}

/** Text that Terraform takes as it is: it composes letters, and reads nothing but UTF-8. */
function isText(data: string | Uint8Array | undefined): boolean {
  const text = data === undefined || typeof data === "string" ? data : utf8Text(data);
  return text !== undefined && text.normalize("NFC") === text;
}

const plain = (value: string | boolean) => ({ is: "plain", value }) as const;

/** The providers that a file of this version works with: the same major version, the same minor one or later. */
function providerVersions(version: string): string | undefined {
  const [, minorVersion, earlier] = /^(\d+\.\d+)\.\d+(-[^+]+)?/.exec(version) ?? [];
  if (minorVersion === undefined) return undefined;
  // Terraform takes a version before its release only where it is named.
  return earlier === undefined ? `~> ${minorVersion}` : version.replace(/\+.*$/, "");
}

function providerBlocks({ service, live, version }: TerraformSettings): readonly HclBlock[] {
  const source: HclArgument = { name: "source", value: plain("loadform/loadform") };
  const versions = providerVersions(version);
  const members = versions === undefined ? [source] : [source, { name: "version", value: plain(versions) }];
  const required = { is: "object", members } as const;
  const { url, organization, auth } = service;
  const header = "header" in auth && auth.header !== "X-Api-Key" ? auth.header : undefined;
  const body: HclArgument[] = [
    ...(live ? [{ name: "url", value: plain(url) }] : []),
    ...(organization === undefined ? [] : [{ name: "organization", value: plain(String(organization)) }]),
    ...(header === undefined ? [] : [{ name: "auth_header", value: plain(header) }]),
  ];
  const key = live ? "The key is $LOADFORM_API_KEY." : "The service is $LOADFORM_URL, the key $LOADFORM_API_KEY.";
  return [
    {
      head: "terraform",
      body: [{ name: "required_version", value: plain(">= 1.11") }],
      blocks: [{ head: "required_providers", body: [{ name: "loadform", value: required }] }],
    },
    { head: 'provider "loadform"', notes: [key], body },
  ];
}

function variableBlock({ name, address, attribute }: HclVariable): HclBlock {
  return {
    head: `variable "${name}"`,
    body: [
      { name: "type", value: expression("string") },
      { name: "description", value: plain(`${attribute} of ${address}`) },
      { name: "sensitive", value: plain(true) },
    ],
  };
}

function importBlock(to: string, id: number): HclBlock {
  return {
    head: "import",
    body: [
      { name: "to", value: expression(to) },
      { name: "id", value: plain(String(id)) },
    ],
  };
}

function blocksByFile({ objects }: ObjectsToWrite, { blocks }: HclResources, kinds: readonly AnyKind[]) {
  const files = new Map<string, readonly HclBlock[]>();
  const taken = new Set(["loadform", "imports", "shared"]);
  // Terraform merges files of such a name into the others.
  const isTaken = (stem: string) => taken.has(stem.toLowerCase()) || /(?:^|_)override$/.test(stem);
  for (const { kind, key, address } of objects) {
    const own = blocks.get(address) ?? [];
    const holds = kinds.some(({ parent }) => parent === kind);
    const stem = holds ? firstFree(key, isTaken) : "shared";
    taken.add(stem.toLowerCase());
    const file = `${stem}.tf`;
    files.set(file, [...(files.get(file) ?? []), ...own]);
  }
  return files;
}
