import { fitReport, reportLength } from "../markdown-report.ts";
import { asMarkdown, cutTable, fixedPart, inlineCode } from "../markdown-text.ts";
import { counted } from "../terminal-text.ts";
import { type ProjectRow, projectCells, projectsSentence } from "./projects-table.ts";

/** A report on several projects. */
export interface ProjectsReport {
  readonly about: "plan for" | "drift of";
  /** Words that tell this report from others: the folders and globs as typed, the environment. */
  readonly identity: readonly string[];
  readonly rows: readonly ProjectRow[];
  readonly columns: readonly string[];
  readonly always: readonly string[];
  /** The projects of which there is more to say than their row, and the report on each within so many characters. */
  readonly dirs: readonly string[];
  readonly section: (dir: string, characters: number) => string;
}

/** The most characters of the table. */
const tableLength = 16_000;
/** The least room for a project; where there is none, its section is named as left out. */
const leastSection = 3_000;

/**
 * Several projects as one comment on a pull request: the table of all, then a section for each that has something to decide. A project without changes
 * is a row alone.
 */
export function projectsMarkdown({ about, identity, rows, columns, always, dirs, section }: ProjectsReport): string {
  const [head = [], ...cells] = projectCells(rows, columns, always);
  const table = cutTable(
    head,
    cells.map(([project = "", ...rest]) => [inlineCode(project), ...rest.map((cell) => asMarkdown(cell))]),
    tableLength,
  );
  const room = Math.floor((reportLength - table.length - leastSection) / Math.max(1, dirs.length));
  const characters = Math.max(leastSection, room);
  return fitReport(
    [about === "plan for" ? "loadform-plan" : "loadform-drift", ...identity],
    [
      fixedPart(`## Load tests: ${about} ${counted(rows.length, "project")}`),
      fixedPart(`**${projectsSentence(rows)}**`),
      fixedPart(table),
      ...dirs.map((dir) => ({ text: `---\n\n${section(dir, characters).trimEnd()}`, optional: inlineCode(dir) })),
    ],
    undefined,
  );
}
