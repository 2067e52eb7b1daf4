import type { configurationRoutes } from "../../api/configurations.ts";
import type { executionRoutes } from "../../api/executions.ts";
import type { Wire } from "../../api/routes.ts";
import { type Handlers, RawReply, WaitingReply } from "../core/handlers.ts";
import { engineOfRun } from "../core/run-engine.ts";
import type { Scope } from "../core/scope.ts";
import { isTimeZone, sharedExecution } from "../executions/share-links.ts";
import { Refusal } from "../refusal.ts";
import { noRunPage, runReportPage } from "../reports/report-page.ts";
import { makeRunReport, type RunReport } from "../reports/run-report.ts";
import { findObject } from "../rules/access.ts";
import { evaluateKpi } from "../runs/evaluate-kpi.ts";
import type { ShareLinkRecord } from "../store/records/configurations.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { viewExecution } from "../views/execution.ts";
import { viewIntervals } from "../views/metric-summary.ts";
import { viewResources } from "../views/resources.ts";
import { figuresOfRun } from "../views/run-figures.ts";

type ReportRoute =
  | Extract<keyof typeof configurationRoutes, "GET /p/:name" | "GET /p/:name/results.pdf">
  | Extract<keyof typeof executionRoutes, "GET /executions/:id/results.pdf">;

/** API 1, Share link; API 2, GET /executions/:id/results.pdf: the results of a run for people. */
export const reportHandlers: Handlers<ReportRoute> = {
  "GET /p/:name": ({ params, scope }) => {
    const { link, row } = sharedExecution(params.name, scope);
    const page =
      row === undefined
        ? noRunPage(configurationOf(link, scope))
        : runReportPage(reportOf(row, scope), { tz: zoneOf(link), name: params.name });
    return new RawReply(page, "text/html; charset=utf-8");
  },
  "GET /p/:name/results.pdf": ({ params, scope }) => {
    const { link, row } = sharedExecution(params.name, scope);
    if (row === undefined)
      throw new Refusal(404, "found no run behind this share link yet; it has a page: GET /p/<name>");
    return pdfOf(row, { tz: zoneOf(link), isText: false }, scope);
  },
  // DECISION (API 2, GET /executions/:id/results.pdf: dashboardId): there is one view; any id is taken.
  "GET /executions/:id/results.pdf": ({ params, query, scope }) => {
    const row = findObject(scope, "execution", params.id);
    const { tz, enc } = query;
    if (!isTimeZone(tz)) scope.findings.add("tz", `found "${tz}"; expected an IANA time zone, such as Europe/Berlin`);
    if (enc !== undefined && enc !== "base64") scope.findings.add("enc", `found "${enc}"; expected base64 or nothing`);
    scope.findings.check();
    return pdfOf(row, { tz, isText: enc === "base64" }, scope);
  },
};

function pdfOf(
  row: ExecutionRecord,
  { tz, isText }: { readonly tz: string; readonly isText: boolean },
  scope: Scope,
): WaitingReply {
  const report = reportOf(row, scope);
  const work = async () => await (await import("../reports/report-pdf.ts")).runReportPdf(report, { tz });
  return WaitingReply.of(work, (bytes) =>
    isText
      ? new RawReply(Buffer.from(bytes).toString("base64"), "text/plain; charset=utf-8")
      : new RawReply(bytes, "application/pdf"),
  );
}

function reportOf(row: ExecutionRecord, scope: Scope): RunReport {
  const flags = { down: true, up: true, includeScript: true, includeSummary: true };
  const { metrics } = figuresOfRun(row, scope);
  const engine = engineOfRun(row.id, scope);
  const kpis = row.kpis.map(({ expr }) => {
    const result = evaluateKpi(expr, metrics);
    return "success" in result ? { ...result } : { expr, value: null, success: false };
  });
  return makeRunReport(viewExecution(row, flags, scope) as unknown as Wire<"execution">, {
    intervals: viewIntervals(row, {}, scope) as unknown as readonly Wire<"interval">[],
    resources: viewResources(row, scope) as unknown as readonly Wire<"resource">[],
    kpis,
    ...(engine && { engine }),
    failure: row.probe?.failure ?? null,
  });
}

function zoneOf({ description }: ShareLinkRecord): string {
  return String((JSON.parse(description) as { readonly tz?: string }).tz ?? "UTC");
}

function configurationOf({ configurationId }: ShareLinkRecord, { store }: Scope): string {
  return store.get("configuration", configurationId)?.name ?? "";
}
