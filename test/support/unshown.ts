import type { ShownPlan } from "../../src/project/saved/saved-plan.ts";

/** A saved plan of which nobody looks at what was printed. */
export const unshown: ShownPlan = { text: "", markdown: "", page: "" };
