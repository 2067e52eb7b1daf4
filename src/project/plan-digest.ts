import { same } from "../model/fingerprint.ts";
import { canonicalJson, type Json, type JsonObject, valueAt } from "../model/json.ts";
import { sensitiveText } from "../model/redact.ts";
import type { TreeNode } from "../model/tree.ts";
import type { Change } from "../plan/plan.ts";
import { readableValue } from "../report/readable-value.ts";
import { type KeyDerivation, secretFingerprint } from "../state/secret-fingerprint.ts";
import { sha256 } from "../workspace/hash.ts";
import type { PlanOutcome } from "./plan-opened.ts";

/**
 * Parts of a plan that its digest covers and its document does not show (docs/engine.md, Saved plans): the ids of
 * touched objects, and one keyed fingerprint of all hidden values. Equal for equal plans, in every process.
 */
export function unshownParts({ plan, made }: PlanOutcome, derive: KeyDerivation): JsonObject {
  const { changes = [] } = plan ?? {};
  if (changes.length === 0 || made === undefined) return {};
  const { resources } = made.state;
  const idOf = (address: string | undefined) => (address === undefined ? undefined : resources[address]?.id) ?? null;
  const ids = changes.map(
    ({ address, id }): Json => [address, id ?? null, idOf(made.project.tree.nodes.get(address)?.parent)],
  );
  const values = hiddenValues(made.project.tree.nodes, changes);
  return { ids, ...(values.length > 0 && { values: keyedHash(values, made, derive) }) };
}

/** Values of set or changed fields that are shown as words alone, each with its place. */
export function hiddenValues(nodes: ReadonlyMap<string, TreeNode>, changes: readonly Change[]): readonly Json[] {
  return changes.flatMap((change): Json[] => {
    const { address, action } = change;
    const node = action === "delete" || action === "forget" ? undefined : nodes.get(address);
    if (node === undefined) return [];
    const secrets = (node.sensitive ?? [])
      .filter((path) => isSet(change, path))
      .map((path): Json => [address, path, valueAt(node.fields, path.split(".")) ?? null]);
    // A part of a value may be shown as words: a password within an address.
    const isMasked = (value: Json) => JSON.stringify(readableValue(value)).includes(sensitiveText);
    const masked = Object.entries(node.fields).filter(([field, value]) => isMasked(value) && isSet(change, field));
    return [...secrets, ...masked.map(([field, value]): Json => [address, field, value])];
  });
}

/** True where a change sets a value, or changes it. */
function isSet({ action, before, after }: Change, path: string): boolean {
  const steps = path.split(".");
  return (action !== "update" && action !== "no-op") || !same(valueAt(before, steps), valueAt(after, steps));
}

/** By the key of the state; while there is none, by one that is derived from the values themselves and the place. */
function keyedHash(values: readonly Json[], made: NonNullable<PlanOutcome["made"]>, derive: KeyDerivation): string {
  const { state, plan } = made;
  if (state.serial > 0) return secretFingerprint(state, derive)("plan", "digest", values);
  const { project, environment = null, target } = plan;
  const salt = sha256(canonicalJson([project, environment, target.url, target.organization]));
  return Buffer.from(derive(canonicalJson(values), salt)).toString("hex");
}
