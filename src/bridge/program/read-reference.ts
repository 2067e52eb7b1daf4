import { errorOf } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import { kindOfResource, resourceType } from "../../terraform-schema/names.ts";
import { type Block, blockWords, wayOut } from "./blocks.ts";
import { documentText, followValue, type RawValue, refuse, type Target, type ValueContext } from "./values.ts";

/** Everything that references are read with. */
export interface ReferenceContext {
  /** The keys of an object from the top down; undefined when an object above it is not known. */
  readonly keysOf: (block: Block) => readonly string[] | undefined;
}

/** A foreign key as the reference of a project's document: keys from the top, `{ id }` or `{ name }`. */
export function readReference(
  kind: string,
  value: RawValue,
  context: ValueContext & ReferenceContext,
): Json | undefined {
  const target = followValue(value, context);
  if (target.is === "refused") return undefined;
  if (target.is === "variable") return mismatch(kind, value, context);
  if (target.is === "data") return fromData(kind, target.block, value, context);
  if (target.is === "id")
    return isOf(kind, target.block, context) ? context.keysOf(target.block)?.join("/") : mismatch(kind, value, context);
  const { raw } = target;
  const isId = typeof raw === "number" || (typeof raw === "string" && /^\d+$/.test(raw));
  return isId && Number.isSafeInteger(Number(raw)) ? { id: Number(raw) } : mismatch(kind, value, context);
}

function fromData(
  kind: string,
  block: Block,
  value: RawValue,
  context: ValueContext & ReferenceContext,
): Json | undefined {
  if (kindOfResource(block.type) !== kind) return mismatch(kind, value, context);
  const { id, name, provider, ...more } = Object.fromEntries(
    Object.entries(block.body).filter(([each]) => each !== "//"),
  );
  const shown = typeof value.raw === "string" ? value.raw : block.name;
  const refusal = (what: string) => void refuse(value.site, context, { what, shown });
  const [other] = Object.keys(more);
  if (other !== undefined) return refusal(`a data source that looks by ${other}`);
  if ((provider ?? null) !== null && provider !== "loadform")
    return refusal("a data source of another configuration of the provider");
  if ((id ?? null) === null) return named({ raw: name ?? null, site: { block, path: ["name"] } }, context, refusal);
  const found = followValue({ raw: id ?? null, site: { block, path: ["id"] } }, context);
  if (found.is === "refused") return undefined;
  return found.is === "value"
    ? readReference(kind, found, context)
    : refusal("a data source whose id is known to Terraform only");
}

function named(value: RawValue, context: ValueContext, refusal: (what: string) => void): Json | undefined {
  const found = followValue(value, context);
  if (found.is === "variable") return { name: context.variables.expression(found.name) };
  if (found.is === "value" && found.raw !== null) {
    const text = documentText(String(found.raw), found.site, context);
    return text === undefined ? undefined : { name: text };
  }
  if (found.is === "value") refusal("a data source with neither name nor id");
  else if (found.is !== "refused") refusal("a data source whose name is known to Terraform only");
  return undefined;
}

function mismatch(kind: string, { raw, site }: RawValue, { report }: ValueContext): undefined {
  const name = site.path.join(".");
  const type = resourceType(kind);
  const shown = typeof raw === "string" || typeof raw === "number" ? `${raw}`.slice(0, 120) : "another value";
  const detail = `${name} of ${blockWords(site.block)} is ${shown}; it must be the id of a ${type} of this program (\${${type}.NAME.id}), of a data source, or a number. Otherwise ${wayOut}`;
  report({ severity: "error", code: "LF1301", summary: `${name}: ${shown} is not a ${type}`, detail, site });
  return undefined;
}

function isOf(kind: string, block: Block, { schema }: ValueContext): boolean {
  return schema.resources.get(block.type)?.kind.name === kind;
}

/** The block that a parent's foreign key leads to: an object of the program, or nothing. */
export function readParent(kind: string, value: RawValue, context: ValueContext): Block | undefined {
  const target: Target = followValue(value, context);
  if (target.is === "refused") return undefined;
  if (target.is === "id" && isOf(kind, target.block, context)) return target.block;
  const { raw, site } = value;
  const name = site.path.join(".");
  const type = resourceType(kind);
  const isPlain = typeof raw === "string" || typeof raw === "number";
  const shown = isPlain ? `${raw}`.slice(0, 120) : raw === null ? "nothing" : "another value";
  const detail = `${name} of ${blockWords(site.block)} is ${shown}; it must be \${${type}.NAME.id}, because the engine plans an object only together with the one that it belongs to. Otherwise ${wayOut}`;
  context.report({ ...errorOf("LF1307", `${name}: ${shown} is not a ${type} of this program`, detail), site });
  return undefined;
}
