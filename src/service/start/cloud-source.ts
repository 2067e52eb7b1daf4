import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { readName, refuseSibling, sameName } from "../rules/read-text.ts";
import { readMetadata } from "../rules/write-provider.ts";
import type { ProviderRecord } from "../store/records/runners.ts";
import { itemField, type StartForm } from "./start-form.ts";

type Cloud = "A" | "B" | "C";

/** A cloud account that runners are made in (API 2, Test runner source). */
export interface CloudSource {
  readonly cloud: Cloud;
  readonly name: string;
  readonly metadata: Metadata;
  /** Further metadata of a new provider. */
  readonly standards: Metadata;
}

type Metadata = Readonly<Record<string, JsonValue>>;

interface CloudRules {
  readonly name: string;
  readonly prefix: string;
  readonly instanceType: string;
  /** One of these sets of fields proves who pays. */
  readonly credentials: readonly (readonly string[])[];
  readonly fields: readonly string[];
}

const clouds: Readonly<Record<Cloud, CloudRules>> = {
  A: {
    name: "My Aws",
    prefix: "cloud_",
    instanceType: "m4.large",
    credentials: [["cloud_access_key_id", "cloud_secret_key"], ["cloud_role_arn"]],
    fields: ["vpc", "key_pair", "t2_unlimited", "elastic_ips", "elastic_ips_force_associate"],
  },
  B: {
    name: "My Azure",
    prefix: "cloudb_",
    instanceType: "Standard_D2_v2",
    credentials: [["cloudb_tenant_id", "cloudb_subscription_id", "cloudb_client_id", "cloudb_client_secret"]],
    fields: ["resource_group", "storage_account", "low_priority", "image", "tags[*]"],
  },
  C: {
    name: "My GCP",
    prefix: "cloudc_",
    instanceType: "e2-standard-2",
    credentials: [["cloudc_service_account"]],
    fields: ["zone"],
  },
};
const letters = Object.keys(clouds) as readonly Cloud[];
const shared: readonly string[] = ["name", "network", "subnet"];

/** Type of instance where a region does not name one. */
export function instanceTypeOf(cloud: Cloud): string {
  return clouds[cloud].instanceType;
}

/**
 * The cloud account of an item of conf_testrunners; undefined when its runners are of a grid.
 * DECISION (API 2, Test runner source): an item is of the cloud whose fields it has, else of that of the provider it names, else A.
 */
export function readCloudSource(
  form: StartForm,
  key: string,
  { organizationId, scope }: { readonly organizationId: number; readonly scope: Scope },
): CloudSource | undefined {
  const sent = sentMembers(form, key);
  const isCloud = sent.some(({ member }) => member.startsWith("regions[*].") || isCloudField(member));
  if (!isCloud) return undefined;
  const nameField = itemField("conf_testrunners[*].name", key);
  const given = form.text(nameField);
  const known = given === undefined ? undefined : findCloud(given.trim(), organizationId, scope);
  const cloud = letters.find((each) => sent.some(({ member }) => isFieldOf(member, each))) ?? cloudOf(known);
  for (const { field, member } of sent)
    if (isCloudField(member) && !shared.includes(member) && !isFieldOf(member, cloud))
      scope.findings.add(field, `found it beside fields of cloud ${cloud}; expected those of one cloud`);
  const name = given === undefined ? clouds[cloud].name : readName(given, scope, nameField);
  if (findCloud(name, organizationId, scope) === undefined) requireCredentials(form, { key, cloud, scope });
  return { cloud, name, metadata: { cloud, ...metadataOf(form, key) }, standards: standardsOf(form, key, cloud) };
}

