import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";

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

/** The place where something was found: a block, and the way into it. */
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

/** The end of every refusal. */
export const wayOut = "plan this program with `loadform terraform`";

/** Blocks of Terraform that have no meaning for the engine, with what to do in their place. */
const refused: Readonly<Record<string, string>> = {
  module: "",
  check: "",
  ephemeral: "",
  locals: "write the values out, make them variables, or ",
  import: "take the object over with `loadform apply --adopt exact`, or ",
  moved: "rename in the state with `loadform state mv`, or ",
  removed: "forget the object with `loadform state rm`, or ",
};

/** Sorts the blocks of a program; what only Terraform can do is reported. */
export function readProgram(files: readonly ProgramFile[], report: ReportProgram): TerraformProgram {
  const resources = new Map<string, Block>();
  const data = new Map<string, Block>();
  const variables = new Map<string, Block>();
  const providers: Block[] = [];
  const readers: Readonly<Record<string, (held: Json, file: string) => void>> = {
    resource: (held, file) => takeTyped("resource", held, { file, into: resources, report }),
    data: (held, file) => takeTyped("data", held, { file, into: data, report }),
    variable: (held, file) => takeNamed(held, { file, into: variables, report }),
    provider: (held, file) => void providers.push(...providerBlocks(held, file, report)),
    output: (held, file) => leaveOutputs(held, file, report),
    terraform: () => undefined,
  };
  for (const { file, value } of files)
    for (const [word, held] of members(value)) {
      const read = Object.hasOwn(readers, word) ? readers[word] : undefined;
      if (read) read(held, file);
      else report(unknownBlock(word, file));
    }
  const [provider, ...more] = providers.filter(({ body }) => (body["alias"] ?? null) === null);
  for (const block of providers) if (block !== provider) report(secondProvider(block, more.includes(block)));
  return { resources, data, variables, provider };
}

/** The members of an object, or of several in a list, as JSON syntax allows either; comments are left out. */
export function members(value: Json | undefined): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => members(item));
  if (!isObject(value)) return [];
  const all = Object.entries(value);
  return Object.hasOwn(value, "//") ? all.filter(([name]) => name !== "//") : all;
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

function takeTyped(word: string, held: Json, taking: Taking): void {
  const { file, report } = taking;
  for (const [type, named] of labelled(held, { word, type: word, label: word, name: word, file }, report)) {
    const place = { word, type, label: "", name: type, file };
    const blocks: Block[] = [];
    for (const [label, body] of labelled(named, place, report))
      for (const block of blocksOf(body, { word, type, label, name: `${type}.${label}`, file }, report))
        blocks.push(block);
    const [first] = blocks;
    if (type.startsWith("loadform_")) for (const block of blocks) take(block, taking);
    else if (first !== undefined) report(otherProvider(word, type, blocks));
  }
}

function takeNamed(held: Json, taking: Taking): void {
  const { file, report } = taking;
  const place = { word: "variable", type: "variable", file };
  for (const [name, body] of labelled(held, { ...place, label: "variable", name: "variable" }, report))
    for (const block of blocksOf(body, { ...place, label: name, name }, report)) take(block, taking);
}

function take(block: Block, { into, report }: Taking): void {
  if (block.label === "__proto__") report(unusableLabel(block));
  else if (into.has(block.name)) report(declaredTwice(block, into.get(block.name) ?? block));
  else into.set(block.name, block);
}

function providerBlocks(held: Json, file: string, report: ReportProgram): readonly Block[] {
  const place = { word: "provider", type: "provider", label: "provider", name: "provider", file };
  return labelled(held, place, report)
    .filter(([name]) => name === "loadform")
    .flatMap(([name, body]) => blocksOf(body, { ...place, label: name, name }, report));
}

type Place = Omit<Block, "body" | "construct">;

/** Blocks by their labels. What is no mapping holds none, and Terraform refuses it too. */
function labelled(held: Json, place: Place, report: ReportProgram): readonly (readonly [string, Json])[] {
  if (!isBlocks(held)) report(noBlock(held, place));
  return members(held);
}

