import type { JsonValue } from "../../api/routes.ts";
import { isJsonObject, show } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import type { Bag, Digests, ProviderRecord } from "../store/records.ts";

/** Cloud keys: write-only. */
const secretKeys = ["cloudAccessKeyId", "cloudSecretAccessKey"];

/** What a provider keeps of its metadata. */
export type Metadata = Pick<ProviderRecord, "metadata" | "secrets">;

/**
 * Seed 2, Provider: metadata. DECISION (seed 2, Provider: metadata): it is replaced whole, but for cloud keys that are left out: those cannot be read
 * back, so they are kept until null clears them.
 */
export function readMetadata(
  value: JsonValue | undefined,
  {
    providerType,
    former,
    scope,
  }: { readonly providerType: string; readonly former: Metadata | undefined; readonly scope: Scope },
): Metadata {
  if (value === undefined) return former ?? { metadata: {}, secrets: {} };
  if (value === null) return { metadata: {}, secrets: {} };
  if (!isJsonObject(value)) {
    scope.findings.add("metadata", `found ${show(value)}; expected an object`);
    return { metadata: {}, secrets: {} };
  }
  const secrets: Record<string, string> = {};
  for (const name of secretKeys) readSecret(value[name], { name, providerType, former, scope, secrets });
  const metadata: Bag = Object.fromEntries(
    Object.entries(value).filter(([name, each]) => !secretKeys.includes(name) && each !== null),
  );
  return { metadata, secrets };
}

interface SecretPlace {
  readonly name: string;
  readonly providerType: string;
  readonly former: Metadata | undefined;
  readonly scope: Scope;
  readonly secrets: Record<string, string>;
}

/** SEED (2, Provider: metadata): cloud keys are for CloudOnDemand. */
function readSecret(value: JsonValue | undefined, { name, providerType, former, scope, secrets }: SecretPlace): void {
  const kept: Digests = former?.secrets ?? {};
  if (value === undefined && kept[name] !== undefined) secrets[name] = kept[name];
  if (value === undefined || value === null) return;
  if (providerType !== "CloudOnDemand")
    scope.findings.add(`metadata.${name}`, `found it on a ${providerType} provider; expected it on CloudOnDemand only`);
  if (typeof value === "string") secrets[name] = scope.digest(value);
  else scope.findings.add(`metadata.${name}`, "found no text; expected text");
}
