import { kinds } from "../../kinds/index.ts";
import { parentAddress } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { kindsByName } from "../../model/kind.ts";
import { referredAddresses } from "../../model/references.ts";
import type { Tree } from "../../model/tree.ts";
import type { Change } from "../../plan/plan.ts";
import type { LoadedProject } from "../open-project.ts";
import { commandWords } from "../open-project.ts";
import type { PlanOutcome } from "../plan-opened.ts";
import type { System } from "../system.ts";

/** A configuration that can be started, and the differences between what is declared and what would run. */
export interface Runnable {
  readonly configurationId: number | undefined;
  readonly differences: readonly Change[];
}

const differing: readonly string[] = ["create", "update", "replace"];

/** Compares a configuration and everything that it runs with the service, as a plan has found them. */
export function checkRunnable(address: string, { plan, made }: PlanOutcome, tree: Tree): Runnable {
  const parts = partsOf(address, tree);
  const differences = (plan?.changes ?? []).filter(
    (change) => parts.has(change.address) && differing.includes(change.action),
  );
  return { configurationId: made?.state.resources[address]?.id, differences };
}

/** The test case, the configuration without its schedules, its scenario with data stores, providers and regions. */
function partsOf(address: string, tree: Tree): ReadonlySet<string> {
  const byName = kindsByName(kinds);
  const parts = new Set([address, parentAddress(address) ?? ""]);
  const node = tree.nodes.get(address);
  const kind = byName.get("configuration");
  const referred = node && kind ? [...referredAddresses(kind, node.fields), ...(node.dependsOn ?? [])] : [];
  for (const each of referred) {
    parts.add(each);
    for (const child of tree.nodes.values())
      if (child.parent === each && child.kind === "dataStore") parts.add(child.handle);
  }
  return parts;
}

/** Refuses to run what is not at the service as it is declared. */
export function notAsDeclared(
  address: string,
  { differences }: Runnable,
  project: LoadedProject,
  system: System,
): Diagnostic {
  const words = differences.map(({ address: at, action, fields }) => {
    const names = fields.map(({ field }) => field);
    return `${at}: ${action}${action === "update" && names.length > 0 ? ` of ${names.join(", ")}` : ""}`;
  });
  return {
    ...{ severity: "error", code: "LF7001", address },
    summary: `${address} is not at the service as it is declared`,
    detail: `${words.join("; ")}. Run: loadform apply${commandWords(project, system)}. --stale-ok runs what is there`,
  };
}
