export type { ApplyEvent } from "./apply/events.ts";
export type { AppDocument } from "./constructs/app.ts";
export { App } from "./constructs/app.ts";
export type { Expression } from "./constructs/expressions.ts";
export { env, file, variable } from "./constructs/expressions.ts";
export {
  Configuration,
  DataStore,
  Gateway,
  Provider,
  Region,
  Scenario,
  Schedule,
  Tag,
  TestCase,
  VcsRoot,
} from "./constructs/kinds.ts";
export type { AppProps } from "./constructs/props/app-props.ts";
export type { Diagnostic } from "./model/diagnostic.ts";
export type { Change, Plan } from "./plan/plan.ts";
export type {
  ApplyFlags,
  ApplyOutcome,
  ApplyUi,
  PlanFlags,
  PlanOutcome,
  ProjectFlags,
  World,
} from "./project.ts";
export { applyProject, planProject, processWorld, stateCommand, validateProject, whoami } from "./project.ts";
