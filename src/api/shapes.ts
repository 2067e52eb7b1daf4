import { executionShapes } from "./shapes-executions.ts";
import { organizationShapes } from "./shapes-organizations.ts";
import { ownShapes } from "./shapes-own.ts";
import { scenarioShapes } from "./shapes-scenarios.ts";
import { testShapes } from "./shapes-tests.ts";

/** Every object of the seeds that travels on the wire, by name: field to descriptor (see `descriptors.ts`). */
export const shapes = {
  ...testShapes,
  ...scenarioShapes,
  ...organizationShapes,
  ...executionShapes,
  ...ownShapes,
} as const;

/** Name of an object on the wire. */
export type ShapeName = keyof typeof shapes;
