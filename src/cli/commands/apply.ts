import { applyChanges } from "../apply-changes.ts";
import type { Command } from "../command.ts";

/** `loadform apply`: carries out what a plan of the folder shows, or a saved plan exactly. */
export const apply: Command = (input) => applyChanges(input, false);
