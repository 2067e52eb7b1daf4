import type { PageTable } from "../../pictures/page-frame.ts";
import { inks, type PdfDocument, sheet, writeLine } from "./pdf-pen.ts";

const rowHeight = 16;
const captionHeight = 20;
const between = 18;
const cellGap = 8;
const shortRows = 12;

/** A table from `top` down, on as many pages as it takes; resolves to where it ends. Its head is repeated on each page. */
export function drawTable(pdf: PdfDocument, table: PageTable, top: number): number {
  const widths = columnWidths(table);
  // A short table is not torn: one row alone on the next page reads badly.
  const rows = table.rows.length <= shortRows ? table.rows.length + 1 : 3;
  let y = top + captionHeight + rows * rowHeight > sheet.bottom ? newPage(pdf) : top;
  writeLine(pdf, table.caption, { at: [sheet.left, y], width: 300, style: { size: 11, bold: true } });
  y = drawRow(pdf, table.columns, { y: y + captionHeight, widths, isHead: true });
  for (const row of table.rows) {
    if (y + rowHeight > sheet.bottom) y = drawRow(pdf, table.columns, { y: newPage(pdf), widths, isHead: true });
    y = drawRow(pdf, row, { y, widths, isHead: false });
  }
  return y + between;
}

/** Begins a page; answers where its content begins. */
export function newPage(pdf: PdfDocument): number {
  pdf.addPage();
  return sheet.top;
}

/** Columns of figures are as wide as the widest text in them, about; the first has what remains. */
function columnWidths({ columns, rows }: PageTable): readonly number[] {
  const figures = columns.slice(1).map((column, index) => {
    const longest = Math.max(column.length, ...rows.map((row) => (row[index + 1] ?? "").length));
    return Math.min(140, 14 + longest * 4.9);
  });
  const rest = sheet.right - sheet.left - figures.reduce((sum, width) => sum + width, 0);
  return [rest, ...figures];
}

function drawRow(
  pdf: PdfDocument,
  cells: readonly string[],
  { y, widths, isHead }: { readonly y: number; readonly widths: readonly number[]; readonly isHead: boolean },
): number {
  let x: number = sheet.left;
  for (const [index, width] of widths.entries()) {
    const text = cells[index] ?? "";
    const isBroken = text === "does not hold";
    writeLine(pdf, text, {
      at: [index === 0 ? x : x + cellGap, y + 4],
      width: width - cellGap,
      style: {
        size: 8.5,
        ink: isHead ? "soft" : isBroken ? "failed" : "ink",
        bold: isBroken,
        align: index === 0 ? "left" : "right",
      },
    });
    x += width;
  }
  const bottom = y + rowHeight;
  pdf.undash().lineWidth(0.5).strokeColor(inks.line).moveTo(sheet.left, bottom).lineTo(sheet.right, bottom).stroke();
  return bottom;
}