/** DECISION (API 2, Test runner source): a CloudOnDemand provider of that name is updated, otherwise one is created; what is not sent remains. */
export function putCloudProvider(source: CloudSource, organizationId: number, scope: Scope): ProviderRecord {
  const providerType = "CloudOnDemand";
  const former = findCloud(source.name, organizationId, scope);
  const fields = readMetadata(
    { ...(former?.metadata ?? source.standards), ...source.metadata },
    { providerType, former, scope },
  );
  if (former) return scope.store.update("provider", former.id, fields);
  const siblings = scope.store.where("provider", "organizationId", organizationId);
  refuseSibling(source.name, siblings, scope);
  const own = { organizationId, name: source.name, public: false, providerType, active: true };
  return scope.store.insert("provider", { ...own, ...fields });
}

interface Member {
  readonly field: string;
  readonly member: string;
  readonly value: JsonValue | undefined;
  readonly keys: readonly string[];
}

const list = "conf_testrunners[*].";

function sentMembers(form: StartForm, key: string): readonly Member[] {
  return form.sent
    .filter(({ name, keys }) => keys[0] === key && name.startsWith(list))
    .map(({ field, name, keys, value }) => ({ field, member: name.slice(list.length), value, keys }));
}

function isFieldOf(member: string, cloud: Cloud): boolean {
  return member.startsWith(clouds[cloud].prefix) || clouds[cloud].fields.includes(member);
}

function isCloudField(member: string): boolean {
  return shared.includes(member) || letters.some((cloud) => isFieldOf(member, cloud));
}

function findCloud(name: string, organizationId: number, scope: Scope): ProviderRecord | undefined {
  return scope.store
    .where("provider", "organizationId", organizationId)
    .find((each) => each.providerType === "CloudOnDemand" && sameName(each.name, name, scope));
}

function cloudOf(known: ProviderRecord | undefined): Cloud {
  return letters.find((cloud) => cloud === known?.metadata["cloud"]) ?? "A";
}

function requireCredentials(
  form: StartForm,
  { key, cloud, scope }: { readonly key: string; readonly cloud: Cloud; readonly scope: Scope },
): void {
  const sets = clouds[cloud].credentials.map((fields) => fields.map((each) => itemField(`${list}${each}`, key)));
  if (sets.some((fields) => fields.every((field) => form.has(field)))) return;
  const begun = sets.find((fields) => form.first(fields) !== undefined) ?? sets[0] ?? [];
  for (const field of begun.filter((each) => !form.has(each)))
    scope.findings.add(
      field,
      `found none; expected ${clouds[cloud].credentials.map((fields) => fields.join(", ")).join(", or ")}: ${clouds[cloud].name} is not known yet`,
    );
}

/** Names under which a provider keeps these fields, where they are not the field's own. */
const kept: ReadonlyMap<string, string> = new Map([["cloud_secret_key", "cloudSecretAccessKey"]]);

function metadataOf(form: StartForm, key: string): Metadata {
  const members = sentMembers(form, key).filter(({ member }) => member !== "name" && isCloudField(member));
  const plain = members.filter(({ member }) => member !== "tags[*]");
  const tags = members.filter(({ member }) => member === "tags[*]");
  return Object.fromEntries([
    ...plain.map(({ member, value }): [string, JsonValue] => [
      kept.get(member) ?? camelCase(member),
      member === "cloudc_service_account" ? JSON.stringify(value) : (value ?? null),
    ]),
    ...(tags.length === 0
      ? []
      : [["tags", Object.fromEntries(tags.map(({ keys, value }) => [keys[1] ?? "", value ?? null]))] as const]),
  ]);
}

/** DECISION (API 2, Test runner source: default of resource_group): testable_[region] with its neutral prefix is loadtest_[region]. */
function standardsOf(form: StartForm, key: string, cloud: Cloud): Metadata {
  const flagOf = (member: string) => form.flag(itemField(`${list}${member}`, key)) ?? false;
  if (cloud === "A") return { t2Unlimited: flagOf("t2_unlimited") };
  return cloud === "B" ? { resourceGroup: "loadtest_[region]", lowPriority: flagOf("low_priority") } : {};
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
