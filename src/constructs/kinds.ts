import type {
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
} from "../../gen/props.js";
import {
  configuration,
  dataStore,
  gateway,
  provider,
  region,
  scenario,
  schedule,
  tag,
  testCase,
  vcsRoot,
} from "../kinds/index.ts";
import { constructOf } from "./kind-construct.ts";

/** A test case, in the App: holds the scenarios, configurations, gateways and data of one load test. */
export class TestCase extends constructOf<TestCaseProps, typeof testCase>(testCase) {}

/** A test configuration, in a TestCase: users per region, duration in seconds, regions, and what stops it. */
export class Configuration extends constructOf<ConfigurationProps, typeof configuration>(configuration) {}

/** A schedule, in a Configuration: when it runs by itself, in UTC. */
export class Schedule extends constructOf<ScheduleProps, typeof schedule>(schedule) {}

/** A scenario, in a TestCase: the script that each virtual user runs. */
export class Scenario extends constructOf<ScenarioProps, typeof scenario>(scenario) {}

/** A data store, in a Scenario: a file whose rows the script reads. */
export class DataStore extends constructOf<DataStoreProps, typeof dataStore>(dataStore) {}

/** A gateway, in a TestCase: the proxy through which traffic is recorded. */
export class Gateway extends constructOf<GatewayProps, typeof gateway>(gateway) {}

/** A repository, in the App: where scenario sources are cloned from. */
export class VcsRoot extends constructOf<VcsRootProps, typeof vcsRoot>(vcsRoot) {}

/** A provider of test runners, in the App: a private grid, or cloud instances created per test. */
export class Provider extends constructOf<ProviderProps, typeof provider>(provider) {}

/** A region of a private grid, in the App. */
export class Region extends constructOf<RegionProps, typeof region>(region) {}

/** A label of test results, in the App. */
export class Tag extends constructOf<TagProps, typeof tag>(tag) {}
