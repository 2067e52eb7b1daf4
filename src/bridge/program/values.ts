import { hinted } from "../../model/did-you-mean.ts";
import { isObject, type Json } from "../../model/json.ts";
import { escaped } from "../../model/written.ts";
import type { TerraformSchema } from "../../terraform-schema/schema.ts";
import { type Block, blockWords, type ReportProgram, type Site, type TerraformProgram, wayOut } from "./blocks.ts";
import { describeExpression, parseReference, type Reference } from "./parse-reference.ts";
import { isEscaped, mayBeTemplate, scanTemplate, type TemplatePart, wholeExpression } from "./scan-template.ts";
import type { ProgramVariables } from "./variables.ts";

/** Everything that values are looked up in. */
export interface ValueContext {
  readonly program: TerraformProgram;
  readonly schema: TerraformSchema;
  readonly variables: ProgramVariables;
  readonly report: ReportProgram;
}

/** A value as the program has it, and where. */
export interface RawValue {
  readonly raw: Json;
  readonly site: Site;
}

/** The end of a whole expression. */
export type Target =
  /** A value that needs no more looking up. */
  | ({ readonly is: "value" } & RawValue)
  | { readonly is: "id"; readonly block: Block }
  | { readonly is: "data"; readonly block: Block }
  | { readonly is: "variable"; readonly name: string }
  /** Reported. */
  | { readonly is: "refused" };

const refused: Target = { is: "refused" };

/** Follows whole-string references to the value that is set at their end. */
export function followValue(value: RawValue, context: ValueContext): Target {
  const { raw, site } = value;
  const code = wholeExpression(raw);
  return code === undefined ? { is: "value", raw, site } : followExpression(code, site, context);
}

function followExpression(code: string, site: Site, context: ValueContext): Target {
  let step: Place = { code, site };
  for (let steps = 0; steps < 100; steps++) {
    const found = lookUp(step, context);
    const next = found.is === "value" ? wholeExpression(found.raw) : undefined;
    if (found.is !== "value" || next === undefined) return found;
    step = { code: next, site: found.site };
  }
  return refuse(site, context, { what: "a reference to itself", code });
}

/** One step: what an expression names. */
function lookUp(place: Place, context: ValueContext): Target {
  const { code, site } = place;
  const own = code.endsWith(".id") ? context.program.resources.get(code.slice(0, -3)) : undefined;
  if (own !== undefined) return { is: "id", block: own };
  const reference = parseReference(code);
  if (reference === undefined) return refuse(site, context, { what: describeExpression(code), code });
  const [root, second] = reference;
  if (root === "var") return variableTarget(reference, place, context);
  if (root === "data") return dataTarget(reference, place, context);
  if (typeof root !== "string" || !root.startsWith("loadform_"))
    return refuse(site, context, { what: rootWords(String(root)), code });
  const block = context.program.resources.get(`${root}.${second}`);
  if (block === undefined) return undeclared(place, [...context.program.resources.keys()], context);
  return attributeTarget(block, reference.slice(2), place, context);
}

interface Place {
  readonly code: string;
  readonly site: Site;
}

const roots: Readonly<Record<string, string>> = {
  local: "a local value",
  module: "an output of a module",
  each: "an element of for_each",
  count: "an index of count",
  path: "a path of Terraform's",
  terraform: "a value of Terraform's",
  self: "a reference to itself",
};

function rootWords(root: string): string {
  return Object.hasOwn(roots, root) && roots[root] !== undefined
    ? roots[root]
    : `a reference to ${root}, which is of another provider`;
}

function variableTarget(reference: Reference, { code, site }: Place, context: ValueContext): Target {
  const name = String(reference[1]);
  const { variables } = context;
  if (!variables.names.includes(name))
    return undeclared(
      { code, site },
      variables.names.map((each) => `var.${each}`),
      context,
    );
  if (reference.length > 2 || !variables.isPlain(name))
    return refuse(site, context, { what: "a variable that is not a single text, number or flag", code });
  if (variables.isNull(name)) return refuse(site, context, { what: "null, which only a whole attribute may be", code });
  return { is: "variable", name };
}

function dataTarget([, type, label, ...rest]: Reference, { code, site }: Place, context: ValueContext): Target {
  const block = context.program.data.get(`${type}.${label}`);
  if (block === undefined && !String(type).startsWith("loadform_"))
    return refuse(site, context, { what: "a data source of another provider", code });
  if (block === undefined)
    return undeclared(
      { code, site },
      [...context.program.data.keys()].map((each) => `data.${each}`),
      context,
    );
  const [attribute] = rest;
  if (rest.length === 1 && attribute === "id") return { is: "data", block };
  const set = rest.length === 1 ? memberOf(block.body, String(attribute)) : undefined;
  if (set !== undefined && set !== null) return { is: "value", raw: set, site: { block, path: rest } };
  return refuse(site, context, { what: "an answer of the service", code });
}

