import { cleanLine, counted, type Palette } from "../terminal-text.ts";

/** The colour of a row. */
type ProjectMood = "done" | "changed" | "stopped";

/** One project of several, as a row. */
export interface ProjectRow {
  /** Its folder. */
  readonly dir: string;
  readonly name?: string | undefined;
  readonly environment?: string | undefined;
  /** In the order of the columns; undefined where nothing was counted. */
  readonly counts: readonly (number | undefined)[];
  /** In words. */
  readonly result: string;
  readonly mood: ProjectMood;
}

/** The table of several projects: a row for each, and what became of it. Columns in which nothing is counted are omitted, but for `always`. */
export function projectsTable(
  rows: readonly ProjectRow[],
  {
    columns,
    always,
    palette,
  }: { readonly columns: readonly string[]; readonly always: readonly string[]; readonly palette: Palette },
): string {
  const lines = projectCells(rows, columns, always);
  const [head = []] = lines;
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const isNumber = (column: number) => columns.includes(head[column] ?? "");
  const text = (line: readonly string[]) =>
    line
      .map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  const paint = { done: (line: string) => line, changed: palette.yellow, stopped: palette.red };
  return [
    palette.bold(text(head)),
    ...lines.slice(1).map((line, index) => paint[rows[index]?.mood ?? "done"](text(line))),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** The table as cells, the head first. */
export function projectCells(
  rows: readonly ProjectRow[],
  columns: readonly string[],
  always: readonly string[],
): readonly (readonly string[])[] {
  const shown = columns.flatMap((column, index) =>
    always.includes(column) || rows.some(({ counts }) => (counts[index] ?? 0) > 0) ? [index] : [],
  );
  const hasEnvironment = rows.some(({ environment }) => environment !== undefined);
  const head = [
    "Project",
    ...(hasEnvironment ? ["Environment"] : []),
    ...shown.map((index) => columns[index] ?? ""),
    "Result",
  ];
  const cells = rows.map(({ environment = "", counts, result, ...project }) => [
    projectTitle(project),
    ...(hasEnvironment ? [cleanLine(environment)] : []),
    ...shown.map((index) => String(counts[index] ?? "-")),
    cleanLine(result),
  ]);
  return [head, ...cells];
}

/** A project by its folder, with its name where that is another one. */
export function projectTitle({ dir, name }: Pick<ProjectRow, "dir" | "name">): string {
  const isSame = name === undefined || name === dir.slice(dir.lastIndexOf("/") + 1);
  return cleanLine(isSame ? dir : `${dir} (${name})`);
}

/** The rows in one sentence: how many have which result. */
export function projectsSentence(rows: readonly ProjectRow[], requests?: number): string {
  const results = new Map<string, number>();
  for (const { result } of rows) results.set(result, (results.get(result) ?? 0) + 1);
  const parts = [...results].map(([result, count]) => `${count} ${result}`);
  const asked = requests === undefined ? "" : ` ${counted(requests, "request")}.`;
  return `${counted(rows.length, "project")}: ${parts.join(", ")}.${asked}`;
}
