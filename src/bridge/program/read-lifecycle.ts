import { didYouMean } from "../../model/did-you-mean.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { type Block, blockWords, bodies, type ProgramProblem, wayOut } from "./blocks.ts";
import type { ValueContext } from "./values.ts";

/** Arguments of every resource that Terraform itself carries out. */
const metaArguments = ["count", "for_each", "depends_on", "provisioner", "connection", "dynamic"];

const notAttributes = new Set([...metaArguments, "lifecycle", "provider"]);

/** The attributes of a resource alone: most resources have nothing else. What only Terraform can carry out is reported. */
export function withoutMeta(block: Block, context: Pick<ValueContext, "report">): JsonObject {
  const names = Object.keys(block.body);
  if (!names.some((name) => notAttributes.has(name))) return block.body;
  reportMeta(block, context);
  return Object.fromEntries(Object.entries(block.body).filter(([name]) => !notAttributes.has(name)));
}

/** Reports the arguments of a resource that only Terraform can carry out. */
function reportMeta(block: Block, { report }: Pick<ValueContext, "report">): void {
  const refuse = (name: string, found: string) => {
    const detail = `${blockWords(block)} has ${found}, and only Terraform carries that out: ${wayOut}`;
    const site = { block, path: [name] };
    report({ severity: "error", code: "LF1307", summary: `${name} is for Terraform`, detail, site });
  };
  for (const name of metaArguments) {
    const value = block.body[name];
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue;
    refuse(name, shown(name, value));
  }
  const { provider } = block.body;
  if ((provider ?? null) !== null && String(provider).replace(/^\$\{|\}$/g, "") !== "loadform")
    refuse("provider", `provider ${String(provider)}, another configuration of the provider`);
}

function shown(name: string, value: Json): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return `${name} ${text.length > 80 ? `${text.slice(0, 77)}...` : text}`;
}

/** `lifecycle` as a project has it: `protect` and `ignore`. */
export function readLifecycle(
  block: Block,
  resource: ResourceSchema,
  { report }: Pick<ValueContext, "report">,
): JsonObject {
  const made: Record<string, Json> = {};
  const { lifecycle } = block.body;
  if (lifecycle === undefined || lifecycle === null) return made;
  if (typeof lifecycle !== "object") report(noRules(block, lifecycle));
  const rules = bodies(lifecycle).flatMap((body) => Object.entries(body));
  for (const [name, value] of rules) {
    if (name === "prevent_destroy" && /^(?:true|false)$/.test(String(value)))
      Object.assign(made, String(value) === "true" && { protect: true });
    else if (name === "ignore_changes") made["ignore"] = ignored(value, resource, { block, report });
    else if (isSet(name, value)) report(otherRule(name, block));
  }
  return made;
}

function noRules(block: Block, found: Json): ProgramProblem {
  const detail = `lifecycle of ${blockWords(block)} is ${JSON.stringify(found)}; it must be a mapping with prevent_destroy or ignore_changes`;
  const site = { block, path: ["lifecycle"] };
  return { severity: "error", code: "LF1102", summary: "lifecycle has the wrong type", detail, site };
}

function otherRule(name: string, block: Block): ProgramProblem {
  const site = { block, path: ["lifecycle", name] };
  if (name === "prevent_destroy") {
    const detail = `prevent_destroy in lifecycle of ${blockWords(block)} must be true or false, written out: ${wayOut}`;
    return { severity: "error", code: "LF1307", summary: "lifecycle.prevent_destroy is for Terraform", detail, site };
  }
  if (name === "create_before_destroy") {
    const detail = `The engine works out the order itself, so ${name} of ${blockWords(block)} does nothing`;
    return { severity: "warning", code: "LF1308", summary: `${name} is left out`, detail, site };
  }
  const detail = `${blockWords(block)} has ${name} in its lifecycle; the engine takes prevent_destroy and ignore_changes only: ${wayOut}`;
  return { severity: "error", code: "LF1307", summary: `lifecycle.${name} is for Terraform`, detail, site };
}

function isSet(name: string, value: Json): boolean {
  return name !== "//" && value !== null && !(name === "create_before_destroy" && value === false);
}

function ignored(
  value: Json,
  resource: ResourceSchema,
  { block, report }: { readonly block: Block } & Pick<ValueContext, "report">,
): readonly string[] {
  const fields = new Map(
    resource.attributes.flatMap(({ name, source }) => (source.is === "field" ? [[name, source.path[0] ?? ""]] : [])),
  );
  if (value === "all" || value === "${all}") return [...new Set(fields.values())];
  const names: readonly Json[] = Array.isArray(value) ? value : [value];
  return names.flatMap((each: Json) => {
    const name = String(each).replace(/^\$\{|\}$/g, "");
    const field = fields.get(name);
    if (field !== undefined) return [field];
    const what = `A ${block.type} has no attribute ${name} (in ignore_changes of ${blockWords(block)})`;
    const detail = `${what}.${didYouMean(name, fields.keys())} Otherwise ${wayOut}`;
    const site = { block, path: ["lifecycle", "ignore_changes"] };
    report({ severity: "error", code: "LF1307", summary: `ignore_changes: ${name} is not an attribute`, detail, site });
    return [];
  });
}
