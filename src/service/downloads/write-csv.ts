import type { JsonValue } from "../../api/routes.ts";

/**
 * Rows as CSV by RFC 4180: a header, CRLF line ends, quotes where a field needs them; null is an empty field, a list JSON text.
 * DECISION (API 2, download routes: what a cell may hold): a cell is the value as it is; one that begins with `=`, `+`, `-` or
 * `@` is not altered, so a spreadsheet may take it for a formula: import such files as text.
 */
export function writeCsv(columns: readonly string[], rows: readonly Readonly<Record<string, JsonValue>>[]): string {
  const lines = rows.map((row) => columns.map((name) => csvCell(row[name])).join(","));
  return `${[columns.map(csvCell).join(","), ...lines].join("\r\n")}\r\n`;
}

function csvCell(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
