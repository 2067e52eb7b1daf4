import { code, type Fields, file } from "./start-forms.ts";

/** A form that is refused. */
export interface Refused {
  readonly rule: string;
  readonly fields: Fields;
  /** The fields that are named, in their order. */
  readonly named: readonly string[];
}

const engineA = { duration_mins: "1", enginea_testplan: file("plan.jmx") };
const regions = "cloud-us-east-1,cloud-eu-west-1";

/** Forms that are refused: common parameters. */
export const refusedCommon: readonly Refused[] = [
  {
    rule: "Load needs a duration or iterations",
    fields: { ...code, duration_mins: undefined },
    named: ["duration_mins"],
  },
  { rule: "a duration and iterations exclude each other", fields: { ...code, iterations: "3" }, named: ["iterations"] },
  { rule: "duration_mins is a number", fields: { ...code, duration_mins: "long" }, named: ["duration_mins"] },
  { rule: "duration_mins is above 0", fields: { ...code, duration_mins: "0" }, named: ["duration_mins"] },
  {
    rule: "minutes and seconds exclude each other",
    fields: { ...engineA, duration_secs: "9" },
    named: ["duration_secs"],
  },
  {
    rule: "duration_secs is whole",
    fields: { ...engineA, duration_mins: undefined, duration_secs: "1.5" },
    named: ["duration_secs"],
  },
  {
    rule: "iterations are at least 1",
    fields: { ...code, duration_mins: undefined, iterations: "0" },
    named: ["iterations"],
  },
  {
    rule: "iteration_sleep_secs is at least 1",
    fields: { ...code, iteration_sleep_secs: "0" },
    named: ["iteration_sleep_secs"],
  },
  { rule: "rampup_mins is not negative", fields: { ...code, rampup_mins: "-1" }, named: ["rampup_mins"] },
  {
    rule: "two ramp-ups exclude each other",
    fields: { ...code, rampup_mins: "1", rampup_secs: "9" },
    named: ["rampup_secs"],
  },
  { rule: "test_type is closed", fields: { ...code, test_type: "Soak" }, named: ["test_type"] },
  { rule: "virtual_users are counted", fields: { ...code, virtual_users: "some" }, named: ["virtual_users"] },
  { rule: "concurrent_users are at least 1", fields: { ...code, concurrent_users: "0" }, named: ["concurrent_users"] },
  {
    rule: "two numbers of users agree",
    fields: { ...code, virtual_users: "3", concurrent_users: "4" },
    named: ["concurrent_users"],
  },
  {
    rule: "users are total or per region",
    fields: { ...code, virtual_users: "3", concurrent_users_per_region: "3" },
    named: ["concurrent_users_per_region"],
  },
  { rule: "each instance has a user", fields: { ...code, virtual_users: "2", instances: "3" }, named: ["instances"] },
  { rule: "instances are at least 1", fields: { ...code, instances: "0" }, named: ["instances"] },
  {
    rule: "each region has a user",
    fields: { ...code, virtual_users: "1", "conf_testrunners[0].regions": regions },
    named: ["virtual_users"],
  },
  {
    rule: "step load needs step and a duration",
    fields: { ...code, duration_mins: undefined, start_concurrent_users: "1", virtual_users: "9" },
    named: ["step", "duration_mins"],
  },
  {
    rule: "step load has no iterations",
    fields: {
      ...code,
      duration_mins: undefined,
      iterations: "3",
      start_concurrent_users: "1",
      step: "1",
      virtual_users: "9",
    },
    named: ["duration_mins"],
  },
  {
    rule: "a step needs a start",
    fields: { ...code, step: "2", virtual_users: "9" },
    named: ["start_concurrent_users"],
  },
  {
    rule: "steps rise",
    fields: { ...code, start_concurrent_users: "9", step: "1", virtual_users: "3" },
    named: ["start_concurrent_users"],
  },
  {
    rule: "steps are at most 50",
    fields: { ...code, start_concurrent_users: "1", step: "1", virtual_users: "90" },
    named: ["step"],
  },
  {
    rule: "a step is total or per region",
    fields: { ...code, start_concurrent_users: "1", step: "1", step_per_region: "1", virtual_users: "9" },
    named: ["step_per_region"],
  },
  { rule: "percentiles are numbers", fields: { ...code, percentiles: "50,high" }, named: ["percentiles"] },
  { rule: "percentiles are at most 100", fields: { ...code, percentiles: "50,100.1" }, named: ["percentiles"] },
  { rule: "manual_start is true or false", fields: { ...code, manual_start: "yes" }, named: ["manual_start"] },
  { rule: "max_duration_mins is above 0", fields: { ...code, max_duration_mins: "0" }, named: ["max_duration_mins"] },
  {
    rule: "only_capture_failure is a flag",
    fields: { ...code, only_capture_failure: "1" },
    named: ["only_capture_failure"],
  },
  { rule: "platform is closed", fields: { ...code, platform: "darwin" }, named: ["platform"] },
  { rule: "tags have names", fields: { ...code, results_tags: `a,${"x".repeat(256)}` }, named: ["results_tags"] },
  {
    rule: "an encrypted parameter has a value",
    fields: { ...code, "params[Pw].encrypted": "true" },
    named: ["params[Pw].encrypted"],
  },
  {
    rule: "encrypted is a flag",
    fields: { ...code, "params[Pw]": "x", "params[Pw].encrypted": "on" },
    named: ["params[Pw].encrypted"],
  },
  { rule: "files are files", fields: { ...code, "files[0]": "text" }, named: ["files[0]"] },
  { rule: "texts are no files", fields: { ...code, note: file("note.txt") }, named: ["note"] },
  {
    rule: "files stay within the scenario",
    fields: { ...code, "files[0]": file("../../etc/passwd") },
    named: ["files[0]"],
  },
  {
    rule: "a path is there once",
    fields: { ...code, "files[0]": file("a.csv"), "files[1]": file("a.csv") },
    named: ["files[1]"],
  },
  { rule: "test case names can be read", fields: { ...code, testcase_name: "  " }, named: ["testcase_name"] },
  {
    rule: "names are at most 255 characters",
    fields: { ...code, scenario_name: "x".repeat(256), conf_name: "y".repeat(256) },
    named: ["scenario_name", "conf_name"],
  },
  { rule: "a folder is a path", fields: { ...code, testcase_folder: "a//b" }, named: ["testcase_folder"] },
  { rule: "repo_url is a url", fields: { ...code, repo_url: "somewhere" }, named: ["repo_url"] },
  { rule: "a branch has its repository", fields: { ...code, repo_branch: "main" }, named: ["repo_url"] },
  {
    rule: "root_folder stays within the project",
    fields: { ...code, root_folder: "../other" },
    named: ["root_folder"],
  },
  { rule: "source_repo_url is a url", fields: { ...code, source_repo_url: "x" }, named: ["source_repo_url"] },
  {
    rule: "exclusions are regular expressions",
    fields: { ...code, assertions_exclusion_pattern: "ok,(" },
    named: ["assertions_exclusion_pattern"],
  },
  { rule: "reassign_on_fail is a flag", fields: { ...code, reassign_on_fail: "maybe" }, named: ["reassign_on_fail"] },
  ...[
    "Response Time < 3",
    "Response Time[p101] < 1",
    "count > 1%",
    "Outcome > 95%",
    "Response Time[p50] < 1 bytes",
  ].map((expr) => ({
    rule: `a KPI can be judged: ${expr}`,
    fields: { ...code, "kpis[0].expr": expr },
    named: ["kpis[0].expr"],
  })),
  { rule: "a KPI has an expression", fields: { ...code, "kpis[0].break_on_fail": "true" }, named: ["kpis[0].expr"] },
  {
    rule: "break_on_fail is a flag",
    fields: { ...code, "kpis[0].expr": "count > 1", "kpis[0].break_on_fail": "x" },
    named: ["kpis[0].break_on_fail"],
  },
];
