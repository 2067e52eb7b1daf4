import { wrongValue } from "../../model/diagnostic.ts";
import type { DataSourceSchema } from "../../terraform-schema/data-sources.ts";
import { checkReadOnly } from "../check/check-config.ts";
import { idWords } from "../check/known-ids.ts";
import type { DataSourceState, ProviderDiagnostic } from "../provider-session.ts";
import { errorAt, quoted, refuse } from "../resource/provider-problem.ts";
import type { ResourceContext } from "../resource/resource-context.ts";
import { attributesOf, idIn, schema } from "../values/resource-type.ts";
import { isSet, type Value, type ValueMap, valueMap } from "../wire/values.ts";
import { findObject } from "./find-object.ts";
import { findOrganizationByCondition } from "./find-organization.ts";
import { listActiveRegions, listTags } from "./list-objects.ts";

/** Problems of the conditions of a data source, as far as their values are known. */
export function validateDataSource(type: string, config: Value): readonly ProviderDiagnostic[] {
  const { attributes, kind } = dataSourceOf(type);
  const given = attributesOf(config);
  const readOnly = checkReadOnly(attributes, given).map(({ diagnostic }) => diagnostic);
  const isFoundByName = kind !== undefined && attributes.some(({ name }) => name === "id") && isOne(type);
  if (!isFoundByName || isSet(given["id"]) || isSet(given["name"])) return readOnly;
  return [
    ...readOnly,
    errorAt(undefined, `${type} needs id or name`, "Set one of them: it says which object is meant"),
  ];
}

/** The objects that a data source finds; none, or several where one is meant, is an error. */
export async function readDataSource(
  context: ResourceContext,
  type: string,
  config: ValueMap,
): Promise<DataSourceState> {
  const source = dataSourceOf(type);
  refuseOtherIds(config);
  const found = await findByType(context, source, config);
  const state = valueMap(source.attributes.map(({ name }) => [name, config[name] ?? found[name] ?? null]));
  return { state, diagnostics: [] };
}

/** An id that is none would be no condition. */
function refuseOtherIds(config: ValueMap): void {
  for (const [name, value] of Object.entries(config))
    if (/(?:^|_)id$/.test(name) && typeof value === "string" && idIn(value) === undefined)
      refuse([name], `${name} is no id`, wrongValue(quoted(value), idWords));
}

function findByType(context: ResourceContext, source: DataSourceSchema, config: ValueMap): Promise<ValueMap> {
  switch (source.type) {
    case "loadform_organization":
      return findOrganizationByCondition(context, config);
    case "loadform_regions":
      return listActiveRegions(context, source, config);
    case "loadform_tags":
      return listTags(context, source);
    case "loadform_vcs_root_refs":
      return readRefs(context, config);
    default:
      return findObject(context, source, config);
  }
}

function dataSourceOf(type: string): DataSourceSchema {
  const known = [...schema.dataSources.keys()].join(", ");
  return (
    schema.dataSources.get(type) ?? refuse(undefined, `unknown data source ${type}`, `The data sources are ${known}`)
  );
}

/** True for a data source of a single object. */
function isOne(type: string): boolean {
  return schema.resources.has(type);
}

/** Names of the branches and tags of a repository. */
async function readRefs({ access }: ResourceContext, config: ValueMap): Promise<ValueMap> {
  const vcsRootId = idIn(config["vcs_root_id"]) ?? 0;
  return { refs: await access.api.call("GET /vcs-root/:vcsRootId/refs", { params: { vcsRootId } }) };
}
