import { wrongValue } from "../../model/diagnostic.ts";
import { isObject, type Json } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import { isNested, type TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { Path, ProviderDiagnostic } from "../provider-session.ts";
import { errorAt, quoted } from "../resource/provider-problem.ts";
import { decodeFields, type MixedObject } from "../values/decode-fields.ts";
import { attributePath, inTerraformWords } from "../values/name-in-terraform.ts";
import { DecimalText, isSet, isValueMap, UNKNOWN, type Value, type ValueMap } from "../wire/values.ts";
import { checkLimits } from "./check-limits.ts";
import { checkRules, type RuleResult } from "./check-rules.ts";

/** A problem of a configuration, before it is said how grave it is. */
export interface ConfigFinding {
  readonly diagnostic: ProviderDiagnostic;
  /**
   * `stated`: by the API's documents, or by Terraform's nature. `decision`: by us where the documents are silent.
   * `secret`: one is missing that may be at the service already.
   */
  readonly is: "stated" | "decision" | "secret";
}

/** Problems of a configuration as far as its values are known. */
export function checkConfig(resource: ResourceSchema, config: ValueMap): readonly ConfigFinding[] {
  const { kind, attributes } = resource;
  const fields = decodeFields(attributes, config, new Map());
  const limits = Object.entries(kind.fields).flatMap(([name, field]) => checkLimits(field, fields[name], [name]));
  const isSecret = missingSecrets(kind, fields);
  const rules = [...limits, ...checkRules(kind, fields)].map(
    (result): ConfigFinding => ({
      diagnostic: inTerms(attributes, result),
      is: isSecret(result) ? "secret" : result.origin === "decision" ? "decision" : "stated",
    }),
  );
  return [
    ...checkAlternatives(attributes, config),
    ...checkReadOnly(attributes, config),
    ...checkBase64(attributes, config),
    ...checkKeys(attributes, config),
    ...attributes.flatMap((attribute) => checkParts(attribute, config[attribute.name] ?? null, [attribute.name])),
    ...rules,
  ];
}

/** True for a finding that is caused by a missing secret: with one it would disappear. */
function missingSecrets(kind: AnyKind, fields: MixedObject): (result: RuleResult) => boolean {
  const absent = Object.keys(kind.fields).filter((name) => kind.fields[name]?.secret && fields[name] === undefined);
  if (absent.length === 0) return () => false;
  const filled = { ...fields, ...Object.fromEntries(absent.map((name) => [name, "secret"])) };
  const rest = new Set(checkRules(kind, filled).map(({ finding }) => JSON.stringify(finding)));
  return ({ finding }) => !rest.has(JSON.stringify(finding));
}

function inTerms(attributes: readonly TerraformAttribute[], { finding }: RuleResult): ProviderDiagnostic {
  const path = attributePath(attributes, finding.path);
  const words = (sentence: string) => inTerraformWords(attributes, sentence);
  return errorAt(path.length === 0 ? undefined : path, words(finding.summary), words(finding.detail));
}

/** A secret in both forms; a file in none or in both. */
function checkAlternatives(attributes: readonly TerraformAttribute[], config: ValueMap): readonly ConfigFinding[] {
  const byPath = new Map<string, TerraformAttribute[]>();
  for (const attribute of attributes) {
    if (attribute.source.is !== "field") continue;
    const path = attribute.source.path.join(".");
    byPath.set(path, [...(byPath.get(path) ?? []), attribute]);
  }
  return [...byPath.values()].flatMap((group) => checkGroup(group, config));
}

function checkGroup(group: readonly TerraformAttribute[], config: ValueMap): readonly ConfigFinding[] {
  const [first] = group;
  if (first === undefined || group.length < 2 || first.source.is !== "field") return [];
  const names = group.map(({ name }) => name);
  // What is unknown yet may be null in the end.
  const set = names.filter((name) => isSet(config[name]) && config[name] !== UNKNOWN);
  if (set.length > 1) {
    const detail = `Only one of ${set.join(" and ")} may be set: remove ${set.length === 2 ? "the other" : "the others"}`;
    return [stated([set[1] ?? ""], `both ${set.join(" and ")}`, detail)];
  }
  if (names.some((name) => isSet(config[name])) || !first.source.field.required) return [];
  return [stated(undefined, `neither ${names.join(" nor ")}`, `Set exactly one of ${names.join(", ")}`)];
}

/** Terraform lets a configuration set what the service alone decides, and then finds it changed at every plan. */
export function checkReadOnly(attributes: readonly TerraformAttribute[], config: ValueMap): readonly ConfigFinding[] {
  return attributes
    .filter(({ name, required, optional }) => !required && !optional && isSet(config[name]))
    .map(({ name }) => stated([name], `${name} is read-only`, `The service decides ${name}: remove it here`));
}

/** Text that is no base64 would be decoded as far as it is some, into an empty file or a part of one. */
function checkBase64(attributes: readonly TerraformAttribute[], config: ValueMap): readonly ConfigFinding[] {
  return attributes.flatMap(({ name, source }) => {
    const value = config[name];
    if (source.is !== "field" || source.form !== "base64" || typeof value !== "string" || isBase64(value)) return [];
    const detail = wrongValue(quoted(value), 'base64 with its padding, such as filebase64("users.csv")');
    return [stated([name], `${name} is no base64`, detail)];
  });
}

/** As Terraform's `base64decode` reads it: line breaks mean nothing. */
function isBase64(text: string): boolean {
  const plain = text.replaceAll(/[\r\n]/g, "");
  return Buffer.from(plain, "base64").toString("base64") === plain;
}

/** Secrets among the plain keys of a mapping would be shown. */
function checkKeys(attributes: readonly TerraformAttribute[], config: ValueMap): readonly ConfigFinding[] {
  return attributes.flatMap(({ name, source }) => {
    const value = config[name];
    if (source.is !== "field" || source.path.length > 1 || !source.field.secretKeys || !isObject(value as Json))
      return [];
    return source.field.secretKeys
      .filter((key) => isSet((value as ValueMap)[key]))
      .map((key) => {
        const own = attributePath(attributes, [...source.path, key]).join(".");
        return stated(
          [name, key],
          `${key} is a secret`,
          `In ${name} it would be shown. Set ${own} or ${own}_wo instead`,
        );
      });
  });
}

/** Items of lists that are null, required members of theirs that are (Terraform checks neither), and numbers that would become others. */
function checkParts({ type }: TerraformAttribute, value: Value, path: Path): readonly ConfigFinding[] {
  const number = typeof value === "bigint" ? Number(value) : value instanceof DecimalText ? Number(value.decimal) : 0;
  const isExact = typeof value === "bigint" ? Number.isSafeInteger(number) : Number.isFinite(number);
  if (!isExact) return [stated(path, `${inWords(path)} is too large a number`, "Write one of at most 15 digits")];
  const membersOf = (item: Value, at: Path) =>
    isValueMap(item) && isNested(type) ? checkMembers(type.attributes, item, at) : [];
  if (!Array.isArray(value)) return membersOf(value, path);
  return value.flatMap((item: Value, index) => {
    const at = [...path, index];
    return item === null
      ? [stated(at, `${inWords(at)} is null`, "Leave it out, or write its value")]
      : membersOf(item, at);
  });
}

function checkMembers(members: readonly TerraformAttribute[], item: ValueMap, path: Path): readonly ConfigFinding[] {
  return members.flatMap((member) => {
    const value = item[member.name] ?? null;
    const at = [...path, member.name];
    if (value !== null || !member.required) return checkParts(member, value, at);
    return [stated(at, `${inWords(at)} is null`, "It is required: write its value")];
  });
}

/** `triggers[0].conditions`. */
function inWords(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .slice(1);
}

function stated(path: Path | undefined, summary: string, detail: string): ConfigFinding {
  return { is: "stated", diagnostic: errorAt(path, summary, detail) };
}
