import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { ClientCapabilities, ProviderDiagnostic } from "../provider-session.ts";
import { errorAt } from "../resource/provider-problem.ts";
import type { ValueMap } from "../wire/values.ts";
import { type ConfigFinding, checkConfig } from "./check-config.ts";

/** Problems of a configuration. The target is not known here: what we decided ourselves is a warning, not an error. */
export function validateResource(
  resource: ResourceSchema,
  config: ValueMap,
  { writeOnlyAttributesAllowed }: ClientCapabilities,
): readonly ProviderDiagnostic[] {
  const refused = writeOnlyAttributesAllowed ? [] : writeOnlySet(resource, config);
  return [...refused, ...checkConfig(resource, config).map(weighed)];
}

/** A missing secret may be at the service already, with the object: that is not known here. */
function weighed({ is, diagnostic }: ConfigFinding): ProviderDiagnostic {
  return is === "stated" ? diagnostic : { ...diagnostic, severity: "warning" };
}

function writeOnlySet({ attributes }: ResourceSchema, config: ValueMap): readonly ProviderDiagnostic[] {
  return attributes
    .filter(({ name, writeOnly }) => writeOnly && config[name] !== undefined && config[name] !== null)
    .map(({ name }) =>
      errorAt(
        [name],
        `${name} needs a newer Terraform`,
        `This Terraform has no write-only attributes. Use 1.11 or newer, or ${name.replace(/_wo$/, "")}`,
      ),
    );
}
