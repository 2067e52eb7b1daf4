import { basename } from "node:path";
import {
  type Diagnostic,
  type DocumentPath,
  type DocumentPlace,
  hasErrors,
  type Position,
} from "../../model/diagnostic.ts";
import { getOrMake } from "../../model/group-by.ts";
import type { JsonObject } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import { snakeCase } from "../../terraform-schema/names.ts";
import { yamlLocator } from "../../yaml/locate-yaml.ts";
import { type Block, type ProgramProblem, type Site, wayOut } from "./blocks.ts";
import { type BridgedProgram, bridgeProgram, placedAddress, placedPath } from "./bridge-program.ts";
import { type JsonFile, readJsonFile, repeatedName } from "./json-file.ts";
import { type SynthesisInput, synthesize } from "./synthesize.ts";
import type { VariableInput } from "./variables.ts";

/** The place of a project's program, and the values that it is given. */
interface ProgramInput extends SynthesisInput, Partial<VariableInput> {
  readonly kinds: readonly AnyKind[];
}

/** The project that a program for Terraform declares. */
interface ProgramDocument {
  readonly language: "terraform";
  readonly document: JsonObject;
  readonly sources: readonly { readonly locate: (place: DocumentPlace) => Position | undefined }[];
  /** The document as JSON text. */
  readonly texts: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** False when a file or a part of one is missing. */
  readonly complete: boolean;
  readonly parsed: undefined;
  /** Values of variables and of the environment in the place of those that were given. */
  readonly given?: VariableInput;
  /** Contents of files that exist only for the document. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  /** Path of the construct that made the object at an address. */
  readonly madeAt?: (address: string) => string | undefined;
}

const nothing = {
  language: "terraform",
  document: {},
  sources: [],
  texts: [],
  complete: false,
  parsed: undefined,
} as const;

/** Runs the program of cdktf.json and takes the document of the stack that it writes. */
export async function readCdktf(cdktfFile: string, input: ProgramInput): Promise<ProgramDocument> {
  const { stack, diagnostics } = await synthesize(cdktfFile, input);
  if (stack === undefined) return { ...nothing, diagnostics };
  // The output of a program is deleted again, so nothing is found in it by line.
  const entry = entryOf([stack.file], { project: stack.name, input, isKept: false });
  return { ...entry, diagnostics: [...diagnostics, ...entry.diagnostics] };
}

/** Takes the document of files in Terraform's JSON syntax that are written by hand. */
export async function readTerraformFiles(paths: readonly string[], input: ProgramInput): Promise<ProgramDocument> {
  const { workspace } = input;
  const others = await workspace.glob(["*.tf", ...valueFiles]);
  const read = await Promise.all(paths.map((path) => readJsonFile(workspace, path)));
  const failures = read.flatMap((file) => ("value" in file ? [] : [file]));
  const files = read.flatMap((file) => ("value" in file ? [file] : []));
  const problems = [...failures, ...others.map(onlyTerraform), ...files.flatMap(namedTwice)];
  const entry = entryOf(files, { project: basename(workspace.root), input, isKept: true });
  const diagnostics = [...problems, ...entry.diagnostics];
  return { ...entry, diagnostics, complete: entry.complete && problems.length === 0 };
}

/** Files of values that Terraform reads without being told. */
const valueFiles = ["terraform.tfvars", "*.auto.tfvars", ".*.auto.tfvars", ".auto.tfvars"].flatMap((each) => [
  each,
  `${each}.json`,
]);

function onlyTerraform(file: string): Diagnostic {
  const instead = file.endsWith(".tf")
    ? "loadform's own engine reads *.tf.json:"
    : "give its values with --var NAME=… or $TF_VAR_NAME and remove it, or";
  const detail = `Only Terraform reads ${file}; ${instead} ${wayOut}`;
  return { severity: "error", code: "LF1307", summary: `${file} is for Terraform`, detail, file, line: 1, column: 1 };
}

