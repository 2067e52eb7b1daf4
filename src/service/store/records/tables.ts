import { record, type Shape } from "../shape.ts";
import {
  type ConfigurationRecord,
  configurationMembers,
  type ScheduleRecord,
  type ShareLinkRecord,
} from "./configurations.ts";
import { type ExecutionRecord, executionMembers, type MetricDefRecord } from "./executions.ts";
import { type GatewayRecord, gatewayMembers, type RecordingRecord, type TrafficRecord } from "./gateways.ts";
import {
  type GrantRecord,
  type OrganizationRecord,
  organizationMembers,
  type TagRecord,
  type UserRecord,
} from "./organizations.ts";
import { repositoryMembers, type VcsRootRecord } from "./repositories.ts";
import { type AgentRecord, type ProviderRecord, type RegionRecord, runnerMembers } from "./runners.ts";
import {
  type DataStoreRecord,
  type IteratorRecord,
  type ScenarioRecord,
  scenarioMembers,
  type TestCaseRecord,
} from "./scenarios.ts";
import type { Members } from "./stored.ts";

/** Everything that is stored, by table. */
export interface Tables {
  readonly organization: OrganizationRecord;
  readonly user: UserRecord;
  readonly grant: GrantRecord;
  readonly testCase: TestCaseRecord;
  readonly scenario: ScenarioRecord;
  readonly dataStore: DataStoreRecord;
  readonly configuration: ConfigurationRecord;
  readonly schedule: ScheduleRecord;
  readonly gateway: GatewayRecord;
  readonly recording: RecordingRecord;
  readonly traffic: TrafficRecord;
  readonly vcsRoot: VcsRootRecord;
  readonly provider: ProviderRecord;
  readonly region: RegionRecord;
  readonly agent: AgentRecord;
  readonly tag: TagRecord;
  readonly execution: ExecutionRecord;
  readonly metricDef: MetricDefRecord;
  readonly shareLink: ShareLinkRecord;
  readonly iterator: IteratorRecord;
}

/** Name of a table. */
export type TableName = keyof Tables;

const members: { readonly [T in TableName]: Members<Tables[T]> } = {
  ...organizationMembers,
  ...scenarioMembers,
  ...configurationMembers,
  ...gatewayMembers,
  ...repositoryMembers,
  ...runnerMembers,
  ...executionMembers,
};

/** The shape of a table's records. */
export function recordShape(table: TableName): Shape {
  return record(members[table]);
}

/** Tables in the order of a snapshot: parents first. */
export const tableNames: readonly TableName[] = [
  "organization",
  "user",
  "grant",
  "provider",
  "region",
  "agent",
  "vcsRoot",
  "tag",
  "testCase",
  "gateway",
  "recording",
  "traffic",
  "scenario",
  "dataStore",
  "iterator",
  "configuration",
  "schedule",
  "execution",
  "metricDef",
  "shareLink",
];

/** Tables of the objects below an object, which are deleted with it: child table and the column that points up. */
export const children: Readonly<Partial<Record<TableName, readonly (readonly [TableName, string])[]>>> = {
  organization: [["testCase", "organizationId"]],
  testCase: [
    ["gateway", "testCaseId"],
    ["configuration", "testCaseId"],
    ["scenario", "testCaseId"],
    ["metricDef", "testCaseId"],
  ],
  scenario: [["dataStore", "scenarioId"]],
  dataStore: [["iterator", "dataStoreId"]],
  configuration: [
    ["schedule", "configurationId"],
    ["execution", "configurationId"],
    ["shareLink", "configurationId"],
  ],
  execution: [["shareLink", "executionId"]],
  gateway: [["recording", "gatewayId"]],
  recording: [["traffic", "recordingId"]],
  provider: [["region", "providerId"]],
  user: [["grant", "userId"]],
};

/** The way up from an object to its organization: parent table and the column that holds its id. */
export const parents: Readonly<Partial<Record<TableName, readonly [TableName, string]>>> = {
  testCase: ["organization", "organizationId"],
  vcsRoot: ["organization", "organizationId"],
  tag: ["organization", "organizationId"],
  provider: ["organization", "organizationId"],
  agent: ["organization", "organizationId"],
  shareLink: ["organization", "organizationId"],
  scenario: ["testCase", "testCaseId"],
  configuration: ["testCase", "testCaseId"],
  gateway: ["testCase", "testCaseId"],
  dataStore: ["scenario", "scenarioId"],
  schedule: ["configuration", "configurationId"],
  execution: ["configuration", "configurationId"],
  metricDef: ["testCase", "testCaseId"],
  recording: ["gateway", "gatewayId"],
  traffic: ["recording", "recordingId"],
  region: ["provider", "providerId"],
};
