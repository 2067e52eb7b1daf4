export type {
  AppProps,
  ConfigurationProps,
  DataStoreProps,
  GatewayProps,
  ProviderProps,
  RegionProps,
  ScenarioProps,
  ScheduleProps,
  TagProps,
  TestCaseProps,
  VcsRootProps,
} from "../gen/props.js";
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
export type { Diagnostic } from "./model/diagnostic.ts";
export type { Change, Plan } from "./plan/plan.ts";
export type { ApplyFlags, ApplyOutcome, ApplyUi } from "./project/apply-project.ts";
export { applyProject } from "./project/apply-project.ts";
export { validateProject } from "./project/open-project.ts";
export type { PlanOutcome } from "./project/plan-opened.ts";
export type { PlanFlags } from "./project/plan-project.ts";
export { planProject } from "./project/plan-project.ts";
export { stateCommand } from "./project/state-commands.ts";
export type { ProjectFlags, System } from "./project/system.ts";
export { processSystem } from "./project/system.ts";
export { whoami } from "./project/whoami.ts";
