import type { TableName } from "./records.ts";

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
  "scenario",
  "dataStore",
  "iterator",
  "configuration",
  "schedule",
  "execution",
  "shareLink",
];

/** What lies below an object and goes with it: child table and the column that points up. */
export const children: Readonly<Partial<Record<TableName, readonly (readonly [TableName, string])[]>>> = {
  organization: [["testCase", "organizationId"]],
  testCase: [
    ["gateway", "testCaseId"],
    ["configuration", "testCaseId"],
    ["scenario", "testCaseId"],
  ],
  scenario: [["dataStore", "scenarioId"]],
  dataStore: [["iterator", "dataStoreId"]],
  configuration: [
    ["schedule", "configurationId"],
    ["execution", "configurationId"],
    ["shareLink", "configurationId"],
  ],
  gateway: [["recording", "gatewayId"]],
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
  recording: ["gateway", "gatewayId"],
  region: ["provider", "providerId"],
};
