import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";

/** A block of a program: a resource, a data source or a variable. */
export interface Block {
  /** `resource`, `data` or `variable`. */
  readonly word: string;
  /** Its address without that word: `loadform_scenario.browse`. */
  readonly name: string;
  readonly type: string;
  /** The last word of its name: what becomes the key. */
  readonly label: string;
  readonly body: JsonObject;
  readonly file: string;
  /** Path of the construct that wrote it. */
  readonly construct?: string;
}

/** A Terraform program in JSON: what of it concerns loadform, by name. */
export interface TerraformProgram {
  readonly resources: ReadonlyMap<string, Block>;
  readonly data: ReadonlyMap<string, Block>;
  readonly variables: ReadonlyMap<string, Block>;
  /** Settings of `provider.loadform`. */
  readonly provider: Block | undefined;
}

/** Where something was found: a block, and the way into it. */
export interface Site {
  readonly block: Pick<Block, "word" | "name" | "type" | "label" | "file" | "construct">;
  readonly path: readonly (string | number)[];
}

/** A problem with a program before its line is worked out. */
export interface ProgramProblem extends Pick<Diagnostic, "severity" | "code" | "summary" | "detail"> {
  readonly site: Site;
}

/** Takes a problem. */
export type ReportProgram = (problem: ProgramProblem) => void;

/** One parsed file of a program. */
export interface ProgramFile {
  readonly file: string;
  readonly value: JsonObject;
}

/** What every refusal ends with. */
export const wayOut = "plan this program with `loadform terraform`";

/** Blocks of Terraform that have no meaning for the engine. */
const refused = ["module", "locals", "import", "moved", "removed", "check", "ephemeral"];

/** Sorts the blocks of a program; what only Terraform can do is reported. */
export function readProgram(files: readonly ProgramFile[], report: ReportProgram): TerraformProgram {
  const resources = new Map<string, Block>();
  const data = new Map<string, Block>();
  const variables = new Map<string, Block>();
  const providers: Block[] = [];
  const readers: Readonly<Record<string, (held: Json, file: string) => void>> = {
    resource: (held, file) => takeTyped("resource", held, { file, into: resources, report }),
    data: (held, file) => takeTyped("data", held, { file, into: data, report }),
    variable: (held, file) => takeNamed(held, file, variables),
    provider: (held, file) => void providers.push(...providerBlocks(held, file)),
    output: (held, file) => leaveOutputs(held, file, report),
    terraform: () => undefined,
  };
  for (const { file, value } of files)
    for (const [word, held] of members(value)) {
      const read = Object.hasOwn(readers, word) ? readers[word] : undefined;
      if (read) read(held, file);
      else report(unknownBlock(word, file));
    }
  for (const more of providers.slice(1)) report(secondProvider(more));
  return { resources, data, variables, provider: providers[0] };
}

/** The members of an object, or of several in a list, as JSON syntax allows either; comments are left out. */
export function members(value: Json | undefined): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => members(item));
  return isObject(value) ? Object.entries(value).filter(([name]) => name !== "//") : [];
}

/** The bodies of a block: one, or several in a list. */
export function bodies(value: Json | undefined): readonly JsonObject[] {
  if (Array.isArray(value)) return value.filter(isObject);
  return isObject(value) ? [value] : [];
}

interface Taking {
  readonly file: string;
  readonly into: Map<string, Block>;
  readonly report: ReportProgram;
}

function takeTyped(word: string, held: Json, { file, into, report }: Taking): void {
  for (const [type, named] of members(held)) {
    const blocks = members(named).flatMap(([label, body]) =>
      bodies(body).map((each) => blockOf({ word, type, label, name: `${type}.${label}`, file }, each)),
    );
    const [first] = blocks;
    if (type.startsWith("loadform_")) for (const block of blocks) into.set(block.name, block);
    else if (first !== undefined) report(otherProvider(word, type, blocks));
  }
}

function takeNamed(held: Json, file: string, into: Map<string, Block>): void {
  for (const [name, body] of members(held))
    for (const each of bodies(body))
      into.set(name, blockOf({ word: "variable", type: "variable", label: name, name, file }, each));
}

function providerBlocks(held: Json, file: string): readonly Block[] {
  const own = members(held).filter(([name]) => name === "loadform");
  return own.flatMap(([name, body]) =>
    bodies(body).map((each) => blockOf({ word: "provider", type: "provider", label: name, name, file }, each)),
  );
}

function blockOf(place: Omit<Block, "body" | "construct">, body: JsonObject): Block {
  const comment = body["//"];
  const metadata = isObject(comment) ? comment["metadata"] : undefined;
  const construct = isObject(metadata) ? metadata["path"] : undefined;
  const { word, type, label, name, file } = place;
  const block = { word, type, label, name, file, body };
  return typeof construct === "string" ? { ...block, construct } : block;
}

/** How a block is called in a message: by its construct, where one wrote it. */
export function blockWords({ construct, name, word }: Site["block"]): string {
  return construct ?? (word === "resource" ? name : `${word}.${name}`);
}

function leaveOutputs(held: Json, file: string, report: ReportProgram): void {
  const names = members(held).map(([name]) => name);
  const [first] = names;
  if (first === undefined) return;
  const detail = `found ${names.join(", ")}; expected resources of loadform: its engine has no outputs, so they are not computed`;
  const block = { word: "output", type: "output", label: first, name: first, file };
  report({ severity: "warning", code: "LF1308", summary: "outputs are left out", detail, site: { block, path: [] } });
}

function otherProvider(word: string, type: string, blocks: readonly Block[]): ProgramProblem {
  const names = blocks.map(blockWords).join(", ");
  const detail = `found ${names}; expected resources of loadform: those of other providers are not planned. For all of them, ${wayOut}`;
  const block = blocks[0] ?? { word, type, label: "", name: type, file: "" };
  return { severity: "warning", code: "LF1308", summary: `${type} is left out`, detail, site: { block, path: [] } };
}

function unknownBlock(word: string, file: string): ProgramProblem {
  const what = refused.includes(word)
    ? `${word}, which only Terraform carries out`
    : `${word}, which is no known block`;
  const detail = `found ${what}; expected resources of loadform, variables and the provider: ${wayOut}`;
  const block = { word, type: word, label: word, name: word, file };
  const summary = `${word} cannot be planned by loadform's own engine`;
  return { severity: "error", code: "LF1307", summary, detail, site: { block, path: [] } };
}

function secondProvider(block: Block): ProgramProblem {
  const { alias } = block.body;
  const named = typeof alias === "string" ? ` (alias ${alias})` : "";
  const detail = `found another provider block of loadform${named}; expected one: a project is about one service. Otherwise ${wayOut}`;
  const summary = `a second provider block${named} cannot be planned by loadform's own engine`;
  return { severity: "error", code: "LF1307", summary, detail, site: { block, path: [] } };
}
