import type { Json } from "../../model/json.ts";
import { redactor } from "../../model/redact.ts";
import { type AttributeSchema, isNestedSchema, type ProviderSchema } from "../provider-schema.ts";
import type { ProviderDiagnostic, ProviderSession } from "../provider-session.ts";
import { isValueMap, type Value } from "../wire/values.ts";

type Attributes = readonly AttributeSchema[];

/** What an answer to Terraform says beside its values. */
interface Told {
  readonly diagnostics: readonly ProviderDiagnostic[];
}

/**
 * A session whose diagnostics hold no sensitive value that Terraform has sent so far, whatever repeats it: the service may
 * do so in its answer about another resource. What is seen is added to `secrets`, which sessions of one process share.
 */
export function keepSecrets(
  session: ProviderSession,
  { provider, resources, dataSources }: ProviderSchema,
  secrets: Set<string>,
): ProviderSession {
  const see = (attributes: Attributes = [], ...values: readonly Value[]) => {
    for (const value of values) for (const text of sensitiveTexts(attributes, value)) secrets.add(text);
  };
  const seeResource = (type: string, ...values: readonly Value[]) => see(resources.get(type)?.attributes, ...values);
  const seeSource = (type: string, config: Value) => see(dataSources.get(type)?.attributes, config);
  const redacted = redaction(secrets);
  const told = <T extends Told>(answer: T): T => ({ ...answer, diagnostics: redacted(answer.diagnostics) });
  return {
    validateProvider: async (config) => {
      see(provider, config);
      return redacted(await session.validateProvider(config));
    },
    configure: async (config, version) => {
      see(provider, config);
      return redacted(await session.configure(config, version));
    },
    validateResource: async (type, config, capabilities) => {
      seeResource(type, config);
      return redacted(await session.validateResource(type, config, capabilities));
    },
    validateDataSource: async (type, config) => {
      seeSource(type, config);
      return redacted(await session.validateDataSource(type, config));
    },
    planResource: async (request) => {
      seeResource(request.type, request.prior, request.config);
      return told(await session.planResource(request));
    },
    applyResource: async (request) => {
      seeResource(request.type, request.prior, request.planned, request.config);
      return told(await session.applyResource(request));
    },
    readResource: async (request) => {
      seeResource(request.type, request.state);
      return told(await session.readResource(request));
    },
    importResource: async (type, id) => told(await session.importResource(type, id)),
    readDataSource: async (type, config) => {
      seeSource(type, config);
      return told(await session.readDataSource(type, config));
    },
    stop: () => session.stop(),
  };
}

/** Diagnostics without the values that are in the set by then. */
function redaction(secrets: ReadonlySet<string>): (diagnostics: Told["diagnostics"]) => Told["diagnostics"] {
  let [size, redact] = [0, redactor([])];
  return (diagnostics) => {
    if (diagnostics.length === 0) return diagnostics;
    if (secrets.size > size) [size, redact] = [secrets.size, redactor(secrets)];
    return diagnostics.map((each) => ({ ...each, summary: redact(each.summary), detail: redact(each.detail) }));
  };
}

function sensitiveTexts(attributes: Attributes, value: Value): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => sensitiveTexts(attributes, item));
  if (!isValueMap(value)) return [];
  return attributes.flatMap(({ name, type, sensitive, writeOnly }) => {
    const member = value[name] ?? null;
    if (sensitive || writeOnly) return textsIn(member);
    return isNestedSchema(type) ? sensitiveTexts(type.attributes, member) : [];
  });
}

/** A text, and each text within one that is JSON. */
function textsIn(value: Value): readonly string[] {
  if (typeof value !== "string") return [];
  return value.startsWith("{") ? [value, ...membersOf(value)] : [value];
}

function membersOf(text: string): readonly string[] {
  try {
    return valuesWithin(JSON.parse(text) as Json);
  } catch {
    return [];
  }
}

/** Numbers with fewer digits are in many texts that have nothing to do with them. */
const fewestDigits = 6;

function valuesWithin(value: Json): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(valuesWithin);
  if (typeof value === "number" && String(value).length >= fewestDigits) return [String(value)];
  return typeof value === "string" ? [value] : [];
}
