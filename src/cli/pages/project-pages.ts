import type { Redact } from "../../model/redact.ts";
import type { System } from "../../project/system.ts";
import { type OverviewColumns, overviewHtml } from "../../report/pages/overview-html.ts";
import { type PageSection, sectionsPage } from "../../report/pages/page-section.ts";
import { type ProjectRow, projectTitle } from "../../report/projects/projects-table.ts";
import { counted } from "../../report/terminal-text.ts";
import type { CommandInput } from "../command.ts";
import { type SectionPlace, scriptHash } from "./page-input.ts";

/** The projects of a page, and the report on each with the command line that would have been given for it alone. */
export interface ShownProjects<R> extends Omit<ProjectsPage, "about" | "section"> {
  readonly reportOf: (dir: string) => readonly [CommandInput, R];
}

/** One page of several projects. */
interface ProjectsPage extends OverviewColumns {
  readonly about: "Plan for" | "Drift of";
  readonly rows: readonly ProjectRow[];
  /** The projects of which there is more to say than their row. */
  readonly dirs: readonly string[];
  readonly section: (dir: string, place: SectionPlace) => PageSection;
}

/** The page of several projects: a row for each, and a section for each that has something to decide. */
export function projectsPage(
  { about, rows, columns, always, dirs, section }: ProjectsPage,
  { redact, system }: { readonly redact: Redact; readonly system: Pick<System, "now"> },
): string {
  const byDir = new Map(rows.map((row) => [row.dir, row]));
  const sections = dirs.map((dir, index) =>
    section(dir, { redact, now: system.now(), number: index + 1, title: projectTitle(byDir.get(dir) ?? { dir }) }),
  );
  const overview = overviewHtml(rows, { columns, always }, dirs);
  return sectionsPage(sections, { title: `${about} ${counted(rows.length, "project")}`, overview, hash: scriptHash });
}
