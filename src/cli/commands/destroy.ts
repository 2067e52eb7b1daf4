import { applyChanges } from "../apply-changes.ts";
import type { Command } from "../command.ts";

/** `loadform destroy`: deletes all that the project owns. */
export const destroy: Command = (input) => applyChanges(input, true);
