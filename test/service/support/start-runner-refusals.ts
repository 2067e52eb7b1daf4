import { code, file } from "./start-forms.ts";
import type { Refused } from "./start-refusals.ts";

const timed = { duration_mins: "1" };
const webdriver = { ...timed, conf_file: file("wdio.conf.js") };
const regions = "cloud-us-east-1,cloud-eu-west-1";
const cloudA = "conf_testrunners[0].cloud_access_key_id";
const cloudRegion = { "conf_testrunners[0].regions[0].name": "us-east-1" };

/** Forms that are refused: test runners. */
export const refusedRunners: readonly Refused[] = [
  {
    rule: "the multiplier is at most 16",
    fields: { ...code, testrunners_multiplier: "17" },
    named: ["testrunners_multiplier"],
  },
  {
    rule: "the multiplier is at least 0.0625",
    fields: { ...code, testrunners_multiplier: "0.06" },
    named: ["testrunners_multiplier"],
  },
  {
    rule: "the multiplier is at least 0.5 for the driver",
    fields: { ...webdriver, testrunners_multiplier: "0.4" },
    named: ["testrunners_multiplier"],
  },
  {
    rule: "the multiplier is at least 0.25 for headless",
    fields: { ...timed, headlessa_script: file("a.js"), testrunners_multiplier: "0.2" },
    named: ["testrunners_multiplier"],
  },
  {
    rule: "client addresses are at most the users",
    fields: { ...code, virtual_users: "3", testrunners_clientips: "4" },
    named: ["testrunners_clientips"],
  },
  {
    rule: "client addresses are at least 1",
    fields: { ...code, testrunners_clientips: "0" },
    named: ["testrunners_clientips"],
  },
  { rule: "max_runners is at least 1", fields: { ...code, max_runners: "0" }, named: ["max_runners"] },
  {
    rule: "regions are known",
    fields: { ...code, "conf_testrunners[0].regions": "cloud-us-east-1,mars" },
    named: ["conf_testrunners[0].regions"],
  },
  {
    rule: "regions are there once",
    fields: { ...code, virtual_users: "9", "conf_testrunners[0].regions": "cloud-us-east-1,cloud-us-east-1" },
    named: ["conf_testrunners[0].regions"],
  },
  {
    rule: "public regions are not private",
    fields: { ...code, "conf_testrunners[x].regions": "cloud-us-east-1", "conf_testrunners[x].public": "false" },
    named: ["conf_testrunners[x].regions"],
  },
  {
    rule: "private runners name their regions",
    fields: { ...code, "conf_testrunners[0].public": "false" },
    named: ["conf_testrunners[0].regions"],
  },
  {
    rule: "weights are one per region",
    fields: { ...code, virtual_users: "9", "conf_testrunners[0].regions": regions, "conf_testrunners[0].weight": "1" },
    named: ["conf_testrunners[0].weight"],
  },
  {
    rule: "weights are above 0",
    fields: {
      ...code,
      virtual_users: "9",
      "conf_testrunners[0].regions": regions,
      "conf_testrunners[0].weight": "1,0",
    },
    named: ["conf_testrunners[0].weight"],
  },
  {
    rule: "weights leave no region empty",
    fields: {
      ...code,
      virtual_users: "2",
      "conf_testrunners[0].regions": regions,
      "conf_testrunners[0].weight": "99,1",
    },
    named: ["conf_testrunners[0].weight"],
  },
  {
    rule: "cloud A: both keys",
    fields: { ...code, ...cloudRegion, [cloudA]: "k" },
    named: ["conf_testrunners[0].cloud_secret_key"],
  },
  {
    rule: "cloud B: its credentials",
    fields: {
      ...code,
      ...cloudRegion,
      "conf_testrunners[0].cloudb_tenant_id": "t",
      "conf_testrunners[0].cloudb_subscription_id": "s",
    },
    named: ["conf_testrunners[0].cloudb_client_id", "conf_testrunners[0].cloudb_client_secret"],
  },
  {
    rule: "cloud C: the account is JSON",
    fields: { ...code, ...cloudRegion, "conf_testrunners[0].cloudc_service_account": "me" },
    named: ["conf_testrunners[0].cloudc_service_account"],
  },
  {
    rule: "a cloud: a region",
    fields: { ...code, "conf_testrunners[0].cloud_role_arn": "r" },
    named: ["conf_testrunners[0].regions[0].name"],
  },
  {
    rule: "a cloud: one account",
    fields: {
      ...code,
      ...cloudRegion,
      "conf_testrunners[0].cloud_role_arn": "r",
      "conf_testrunners[0].cloudc_service_account": "{}",
    },
    named: ["conf_testrunners[0].cloudc_service_account"],
  },
  {
    rule: "a cloud: instances are counted",
    fields: {
      ...code,
      ...cloudRegion,
      "conf_testrunners[0].cloud_role_arn": "r",
      "conf_testrunners[0].regions[0].instances": "few",
    },
    named: ["conf_testrunners[0].regions[0].instances"],
  },
];
