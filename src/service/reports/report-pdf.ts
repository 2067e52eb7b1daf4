import type { Fact } from "../../pictures/page-frame.ts";
import { chartsHeight, drawCharts } from "./pdf-charts.ts";
import { inks, type PdfDocument, printable, sheet, writeLine } from "./pdf-pen.ts";
import { drawTable, newPage } from "./pdf-tables.ts";
import { engineNote, headFigures, reportTables, runFacts, verdictWord } from "./report-sections.ts";
import { runCharts } from "./run-charts.ts";
import type { RunReport } from "./run-report.ts";
import { hasCourse } from "./run-series.ts";

/** The result of a run as a PDF on A4 (API 2, GET /executions/:id/results.pdf). The same report in the same time zone is the same bytes. */
export async function runReportPdf(
  report: RunReport,
  { tz = "UTC" }: { readonly tz?: string } = {},
): Promise<Uint8Array> {
  const { default: Document } = await import("pdfkit");
  const made = new Date(report.finishedAt ?? report.changedAt);
  const pdf = new Document({
    size: "A4",
    margin: 0,
    bufferPages: true,
    lang: "en",
    displayTitle: true,
    info: { Title: printable(report.title), Creator: "loadform", CreationDate: made, ModDate: made },
  });
  const chunks: Uint8Array[] = [];
  pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => pdf.on("end", resolve).on("error", reject));
  drawReport(pdf, report, tz);
  pdf.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}

const inner = sheet.right - sheet.left;

function drawReport(pdf: PdfDocument, report: RunReport, tz: string): void {
  let y = drawHead(pdf, report);
  y = drawVerdict(pdf, report, y);
  y = drawFacts(pdf, runFacts(report, tz), { y, perRow: 3, size: 9 });
  y = drawFacts(pdf, headFigures(report), { y: y + 6, perRow: 4, size: 15 });
  const charts = hasCourse(report.series) ? runCharts(report.series) : [];
  y += 10;
  if (y + chartsHeight(charts) > sheet.bottom) y = newPage(pdf);
  drawCharts(pdf, charts, y);
  y += chartsHeight(charts);
  for (const table of reportTables(report)) y = drawTable(pdf, table, y);
  drawFeet(pdf, report, tz);
}

function drawHead(pdf: PdfDocument, { testCase, configuration, executionId }: RunReport): number {
  const line = (text: string, y: number, style: Parameters<typeof writeLine>[2]["style"]) =>
    writeLine(pdf, text, { at: [sheet.left, y], width: inner, style });
  line(`Load test result, run ${executionId}`, sheet.top, { size: 9, ink: "soft" });
  line(testCase, sheet.top + 16, { size: 21, bold: true });
  line(configuration, sheet.top + 42, { size: 13, ink: "soft" });
  return sheet.top + 68;
}

function drawVerdict(pdf: PdfDocument, { verdict: { outcome, reasons }, state }: RunReport, top: number): number {
  const height = 12 + 13 * Math.max(1, reasons.length);
  pdf.rect(sheet.left, top, 3, height).fill(inks[outcome]);
  const at = (index: number) => top + 8 + index * 13;
  const word = verdictWord(outcome, state);
  writeLine(pdf, word, { at: [sheet.left + 14, at(0) - 1], width: 70, style: { size: 12, bold: true, ink: outcome } });
  for (const [index, reason] of reasons.entries())
    writeLine(pdf, reason, { at: [sheet.left + 90, at(index)], width: inner - 90, style: { size: 9.5 } });
  return top + height + 14;
}

function drawFacts(
  pdf: PdfDocument,
  entries: readonly Fact[],
  { y, perRow, size }: { readonly y: number; readonly perRow: number; readonly size: number },
): number {
  const width = inner / perRow;
  const height = 15 + size * 1.5;
  for (const [index, [term, value]] of entries.entries()) {
    const at = [sheet.left + (index % perRow) * width, y + Math.floor(index / perRow) * height] as const;
    writeLine(pdf, term, { at, width: width - 8, style: { size: 8, ink: "soft" } });
    writeLine(pdf, value, { at: [at[0], at[1] + 11], width: width - 8, style: { size, bold: size > 10 } });
  }
  return y + Math.ceil(entries.length / perRow) * height;
}

/** The foot of every page, written last: only then is it known how many there are. */
function drawFeet(pdf: PdfDocument, report: RunReport, tz: string): void {
  const { start, count } = pdf.bufferedPageRange();
  const note = [engineNote(report), `Times are in ${tz}.`].filter((text) => text !== undefined).join(" ");
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page);
    writeLine(pdf, note, { at: [sheet.left, sheet.foot], width: inner - 80, style: { size: 7.5, ink: "soft" } });
    const number = `${page + 1} of ${count}`;
    writeLine(pdf, number, {
      at: [sheet.right - 70, sheet.foot],
      width: 70,
      style: { size: 7.5, ink: "soft", align: "right" },
    });
  }
}
