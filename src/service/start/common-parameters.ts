import type { Parameter, ScenarioType } from "./parameter.ts";

const engines: readonly ScenarioType[] = ["EngineA", "EngineB"];

/** API 2, Common parameters. */
export const commonParameters: readonly Parameter[] = [
  { name: "testcase_name", standard: "Main Test Case" },
  { name: "testcase_folder" },
  { name: "scenario_name" },
  { name: "conf_name" },
  { name: "test_type", choices: ["Load", "Functional", "Monitor"], standard: "Load" },
  { name: "virtual_users", value: "whole", from: 1 },
  { name: "concurrent_users", value: "whole", from: 1 },
  { name: "concurrent_users_per_region", value: "whole", from: 1 },
  { name: "instances", value: "whole", from: 1, standard: "1" },
  { name: "duration_mins", value: "decimal", above: 0 },
  { name: "duration_secs", value: "whole", from: 1, of: engines },
  { name: "rampup_mins", value: "decimal", from: 0, standard: "0" },
  { name: "rampup_secs", value: "whole", from: 0 },
  { name: "iterations", value: "whole", from: 1 },
  { name: "iteration_sleep_secs", value: "whole", from: 1, standard: "10" },
  { name: "start_concurrent_users", value: "whole", from: 1 },
  { name: "start_concurrent_users_per_region", value: "whole", from: 1 },
  { name: "step", value: "whole", from: 1 },
  { name: "step_per_region", value: "whole", from: 1 },
  { name: "percentiles", value: "numbers", from: 0, to: 100, standard: "50,95,99" },
  { name: "manual_start", value: "flag", standard: "false" },
  { name: "results_tags", value: "words" },
  { name: "max_duration_mins", value: "decimal", above: 0 },
  { name: "note" },
  { name: "only_capture_failure", value: "flag" },
  { name: "platform", choices: ["linux", "win32"] },
  { name: "params[*]", mayBeEmpty: true },
  { name: "params[*].encrypted", value: "flag", standard: "false" },
  { name: "files[*]", type: "File" },
  { name: "view", type: "File" },
];

/** API 2, Common parameters: where the scenario's project comes from, and how it is set up. */
export const projectParameters: readonly Parameter[] = [
  { name: "repo_url" },
  { name: "repo_branch", standard: "HEAD" },
  { name: "repo_username" },
  { name: "repo_token", secret: true },
  { name: "repo_pvt_key_name", standard: "id_rsa" },
  { name: "repo_pvt_key_contents", secret: true },
  { name: "root_folder" },
  { name: "additional_setup_command" },
  { name: "teardown_command" },
  { name: "no_package_lock_json", value: "flag", standard: "false" },
];

/** API 2, Common parameters: what is said of the run. */
export const runParameters: readonly Parameter[] = [
  { name: "source_repo_url" },
  { name: "source_repo_branch" },
  { name: "source_repo_commit" },
  { name: "assertions_exclusion_pattern", value: "patterns" },
  { name: "assertions_exclude_skips", value: "flag", standard: "false" },
  { name: "reassign_on_fail", value: "flag" },
];

/** API 2, KPIs. */
export const kpiParameters: readonly Parameter[] = [
  { name: "kpis[*].expr" },
  { name: "kpis[*].break_on_fail", value: "flag", standard: "false" },
];
