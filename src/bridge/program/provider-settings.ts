import { hinted } from "../../model/did-you-mean.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { TerraformAttribute } from "../../terraform-schema/attribute.ts";
import { type Block, blockWords, members, type Site } from "./blocks.ts";
import { documentText, followValue, type RawValue, refuse, type ValueContext } from "./values.ts";

/** The provider block as `service` of a project. The key is in the environment, never in a program. */
export function providerSettings(
  block: Block,
  attributes: readonly TerraformAttribute[],
  context: ValueContext,
): JsonObject {
  const service: Record<string, Json> = {};
  for (const [name, raw] of members(block.body)) {
    const value = { raw, site: { block, path: [name] } };
    if (raw === null || name === "version") continue;
    if (name === "api_key") context.report(keyWrittenOut(value.site));
    else if (name === "url" || name === "organization" || name === "auth_header") {
      const made = textOf(value, context);
      if (made !== undefined) Object.assign(service, setting(name, made));
    } else context.report(otherSetting(name, value.site, attributes));
  }
  return service;
}

function setting(name: "url" | "organization" | "auth_header", value: string): JsonObject {
  if (name === "auth_header") return { auth: { header: value } };
  return { [name]: name === "organization" && /^\d{1,15}$/.test(value) ? Number(value) : value };
}

function textOf(value: RawValue, context: ValueContext): string | undefined {
  const target = followValue(value, context);
  if (target.is === "variable") return context.variables.expression(target.name);
  if (target.is === "refused") return undefined;
  if (target.is === "value") {
    const { raw, site } = target;
    if (typeof raw === "number") return String(raw);
    if (typeof raw === "string") return documentText(raw, site, context);
  }
  const shown = typeof value.raw === "string" ? value.raw : "what is not text";
  refuse(value.site, context, { what: "which does not fit here or is known after apply only", shown });
  return undefined;
}

function keyWrittenOut(site: Site) {
  const detail = `The api_key of ${blockWords(site.block)} (not shown) is written out. Set $LOADFORM_API_KEY instead, which Terraform's provider reads too`;
  return { severity: "error", code: "LF1203", summary: "api_key is a secret", detail, site } as const;
}

function otherSetting(name: string, site: Site, attributes: readonly TerraformAttribute[]) {
  const names = attributes.map((attribute) => attribute.name);
  if (names.includes(name)) {
    const detail = `${name} of ${blockWords(site.block)} is a setting of Terraform's provider, so it is left out. Only url, organization and auth_header are read`;
    return { severity: "warning", code: "LF1308", summary: `${name} is left out`, detail, site } as const;
  }
  const what = `${blockWords(site.block)} has no attribute ${name}. It takes ${names.join(", ")}`;
  const { detail } = hinted(what, { found: name, among: names });
  return { severity: "error", code: "LF1101", summary: `unknown attribute ${name}`, detail, site } as const;
}
