import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { escaped } from "../../model/written.ts";
import type { Block, ReportProgram } from "./blocks.ts";

/** The sources of variables' values, besides the program. */
export interface VariableInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly vars: Readonly<Record<string, string>>;
}

/** The variables of a program as a project's document has them. */
export interface ProgramVariables {
  readonly names: readonly string[];
  /** True for a variable that is one text, number or flag. */
  isPlain(name: string): boolean;
  /** True for a variable without a value whose default is null: an attribute that it is the value of is not set. */
  isNull(name: string): boolean;
  /** The expression for it in a text of the document. */
  expression(name: string): string;
  /** The expression for it in a field that takes secrets only. */
  secret(name: string): string;
  /** `variables` of the document. */
  readonly declared: JsonObject;
  /** The values that the document is loaded with: `$TF_VAR_<name>` has become a value like the others. */
  readonly given: VariableInput;
}

const types: Readonly<Record<string, string>> = { string: "string", number: "number", bool: "boolean" };

/** Reads the variables of a program: --var, $LOADFORM_VAR_<name>, $TF_VAR_<name>, then the default. */
export function readVariables(
  blocks: ReadonlyMap<string, Block>,
  input: VariableInput,
  report: ReportProgram,
): ProgramVariables {
  for (const block of blocks.values()) reportRules(block, report);
  const plain = [...blocks].filter(([, block]) => isPlain(block)).map(([name]) => name);
  const isSensitive = (name: string) => {
    const { sensitive, ephemeral } = blocks.get(name)?.body ?? {};
    return isFlagged(sensitive) || isFlagged(ephemeral);
  };
  const secret = (name: string) => `\${env:${environmentName(name)}}`;
  const given = givenValues(plain, { blocks, input, isSensitive });
  // A secret without a value is told where it is used.
  const isNull = (name: string) =>
    blocks.get(name)?.body["default"] === null && given.env[environmentName(name)] === undefined;
  const isDeclared = (name: string) =>
    !isNull(name) && (!isSensitive(name) || given.env[environmentName(name)] !== undefined);
  const declare = (name: string) =>
    declaration(blocks.get(name)?.body ?? {}, isSensitive(name) ? secret(name) : undefined);
  return {
    names: [...blocks.keys()],
    isPlain: (name) => plain.includes(name),
    isNull,
    secret,
    expression: (name) => (isSensitive(name) ? secret(name) : `\${var:${name}}`),
    declared: Object.fromEntries(plain.filter(isDeclared).map((name) => [name, declare(name)])),
    given,
  };
}

/** A flag that is not clearly off counts as on: it hides more than it has to. */
function isFlagged(value: Json | undefined): boolean {
  return value !== undefined && value !== null && String(value) !== "false";
}

function environmentName(name: string): string {
  return `TF_VAR_${name}`;
}

function isPlain({ body: { type, default: fallback } }: Block): boolean {
  if (typeof type === "string" && type !== "any") return Object.hasOwn(types, type);
  return fallback === undefined || fallback === null || typeof fallback !== "object";
}

/** A sensitive variable is what its environment variable holds, so that it is masked wherever it is used. */
function declaration({ type, default: fallback, description }: JsonObject, secret: string | undefined): JsonObject {
  const known = typeof type === "string" ? types[type] : undefined;
  const value = secret ?? (typeof fallback === "string" ? escaped(fallback) : fallback);
  return {
    ...(known !== undefined && { type: known }),
    ...(value !== undefined && value !== null && { default: value }),
    ...(typeof description === "string" && { description }),
  };
}

interface Giving {
  readonly blocks: ReadonlyMap<string, Block>;
  readonly input: VariableInput;
  readonly isSensitive: (name: string) => boolean;
}

function givenValues(plain: readonly string[], { blocks, input, isSensitive }: Giving): VariableInput {
  const env = { ...input.env };
  const vars = { ...input.vars };
  for (const name of plain) {
    const own = `LOADFORM_VAR_${name}`;
    const outside = input.vars[name] ?? input.env[own] ?? input.env[environmentName(name)];
    const value = outside ?? textOf(blocks.get(name)?.body["default"]);
    if (value !== undefined) env[environmentName(name)] = value;
    if (isSensitive(name)) {
      delete vars[name];
      delete env[own];
    } else if (outside !== undefined && vars[name] === undefined) env[own] = outside;
  }
  return { env, vars };
}

function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Conditions are Terraform's to check. */
function reportRules(block: Block, report: ReportProgram): void {
  const { validation } = block.body;
  if (!(Array.isArray(validation) || isObject(validation))) return;
  const detail = "Only Terraform works out the condition of a validation, so it is not checked here";
  const summary = `the validation of var.${block.name} is left out`;
  report({ severity: "warning", code: "LF1308", summary, detail, site: { block, path: ["validation"] } });
}