function namedTwice({ file, text }: JsonFile): readonly Diagnostic[] {
  const { name, line } = repeatedName(text) ?? {};
  if (name === undefined || line === undefined) return [];
  const detail = `${name} is in the same object twice, and JSON readers ignore the first: remove one of them`;
  return [
    { severity: "error", code: "LF1005", summary: `${name} occurs twice in one object`, detail, file, line, column: 1 },
  ];
}

interface Reading {
  readonly project: string;
  readonly input: ProgramInput;
  /** True where the files remain, so that lines in them can be shown. */
  readonly isKept: boolean;
}

function entryOf(files: readonly JsonFile[], { project, input, isKept }: Reading): ProgramDocument {
  const { kinds, env = {}, vars = {} } = input;
  const problems: ProgramProblem[] = [];
  const report = (problem: ProgramProblem) => void problems.push(problem);
  const bridged = bridgeProgram(files, { project, kinds, env, vars, report });
  const find = isKept ? finder(files) : () => undefined;
  const diagnostics = problems.map(({ site, ...problem }): Diagnostic => {
    const object = bridged.objects.get(site.block.name);
    const address = object && placedAddress(object);
    return { ...problem, ...(address !== undefined && { address }), ...find(site) };
  });
  return {
    language: "terraform",
    document: bridged.document,
    sources: [{ locate: locator(bridged, find) }],
    texts: [JSON.stringify(bridged.document)],
    diagnostics,
    complete: !hasErrors(diagnostics),
    parsed: undefined,
    given: bridged.given,
    files: bridged.files,
    madeAt: constructs(bridged),
  };
}

function constructs({ objects }: BridgedProgram): (address: string) => string | undefined {
  let byAddress: ReadonlyMap<string, string | undefined> | undefined;
  return (address) => {
    byAddress ??= new Map([...objects.values()].map((object) => [placedAddress(object), object.block.construct]));
    return byAddress.get(address);
  };
}

type Find = (site: Site) => Position | undefined;

/** Lines of sites; files are parsed for them only when one is asked for. */
function finder(files: readonly JsonFile[]): Find {
  const locators = new Map<string, ReturnType<typeof yamlLocator>>();
  return ({ block, path }) => {
    const file = files.find((each) => each.file === block.file);
    if (file === undefined) return undefined;
    const locate = getOrMake(locators, file.file, () => yamlLocator(file.file, file.text));
    return nearest([...placeOf(block), ...path], locate);
  };
}

function placeOf({ word, type, label }: Site["block"]): DocumentPath {
  if (word === "resource" || word === "data") return [word, type, label];
  return word === label ? [word] : [word, label];
}

/** The place itself, or what it is missing from. */
function nearest(path: DocumentPath, locate: (place: DocumentPlace) => Position | undefined): Position | undefined {
  for (let length = path.length; length > 0; length--) {
    const found = locate({ path: path.slice(0, length), at: "key" });
    if (found) return found;
  }
  return undefined;
}

/** Places of the document in the program: the block of an object, and the attribute of a field as far as names agree. */
function locator({ objects }: BridgedProgram, find: Find): (place: DocumentPlace) => Position | undefined {
  let byPath: ReadonlyMap<string, Block> | undefined;
  return ({ path }) => {
    byPath ??= new Map([...objects.values()].map((object) => [placedPath(object).join("/"), object.block]));
    const found = blockAt(path, byPath);
    if (found === undefined) return undefined;
    const [field] = found.rest;
    return find({ block: found.block, path: field === undefined ? [] : [snakeCase(String(field))] });
  };
}

function blockAt(
  path: DocumentPath,
  blocks: ReadonlyMap<string, Block>,
): { readonly block: Block; readonly rest: DocumentPath } | undefined {
  for (let length = path.length - (path.length % 2); length > 0; length -= 2) {
    const block = blocks.get(path.slice(0, length).join("/"));
    if (block) return { block, rest: path.slice(length) };
  }
  return undefined;
}
