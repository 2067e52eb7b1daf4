import type { Scope } from "../core/scope.ts";
import { type StartKpi, type StartOptions, standardStart } from "../core/start-options.ts";
import { readName, schemeOf } from "../rules/read-text.ts";
import { kpiProblem } from "../runs/evaluate-kpi.ts";
import { itemField, type StartForm } from "./start-form.ts";

const secondsPerMinute = 60;

/** The options of the run itself in a form (API 2, Common parameters and KPIs). */
export function readOptions(form: StartForm, organizationId: number, scope: Scope): StartOptions {
  const standard = standardStart(organizationId, scope);
  const mostMinutes = form.number("max_duration_mins");
  checkDevices(form, scope);
  checkSource(form, scope);
  return {
    testType: readTestType(form),
    kpis: readKpis(form, scope),
    percentiles: form.list<number>("percentiles"),
    manualStart: form.flag("manual_start") ?? standard.manualStart,
    maxDurationSecs: mostMinutes === undefined ? null : Math.ceil(mostMinutes * secondsPerMinute),
    note: form.text("note") ?? null,
    tags: [...new Set(form.list<string>("results_tags").map((tag) => readName(tag, scope, "results_tags")))],
    onlyCaptureFailure: form.flag("only_capture_failure") ?? standard.onlyCaptureFailure,
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

/** DECISION (API 2, Browser/device list: names of the browsers not shown): any text is taken that does not begin like JSON. */
function checkDevices(form: StartForm, scope: Scope): void {
  for (const key of form.keys("devices[*]")) {
    const field = itemField("devices[*].device", key);
    const device = form.text(field) ?? "";
    if (device.trim().startsWith("{") && !isJson(device))
      scope.findings.add(field, "found text that begins like JSON and is none; expected a device's name or JSON");
  }
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** API 2, Common parameters: source_repo_* record the origin only. */
function checkSource(form: StartForm, scope: Scope): void {
  const url = form.text("source_repo_url");
  if (url !== undefined && schemeOf(url) === undefined)
    scope.findings.add("source_repo_url", `found ${JSON.stringify(url)}; expected the url of a repository`);
}
