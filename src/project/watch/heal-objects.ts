import { isWithin } from "../../model/address.ts";
import { type Diagnostic, redactDiagnostic } from "../../model/diagnostic.ts";
import { type Change, isEnding } from "../../plan/plan.ts";
import type { Finding, HealEnd } from "../../watch/check-result.ts";
import { type ApplyFlags, type ApplyOutcome, type ApplyUi, applyProject } from "../apply-project.ts";
import { redactSecrets, secretHolders } from "../known-secrets.ts";
import type { System } from "../system.ts";
import { busyObjects } from "./healable-objects.ts";
import { changeOrigin } from "./judge-plan.ts";

/** The objects to heal, and what holds while it is done. */
export interface Healing {
  readonly addresses: readonly string[];
  /** Of everything that was found, by address: a pipeline may have applied something else since. */
  readonly origins: ReadonlyMap<string, Finding["origin"]>;
  /** Deletes and replacements are healed, too. */
  readonly prune: boolean;
  readonly flags: Pick<ApplyFlags, "dir" | "environment" | "vars" | "visitor">;
  /** Aborted: what is in flight is finished and stored, and nothing more is begun. */
  readonly signal: AbortSignal;
  /** Called before the first write. */
  readonly beforeWrites: () => void;
}

/** Tries without objects that have become busy. */
const mostTries = 3;

/**
 * Applies these objects and what they need; no lock is waited for and no guard is overridden. Under the lock, with the service read
 * once more, they are not written if a run of them is under way by now. Undefined: it is postponed to the next check.
 */
export async function healObjects(healing: Healing, system: System): Promise<HealEnd | undefined> {
  let addresses = healing.addresses;
  for (let tries = 0; tries < mostTries && addresses.length > 0; tries++) {
    const tried = await healOnce({ ...healing, addresses }, system);
    const left = "busy" in tried ? tried.busy : waitingFor(tried);
    if (!("busy" in tried) && left.size === 0) return tried;
    const rest = addresses.filter((address) => ![...left].some((each) => isWithin(address, each)));
    // Something that is needed is left, and no smaller part of these would be without it.
    if (rest.length === addresses.length) break;
    addresses = rest;
  }
  return undefined;
}

/** Objects that would take the name of one that is not deleted now: they wait for it, and nothing was written. */
function waitingFor({ diagnostics, written }: HealEnd): ReadonlySet<string> {
  const isWaiting = ({ code }: Diagnostic) => code === nameTaken;
  return new Set(written.length > 0 ? [] : diagnostics.filter(isWaiting).flatMap(({ address }) => address ?? []));
}

const nameTaken = "LF3015";

/** Objects that are not written now; with none in it, the service is not as it was when it was decided. */
interface Postponed {
  readonly busy: ReadonlySet<string>;
}

async function healOnce(healing: Healing, system: System): Promise<HealEnd | Postponed> {
  const { addresses, origins, prune, flags, signal, beforeWrites } = healing;
  const written = new Set<string>();
  let busy = new Set<string>();
  const ui: ApplyUi = {
    signal,
    confirm: async () => true,
    show: () => undefined,
    emit: (event) => {
      if (event.type === "apply_complete") written.add(event.address);
    },
    async refusal(outcome, { api }) {
      busy = new Set((await busyObjects(outcome, { api, now: system.now() })).keys());
      const isOther = outcome.plan?.changes.some(
        (each) => (!prune && isEnding(each)) || changeOrigin(each) !== origins.get(each.address),
      );
      if (busy.size > 0 || isOther === true) return postponed;
      beforeWrites();
      return undefined;
    },
  };
  const outcome = await applyProject(
    { ...flags, targets: addresses, bareTargets: true, lockTimeoutSecs: 0, autoApprove: true },
    system,
    ui,
  );
  if (outcome.status === "stale") return { busy };
  if (outcome.status === "nothing" || outcome.status === "applied")
    for (const { address } of outcome.plan?.plan?.changes.filter(isBoundAnew) ?? []) written.add(address);
  const redact = redactSecrets(system.env, secretHolders(outcome.plan));
  // That a target leaves something out is what was decided.
  const told = outcome.diagnostics.filter(({ code, severity }) => severity === "error" || code !== "LF3007");
  const diagnostics = told.map((each) => redactDiagnostic(each, redact));
  return { status: statusOf[outcome.status], written: [...written], diagnostics };
}

/** True of a change of the state alone: nothing is sent for it. */
function isBoundAnew({ action, importing, previousAddress }: Change): boolean {
  return action === "forget" || importing === true || previousAddress !== undefined;
}

const postponed: Diagnostic = {
  severity: "error",
  code: "LF5008",
  summary: "it is not as it was when it was decided",
  detail:
    "A run of what would be written is under way by now, something would be deleted that was not, or a pipeline has applied something else. Check again",
};

const statusOf: Readonly<Record<Exclude<ApplyOutcome["status"], "stale">, HealEnd["status"]>> = {
  nothing: "healed",
  applied: "healed",
  partial: "partial",
  declined: "interrupted",
  blocked: "blocked",
  locked: "locked",
  failed: "failed",
  interrupted: "interrupted",
};
