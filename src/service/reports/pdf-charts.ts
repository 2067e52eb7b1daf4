import { type ChartDrawing, type ChartSpec, drawChart, type Point } from "../../pictures/chart.ts";
import { inks, type PdfDocument, printable, sheet, writeLine } from "./pdf-pen.ts";

const gap = 18;
const width = (sheet.right - sheet.left - gap) / 2;
const height = 128;
const titleHeight = 18;

/** Height of charts in two columns. */
export function chartsHeight(charts: readonly ChartSpec[]): number {
  return Math.ceil(charts.length / 2) * (height + titleHeight + gap);
}

/** Charts in two columns from `top` down, as vector drawings. */
export function drawCharts(pdf: PdfDocument, charts: readonly ChartSpec[], top: number): void {
  for (const [index, spec] of charts.entries()) {
    const x = sheet.left + (index % 2) * (width + gap);
    const y = top + Math.floor(index / 2) * (height + titleHeight + gap);
    drawHead(pdf, spec, { x, y });
    pdf.save();
    pdf.translate(x, y + titleHeight);
    draw(pdf, drawChart(spec, { width, height, text: 7 }));
    pdf.restore();
  }
}

function drawHead(
  pdf: PdfDocument,
  { title, lines }: ChartSpec,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  writeLine(pdf, title, { at: [x, y], width: width / 2, style: { size: 10, bold: true } });
  if (lines.length < 2) return;
  let right = x + width;
  for (const line of lines.toReversed()) {
    pdf.font("Helvetica").fontSize(7);
    const length = pdf.widthOfString(line.name);
    writeLine(pdf, line.name, { at: [right - length, y + 3], width: length + 1, style: { size: 7, ink: "soft" } });
    strokeOf(pdf, inks[line.tone], line.dash !== undefined)
      .moveTo(right - length - 18, y + 6)
      .lineTo(right - length - 4, y + 6)
      .stroke();
    right -= length + 28;
  }
}

function draw(pdf: PdfDocument, drawing: ChartDrawing): void {
  for (const [from, to] of drawing.grid) segment(pdf, from, to, inks.line);
  segment(pdf, ...drawing.axis, inks.soft);
  for (const { tone, points } of drawing.areas) {
    trace(pdf, points).closePath();
    pdf.fillColor(inks[tone]).fillOpacity(0.14).fill().fillOpacity(1);
  }
  for (const { tone, dash, points } of drawing.strokes) {
    const [only, second] = points;
    if (only && !second) pdf.circle(only[0], only[1], 1.6).fill(inks[tone]);
    else trace(strokeOf(pdf, inks[tone], dash !== undefined), points).stroke();
  }
  pdf.undash();
  for (const label of drawing.labels) {
    pdf.font("Helvetica").fontSize(drawing.text).fillColor(inks.soft);
    const text = printable(label.text);
    const length = pdf.widthOfString(text);
    const shift = { start: 0, middle: length / 2, end: length }[label.align];
    pdf.text(text, label.at[0] - shift, label.at[1] - drawing.text * 0.76, { lineBreak: false });
  }
}

function strokeOf(pdf: PdfDocument, ink: string, dashed: boolean): PdfDocument {
  pdf.lineWidth(1.3).lineJoin("round").lineCap("round").strokeColor(ink);
  return dashed ? pdf.dash(4, { space: 3 }) : pdf.undash();
}

function segment(pdf: PdfDocument, [x1, y1]: Point, [x2, y2]: Point, ink: string): void {
  pdf.undash().lineWidth(0.5).strokeColor(ink).moveTo(x1, y1).lineTo(x2, y2).stroke();
}

function trace(pdf: PdfDocument, points: readonly Point[]): PdfDocument {
  for (const [index, [x, y]] of points.entries()) {
    if (index === 0) pdf.moveTo(x, y);
    else pdf.lineTo(x, y);
  }
  return pdf;
}
