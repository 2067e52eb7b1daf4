import fc from "fast-check";
import { anyCommand, fullProject } from "./life-commands.ts";

/** The service as it is settled, mostly, else with the other answer to an assumption (docs/engine.md, Assumptions). */
const settings = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      { nested: "summary" } as const,
      { touch: "parent" } as const,
      { inUse: "allow" } as const,
      { errors: "plain" } as const,
      { contents: "duplicate" } as const,
      { nameCase: "fold" } as const,
      { upsert: "clear" } as const,
    ),
  },
);

/** A project, what happens to it, and the service that it meets. */
export const anyLife = fc.record({
  wishes: fullProject,
  commands: fc.array(anyCommand, { minLength: 30, maxLength: 30 }),
  service: fc.record({ outlives: fc.boolean(), settings }),
});
