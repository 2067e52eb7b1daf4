import { asHtml } from "../../pictures/escape-html.ts";
import { type ProjectRow, projectCells, projectsSentence } from "../projects/projects-table.ts";
import { sectionId } from "./page-section.ts";

/** The columns of an overview, and those that are shown even where nothing is counted. */
export interface OverviewColumns {
  readonly columns: readonly string[];
  readonly always: readonly string[];
}

const tones = { done: "passed", changed: "open", stopped: "failed" } as const;

/** The table of several projects; `dirs` are those with a section, in its order, to which their rows lead. */
export function overviewHtml(
  rows: readonly ProjectRow[],
  { columns, always }: OverviewColumns,
  dirs: readonly string[],
): string {
  const [head = [], ...cells] = projectCells(rows, columns, always);
  const body = cells.map(([title = "", ...rest], index) => {
    const { dir = "", mood = "done" } = rows[index] ?? {};
    const place = dirs.indexOf(dir);
    const name = place < 0 ? asHtml(title) : `<a href="#${sectionId(place + 1)}">${asHtml(title)}</a>`;
    const result = rest.pop() ?? "";
    const others = rest.map((cell) => `<td>${asHtml(cell)}</td>`).join("");
    return `<tr><th scope="row">${name}</th>${others}<td><b class="${tones[mood]}">${asHtml(result)}</b></td></tr>`;
  });
  return `<p>${asHtml(projectsSentence(rows))}</p>
<div class="overview scroll" role="group" aria-label="All projects" tabindex="0"><table><thead><tr>${head.map((each) => `<th scope="col">${asHtml(each)}</th>`).join("")}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}
