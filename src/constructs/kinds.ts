import type * as props from "../../gen/props.js";
import * as kinds from "../kinds/index.ts";
import { constructOf } from "./kind-construct.ts";

/** A test case, in the App: holds the scenarios, configurations, gateways and data of one load test. */
export class TestCase extends constructOf<props.TestCaseProps, typeof kinds.testCase>(kinds.testCase) {}

/** A test configuration, in a TestCase: users per region, duration in seconds, regions, and what stops it. */
export class Configuration extends constructOf<props.ConfigurationProps, typeof kinds.configuration>(
  kinds.configuration,
) {}

/** A schedule, in a Configuration: when it runs by itself, in UTC. */
export class Schedule extends constructOf<props.ScheduleProps, typeof kinds.schedule>(kinds.schedule) {}

/** A scenario, in a TestCase: the script that each virtual user runs. */
export class Scenario extends constructOf<props.ScenarioProps, typeof kinds.scenario>(kinds.scenario) {}

/** A data store, in a Scenario: a file whose rows the script reads. */
export class DataStore extends constructOf<props.DataStoreProps, typeof kinds.dataStore>(kinds.dataStore) {}

/** A gateway, in a TestCase: the proxy through which traffic is recorded. */
export class Gateway extends constructOf<props.GatewayProps, typeof kinds.gateway>(kinds.gateway) {}

/** A repository, in the App: where scenario sources are cloned from. */
export class VcsRoot extends constructOf<props.VcsRootProps, typeof kinds.vcsRoot>(kinds.vcsRoot) {}

/** A provider of test runners, in the App: a private grid, or cloud instances created per test. */
export class Provider extends constructOf<props.ProviderProps, typeof kinds.provider>(kinds.provider) {}

/** A region of a private grid, in the App. */
export class Region extends constructOf<props.RegionProps, typeof kinds.region>(kinds.region) {}

/** A label of test results, in the App. */
export class Tag extends constructOf<props.TagProps, typeof kinds.tag>(kinds.tag) {}
