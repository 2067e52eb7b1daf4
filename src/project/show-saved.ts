import { resolve } from "node:path";
import { orExplained } from "../apply/explain-failure.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import { readPlanFile } from "./apply-saved.ts";
import type { ShownPlan } from "./saved-plan.ts";
import { openPlan } from "./saved-plan.ts";
import type { System } from "./system.ts";

/** A saved plan as it was shown, or why it cannot be. */
interface SavedAsShown {
  /** As `plan --json` printed it. */
  readonly document?: JsonObject;
  readonly shown?: ShownPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a saved plan to show it: nothing but its file is looked at. */
export function showSaved(file: string, { cwd }: Pick<System, "cwd">): Promise<SavedAsShown> {
  const text = () => readPlanFile(resolve(cwd, file), file);
  return orExplained<SavedAsShown>(
    async () => {
      const { loadform: _saved, shown, file_digest: _digest, ...document } = openPlan(await text(), file).document;
      return { document, shown: shown as unknown as ShownPlan, diagnostics: [] };
    },
    (diagnostics) => ({ diagnostics }),
  );
}
