import type { JsonObject } from "../../model/json.ts";
import { normalObject } from "../../model/normal-form.ts";
import type { TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { checkConfig } from "../check/check-config.ts";
import { findings } from "../check/check-rules.ts";
import { checkIds, knownIds } from "../check/known-ids.ts";
import type { Path, PlannedResource, PlanRequest, ProviderDiagnostic } from "../provider-session.ts";
import { decodeFields, knownFields } from "../values/decode-fields.ts";
import { attributePath, inTerraformWords } from "../values/name-in-terraform.ts";
import { readPrivate } from "../values/private-state.ts";
import { attributesOf } from "../values/resource-type.ts";
import { isWhollyKnown, type Value, type ValueMap, valueMap } from "../wire/values.ts";
import type { PlannedReferences } from "./check-references.ts";
import { changedAttributes, planValues } from "./plan-values.ts";
import { errorAt } from "./provider-problem.ts";

/** What a plan may ask of the world. */
export interface PlanWorld {
  readonly now: () => number;
  /** False too where no service is configured yet. */
  readonly isBundled: () => Promise<boolean>;
  /** What a create or a change refers to and the service does not have; nothing where no service is configured yet. */
  readonly references: (planned: PlannedReferences) => Promise<readonly ProviderDiagnostic[]>;
}

/** What will become of a resource, and what prevents it. */
export async function planResource(
  world: PlanWorld,
  resource: ResourceSchema,
  { prior, proposed, config, priorPrivate }: PlanRequest,
): Promise<PlannedResource> {
  if (proposed === null) return { planned: null, requiresReplace: [], private: priorPrivate, diagnostics: [] };
  const before = prior === null ? undefined : attributesOf(prior);
  const given = attributesOf(config);
  const imported = readPrivate(priorPrivate).imported === true;
  const planned = planValues(resource, { config: given, prior: before, imported });
  const changed =
    before === undefined
      ? []
      : changedAttributes(resource, before, new Map(Object.entries(planned) as [string, Value][]));
  const change = { resource, config: given, prior: before, planned, changed };
  return {
    planned,
    requiresReplace: changed.filter(({ requiresReplace }) => requiresReplace).map(({ name }): Path => [name]),
    private: priorPrivate,
    diagnostics: [
      ...checkIds(knownIds(resource.attributes, given)),
      ...(await checkTarget(world, change)),
      ...(await world.references({ ...change, changed: before === undefined ? resource.attributes : changed })),
      ...checkMoment(world, change),
      ...checkChange(change),
    ],
  };
}

interface Change {
  readonly resource: ResourceSchema;
  readonly config: ValueMap;
  /** Undefined for a create. */
  readonly prior: ValueMap | undefined;
  readonly planned: ValueMap;
  readonly changed: readonly TerraformAttribute[];
}

/** What only a plan can weigh: whether the object is there, and whether our own decisions hold for the service. */
async function checkTarget(
  world: PlanWorld,
  { resource, config, prior, changed }: Change,
): Promise<readonly ProviderDiagnostic[]> {
  const { attributes } = resource;
  // With ignore_changes the values of the state are in it, what the service decides among them.
  const own = attributes.filter(({ required, optional }) => required || optional);
  const found = checkConfig(resource, valueMap(own.map(({ name }) => [name, config[name] ?? null])));
  const secrets = prior === undefined ? found.filter(({ is }) => is === "secret") : [];
  const stated = prior !== undefined && changed.length > 0 ? found.filter(({ is }) => is === "stated") : [];
  const decisions = found.filter(({ is }) => is === "decision");
  const isStrict = decisions.length > 0 && (await world.isBundled());
  return [...secrets, ...stated, ...(isStrict ? decisions : [])].map(({ diagnostic }) => diagnostic);
}

/** Why such an object cannot be created now, or brought to another moment. */
function checkMoment({ now }: PlanWorld, { resource, config, prior, changed }: Change): readonly ProviderDiagnostic[] {
  const { kind, attributes } = resource;
  if (kind.beforeCreate === undefined || (prior !== undefined && changed.length === 0)) return [];
  const { known } = knownFields(decodeFields(attributes, config, new Map()));
  const fields: JsonObject = normalObject(kind, known);
  return findings(() => kind.beforeCreate?.(fields, now()) ?? []).flatMap((finding) => {
    const path = attributePath(attributes, finding.path);
    const isMoved = prior === undefined || changed.some(({ name }) => name === path[0]);
    const words = (sentence: string) => inTerraformWords(attributes, sentence);
    return isMoved ? [errorAt(path, words(finding.summary), words(finding.detail))] : [];
  });
}

/** Changes that the service knows no way for. */
function checkChange({ resource, prior, planned, changed: all }: Change): readonly ProviderDiagnostic[] {
  // What is not known yet may turn out to be as it is; Terraform plans it again before it applies it.
  const changed = all.filter(({ name }) => isWhollyKnown(planned[name] ?? null));
  if (prior === undefined || changed.length === 0) return [];
  const { kind, type } = resource;
  if (kind.createdByUse && changed.some(({ name }) => name === "name")) {
    const detail = `Its name remains ${JSON.stringify(prior["name"])}. Declare a new ${type} of the new name, let the scenarios carry it, then remove this one`;
    return [errorAt(["name"], `${type} cannot be renamed`, detail)];
  }
  if (prior["readonly"] !== true || all.some(({ requiresReplace }) => requiresReplace)) return [];
  const names = changed.filter(({ source }) => source.is === "field").map(({ name }) => name);
  const detail = `The service lets nobody change this object, so ${names.join(", ")} cannot be changed`;
  return names.length === 0 ? [] : [errorAt([names[0] ?? ""], `${type} is read-only`, detail)];
}
