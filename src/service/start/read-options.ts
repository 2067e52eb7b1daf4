import type { Scope } from "../core/scope.ts";
import { type StartDevice, type StartKpi, type StartOptions, standardStart } from "../core/start-options.ts";
import { kpiProblem } from "../executions/start-run.ts";
import { readName, schemeOf } from "../rules/read-text.ts";
import { itemField, type StartForm } from "./start-form.ts";

const secondsPerMinute = 60;

/** The options of the run itself in a form (API 2, Common parameters and KPIs). */
export function readOptions(form: StartForm, organizationId: number, scope: Scope): StartOptions {
  const standard = standardStart(organizationId, scope);
  const mostMinutes = form.number("max_duration_mins");
  const reassign = form.flag("reassign_on_fail") ?? standard.reassignOnFail;
  const platform = form.text("platform");
  const patterns = form.list<string>("assertions_exclusion_pattern");
  const source = readSource(form, scope);
  return {
    testType: readTestType(form),
    kpis: readKpis(form, scope),
    percentiles: form.list<number>("percentiles"),
    manualStart: form.flag("manual_start") ?? standard.manualStart,
    maxDurationSecs: mostMinutes === undefined ? null : Math.ceil(mostMinutes * secondsPerMinute),
    note: form.text("note") ?? null,
    tags: [...new Set(form.list<string>("results_tags").map((tag) => readName(tag, scope, "results_tags")))],
    onlyCaptureFailure: form.flag("only_capture_failure") ?? standard.onlyCaptureFailure,
    devices: readDevices(form, scope),
    ...(platform === undefined ? {} : { platform }),
    ...(reassign === undefined ? {} : { reassignOnFail: reassign }),
    ...(patterns.length === 0 ? {} : { assertionsExclusionPatterns: patterns }),
    ...(form.has("assertions_exclude_skips")
      ? { assertionsExcludeSkips: form.flag("assertions_exclude_skips") === true }
      : {}),
    ...(source ? { source } : {}),
  };
}

/** API 2, Common parameters: test_type is Load by default. */
export function readTestType(form: StartForm): StartOptions["testType"] {
  const word = form.text("test_type");
  return word === "Functional" || word === "Monitor" ? word : "Load";
}

function readKpis(form: StartForm, scope: Scope): readonly StartKpi[] {
  return form.keys("kpis[*]").map((key) => {
    const field = itemField("kpis[*].expr", key);
    const expr = form.text(field) ?? "";
    const problem = kpiProblem(expr);
    if (problem !== undefined) scope.findings.add(field, problem);
    return { expr: expr.trim(), breakOnFail: form.flag(itemField("kpis[*].break_on_fail", key)) ?? false };
  });
}

/**
 * API 2, Browser/device list: weights are relative, by default even. DECISION (API 2, Browser/device list: names of the
 * browsers not shown): the first one is chrome, and any other text is taken.
 */
function readDevices(form: StartForm, scope: Scope): readonly StartDevice[] {
  return form.keys("devices[*]").map((key) => {
    const field = itemField("devices[*].device", key);
    const device = form.text(field) ?? "";
    if (device.trim().startsWith("{") && !isJson(device))
      scope.findings.add(field, "found text that begins like JSON and is none; expected a device's name or JSON");
    return {
      browser: form.text(itemField("devices[*].browser", key)) ?? "chrome",
      version: form.text(itemField("devices[*].version", key)) ?? "",
      device,
      weight: form.number(itemField("devices[*].weight", key)) ?? 1,
    };
  });
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** API 2, Common parameters: source_repo_* record the origin only. */
function readSource(form: StartForm, scope: Scope): StartOptions["source"] {
  const fields = ["source_repo_url", "source_repo_branch", "source_repo_commit"] as const;
  if (form.first(fields) === undefined) return undefined;
  const url = form.text("source_repo_url") ?? null;
  if (url !== null && schemeOf(url) === undefined)
    scope.findings.add("source_repo_url", `found ${JSON.stringify(url)}; expected the url of a repository`);
  return { url, branch: form.text("source_repo_branch") ?? null, commit: form.text("source_repo_commit") ?? null };
}
