import type { Command } from "../command.ts";
import { applyChanges } from "./apply.ts";

/** `loadform destroy`: deletes everything that is bound in the project's state. */
export const destroy: Command = (input) => applyChanges(input);