function blocksOf(held: Json, place: Place, report: ReportProgram): readonly Block[] {
  if (!isBlocks(held)) report(noBlock(held, place));
  return bodies(held).map((body) => blockOf(place, body));
}

function isBlocks(value: Json): boolean {
  return Array.isArray(value) ? value.every(isBlocks) : isObject(value) || value === null;
}

function blockOf(place: Place, body: JsonObject): Block {
  const comment = body["//"];
  const metadata = isObject(comment) ? comment["metadata"] : undefined;
  const construct = isObject(metadata) ? metadata["path"] : undefined;
  const { word, type, label, name, file } = place;
  return typeof construct === "string"
    ? { word, type, label, name, file, body, construct }
    : { word, type, label, name, file, body };
}

/** The name of a block in a message: its construct's, where one wrote it. */
export function blockWords({ construct, name, word }: Site["block"]): string {
  return construct ?? (word === "resource" ? name : `${word}.${name}`);
}

function leaveOutputs(held: Json, file: string, report: ReportProgram): void {
  const names = members(held).map(([name]) => name);
  const [first] = names;
  if (first === undefined) return;
  const detail = `loadform's own engine has no outputs, so these are not computed: ${names.join(", ")}`;
  const block = { word: "output", type: "output", label: first, name: first, file };
  report({ severity: "warning", code: "LF1308", summary: "outputs are left out", detail, site: { block, path: [] } });
}

function otherProvider(word: string, type: string, blocks: readonly Block[]): ProgramProblem {
  const names = blocks.map(blockWords).join(", ");
  const detail = `Resources of other providers are not planned: ${names}. To plan all of them, ${wayOut}`;
  const block = blocks[0] ?? { word, type, label: "", name: type, file: "" };
  return { severity: "warning", code: "LF1308", summary: `${type} is left out`, detail, site: { block, path: [] } };
}

function unknownBlock(word: string, file: string): ProgramProblem {
  const instead = Object.hasOwn(refused, word) ? refused[word] : undefined;
  const what = instead === undefined ? `${word} is not a known block` : `Only Terraform carries out ${word}`;
  const detail = `${what}; loadform's own engine takes resources of loadform, variables and the provider: ${instead ?? ""}${wayOut}`;
  const block = { word, type: word, label: word, name: word, file };
  const summary = `${word} cannot be planned by loadform's own engine`;
  return { severity: "error", code: "LF1307", summary, detail, site: { block, path: [] } };
}

function secondProvider(block: Block, isSecond: boolean): ProgramProblem {
  const { alias } = block.body;
  const named = isSecond ? "" : ` (alias ${typeof alias === "string" ? alias : JSON.stringify(alias)})`;
  const detail = `A project has one service, and this is another provider block of loadform${named}. Remove it, or ${wayOut}`;
  const summary = `a second provider block${named} cannot be planned by loadform's own engine`;
  return { severity: "error", code: "LF1307", summary, detail, site: { block, path: [] } };
}

function declaredTwice(block: Block, first: Block): ProgramProblem {
  const where = first.file === block.file ? `twice in ${block.file}` : `in ${first.file} and in ${block.file}`;
  const detail = `${blockWords(block)} is declared ${where}: remove or rename one of them`;
  const summary = `${blockWords(block)} is declared twice`;
  return { severity: "error", code: "LF1005", summary, detail, site: { block, path: [] } };
}

function unusableLabel(block: Block): ProgramProblem {
  const detail = `${blockWords(block)} needs another name: this one means something in JavaScript`;
  return { ...errorOf("LF1105", `${block.label} is not usable as a key`, detail), site: { block, path: [] } };
}

function noBlock(held: Json, block: Place): ProgramProblem {
  const found = Array.isArray(held) ? "a list with something else in it" : JSON.stringify(held).slice(0, 80);
  const words = block.name === block.word ? block.word : blockWords(block);
  const detail = `${words} contains ${found}, and Terraform expects a mapping there`;
  return { severity: "error", code: "LF1102", summary: `${words} is not a block`, detail, site: { block, path: [] } };
}
