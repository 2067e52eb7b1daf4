import type { Api } from "../api/routes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import type { PauseIntent } from "../state/journal.ts";
import { isPause } from "../state/journal.ts";
import type { StateResource } from "../state/state.ts";
import type { StateSession, StoredState } from "../state/store.ts";
import { failureDiagnostic, isConflict, isMissing } from "./operation-failed.ts";

/** Where requests go. */
interface Place {
  readonly api: Api;
  readonly organization: number;
}

/**
 * Lets an object act by itself again. One that is gone, was made anew or is to stay paused needs nothing, nor does one that
 * cannot be paused any more: 409 (seed 1, States: only a recurring schedule is paused).
 */
export async function resumePaused(
  { api, organization }: Place,
  kind: AnyKind,
  of: { readonly pause: Pick<PauseIntent, "address" | "id">; readonly resource: StateResource | undefined },
): Promise<void> {
  const { address, id } = of.pause;
  if (kind.pause === undefined || of.resource?.id !== id || of.resource.applied[kind.pause.field] === false) return;
  await kind.remote
    .set?.({ api, organization, address, id, body: { [kind.pause.field]: true } })
    .catch((problem: unknown) => {
      if (!isMissing(problem) && !isConflict(problem)) throw problem;
    });
}

/** Resumes what a killed run left paused (docs/engine.md, Write routes); what cannot be resumed stays in the journal. */
export async function resumeLeftPaused(
  stored: StoredState,
  at: Place & { readonly session: StateSession; readonly kinds: readonly AnyKind[] },
): Promise<{ readonly stored: StoredState; readonly diagnostics: readonly Diagnostic[] }> {
  const left: PauseIntent[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const pause of stored.intents.filter(isPause)) {
    const kind = kindsByName(at.kinds).get(pause.kind);
    try {
      if (kind) await resumePaused(at, kind, { pause, resource: stored.state.resources[pause.address] });
      await at.session.record([{ phase: "resumed", address: pause.address }]);
    } catch (problem) {
      left.push(pause);
      diagnostics.push(stillPaused(pause.address, problem));
    }
  }
  const others = stored.intents.filter((intent) => !isPause(intent));
  return { stored: { ...stored, intents: [...others, ...left] }, diagnostics };
}

/** An object that could not be resumed. */
export function stillPaused(address: string, problem: unknown): Diagnostic {
  const { detail } = failureDiagnostic(address, problem);
  return {
    severity: "error",
    code: "LF6006",
    summary: `${address} is still paused`,
    detail: `it was paused while what it runs changed, and could not be resumed: ${detail}. The next apply tries again`,
    address,
  };
}
