/** The longest piece of a line that a frame shows. */
const widest = 100;

/** The line of a problem with a caret under its column; long lines are cut around it, tabs count as one. */
export function codeFrame(text: string, position: { readonly line: number; readonly column: number }): string {
  const line = (text.replace(/^\uFEFF/, "").split("\n", position.line)[position.line - 1] ?? "").replace(/\r$/, "");
  const start = Math.max(0, Math.min(position.column - 1 - widest / 2, line.length - widest));
  const lead = start > 0 ? "…" : "";
  const rest = line.length > start + widest ? "…" : "";
  const shown = line.slice(start, start + widest).replace(/\t/g, " ");
  const gutter = `${position.line} | `;
  const blank = " ".repeat(gutter.length - 2);
  return `${gutter}${lead}${shown}${rest}\n${blank}| ${" ".repeat(lead.length + position.column - 1 - start)}^`;
}