function attributeTarget(block: Block, path: Reference, place: Place, context: ValueContext): Target {
  const [name] = path;
  if (name === "id" && path.length === 1) return { is: "id", block };
  const attributes = context.schema.resources.get(block.type)?.attributes ?? [];
  const attribute = attributes.find((each) => each.name === name);
  if (attribute === undefined)
    return undeclared(
      place,
      attributes.map((each) => `${block.name}.${each.name}`),
      context,
    );
  let current: RawValue = { raw: block.body, site: { block, path: [] } };
  for (const step of path) {
    const target = followValue(current, context);
    if (target.is !== "value") return target.is === "refused" ? refused : unset(place, context);
    const next = memberOf(target.raw, step);
    if (next === undefined || next === null) return unset(place, context);
    current = { raw: next, site: { block: target.site.block, path: [...target.site.path, step] } };
  }
  return { is: "value", ...current };
}

function memberOf(value: Json, step: string | number): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function unset({ code, site }: Place, context: ValueContext): Target {
  return refuse(site, context, {
    what: "a value that the program does not set, which is known after apply only",
    code,
  });
}

function undeclared({ code, site }: Place, candidates: readonly string[], context: ValueContext): Target {
  const where = `${site.path.join(".")} of ${blockWords(site.block)}`;
  const what = `\${${code}} in ${where} names nothing that the program declares`;
  const { detail } = hinted(what, { found: code, among: candidates });
  context.report({ severity: "error", code: "LF1301", summary: `no ${code} in this program`, detail, site });
  return refused;
}

/** Reports what only Terraform can work out. */
export function refuse(
  site: Site,
  { report }: Pick<ValueContext, "report">,
  found: { readonly what: string } & ({ readonly code: string } | { readonly shown: string }),
): Target & { readonly is: "refused" } {
  const text = "code" in found ? `\${${found.code}}` : found.shown;
  const shown = text.length > 120 ? `${text.slice(0, 117)}...` : text;
  const name = site.path.join(".");
  const detail = `${name} of ${blockWords(site.block)} has ${shown}, ${found.what}. Write a value, a variable, or a reference to what the program sets; or ${wayOut}`;
  report({ severity: "error", code: "LF1307", summary: `${name}: ${shown} is for Terraform`, detail, site });
  return { is: "refused" };
}

/** A text of the document is made of plain texts and expressions of its own. */
type Piece = { readonly text: string } | { readonly expression: string };

/**
 * A text of the program as a text of a project's document, in which only `${var:…}` and `${env:…}` are replaced; undefined
 * where it was refused.
 */
export function documentText(raw: string, site: Site, context: ValueContext): string | undefined {
  if (!mayBeTemplate(raw) || isEscaped(raw)) return raw;
  const pieces = piecesOf(raw, site, context, 0);
  return pieces && joined(pieces, { raw, site }, context);
}

function piecesOf(raw: string, site: Site, context: ValueContext, depth: number): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  let isWhole = true;
  for (const part of scanTemplate(raw)) {
    const made = part.is === "text" ? [{ text: part.text }] : partPieces(part, site, context, depth);
    if (made === undefined) isWhole = false;
    else pieces.push(...made);
  }
  return isWhole ? pieces : undefined;
}

function partPieces(
  part: Exclude<TemplatePart, { readonly is: "text" }>,
  site: Site,
  context: ValueContext,
  depth: number,
): readonly Piece[] | undefined {
  const { code } = part;
  const shown = `${part.is === "directive" ? "%" : "$"}{${code}}`;
  const refusal = (what: string) => void refuse(site, context, { what, shown });
  if (part.is === "unclosed")
    return void refuse(site, context, { what: "an expression without its }", shown: `\${${code}` });
  if (part.is === "directive") return refusal("a directive of a template");
  if (depth > 100) return refusal("a reference to itself");
  const target = followExpression(code, site, context);
  if (target.is === "refused") return undefined;
  if (target.is === "variable") return [{ expression: context.variables.expression(target.name) }];
  if (target.is !== "value") return refusal("an id, which is known after apply only");
  const { raw } = target;
  if (typeof raw === "string") return piecesOf(raw, target.site, context, depth + 1);
  if (typeof raw === "number" || typeof raw === "boolean") return [{ text: String(raw) }];
  return refusal("a list or an object within a text");
}

/** A text in which nothing is replaced later, such as a key; undefined where it was refused. */
export function plainText(
  { raw, site }: { readonly raw: string; readonly site: Site },
  context: ValueContext,
): string | undefined {
  if (!mayBeTemplate(raw)) return raw;
  const pieces = piecesOf(raw, site, context, 0);
  if (pieces?.every((piece) => "text" in piece)) return pieces.map(({ text }) => text).join("");
  if (pieces !== undefined) refuse(site, context, { what: "a variable in a key", shown: raw });
  return undefined;
}

function joined(
  pieces: readonly Piece[],
  { raw, site }: { readonly raw: string; readonly site: Site },
  context: ValueContext,
): string | undefined {
  let result = "";
  let plain = "";
  for (const piece of pieces) {
    if ("text" in piece) plain += piece.text;
    else {
      // A sign before an expression would make it the escape of one.
      if (plain.endsWith("$")) {
        refuse(site, context, { what: "a $ directly before a variable", shown: raw });
        return undefined;
      }
      result += escaped(plain) + piece.expression;
      plain = "";
    }
  }
  return result + escaped(plain);
}
