import { applyMutants } from "./apply-mutants.ts";
import { folderMutants } from "./folder-mutants.ts";
import { guardMutants } from "./guard-mutants.ts";
import { lyingMutants } from "./lying-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { planMutants } from "./plan-mutants.ts";
import { recordingMutants } from "./recording-mutants.ts";
import { savedPlanMutants } from "./saved-plan-mutants.ts";
import { secretMutants } from "./secret-mutants.ts";
import { serviceMutants } from "./service-mutants.ts";
import { snapshotMutants } from "./snapshot-mutants.ts";
import { stateMutants } from "./state-mutants.ts";
import { watchMutants } from "./watch-mutants.ts";

/** Every guard, taken out one by one. */
export const allMutants: readonly Mutant[] = [
  ...planMutants,
  ...guardMutants,
  ...applyMutants,
  ...lyingMutants,
  ...savedPlanMutants,
  ...secretMutants,
  ...snapshotMutants,
  ...stateMutants,
  ...folderMutants,
  ...serviceMutants,
  ...recordingMutants,
  ...watchMutants,
];
