import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { PrivateBytes, ProviderDiagnostic, ResourceState } from "../provider-session.ts";
import type { LiveObject } from "../values/live-object.ts";
import { mergeState } from "../values/merge-state.ts";
import { privateOf, readPrivate, writePrivate } from "../values/private-state.ts";
import { isWhollyKnown, type Value, type ValueMap, valueMap } from "../wire/values.ts";
import { sameValue } from "./plan-values.ts";
import { warningAt } from "./provider-problem.ts";

/**
 * The state after a write: exactly what was planned, and what the service chose for the rest. Where the service answered
 * something else than planned the state says what was planned, for Terraform refuses another value; the next read shows it.
 * Of what may be secret, one that was imported, as its bytes say, has what the service shows.
 */
export function settleState(
  resource: ResourceSchema,
  planned: ValueMap,
  live: LiveObject,
  bytes?: PrivateBytes,
): ResourceState {
  const merged = mergeState(resource, planned, live, bytes && readPrivate(bytes));
  const diagnostics: ProviderDiagnostic[] = [];
  const state = resource.attributes.map(({ name, source, computed }): [string, Value] => {
    const value = planned[name] ?? null;
    const answered = merged[name] ?? null;
    if (!isWhollyKnown(value)) return [name, answered];
    const isComputed = computed === true && source.is !== "field";
    if (answered !== null && !sameValue(value, answered) && !isComputed) diagnostics.push(storedOtherwise(name));
    return [name, value];
  });
  return { state: valueMap(state), private: writePrivate(privateOf(resource.kind, live)), diagnostics };
}

function storedOtherwise(name: string): ProviderDiagnostic {
  const detail = `The service's answer has another ${name} than the one that was sent. Someone may have changed it at the same moment: the next plan shows it`;
  return warningAt([name], `the service stored another ${name}`, detail);
}
