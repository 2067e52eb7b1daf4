import { asHtml } from "../../pictures/escape-html.ts";
import { formatCount } from "../../pictures/figures.ts";
import { type Fact, factList, pageScript, type ReportScript, reportPage } from "../../pictures/page-frame.ts";
import { cleanLine } from "../terminal-text.ts";
import calendar from "./calendar.css?raw" with { type: "text" };
import changes from "./changes.css?raw" with { type: "text" };
import fields from "./fields.css?raw" with { type: "text" };
import filterChanges from "./filter-changes.js?raw" with { type: "text" };
import movePictures from "./move-pictures.js?raw" with { type: "text" };
import pictures from "./page-pictures.css?raw" with { type: "text" };
import rules from "./plan-page.css?raw" with { type: "text" };

/** The outcome of a plan or of a comparison in a sentence. */
export interface PageVerdict {
  readonly tone: "passed" | "failed" | "open";
  readonly words: string;
}

/** A number of objects, in the colour of what happens to them. */
interface CountTile {
  readonly name: string;
  readonly count: number;
  readonly tone: string;
}

/** A part of a section, with its own heading and a link to it. */
export interface PagePart {
  /** A word for its link: `graph`. */
  readonly id: string;
  readonly title: string;
  /** Words beside the title. */
  readonly note?: string;
  readonly html: string;
}

/** A project on a page. */
export interface PageSection {
  /** Its subject, above its name. */
  readonly overline: string;
  readonly name: string;
  readonly verdict: PageVerdict;
  readonly facts: readonly Fact[];
  readonly tiles: readonly CountTile[];
  /** Problems, as HTML. */
  readonly problems: string;
  readonly parts: readonly PagePart[];
  /** The command that comes next, with words above it. */
  readonly next?: { readonly words: string; readonly commands: readonly string[] } | undefined;
}

/** The page's script and its hash in base64. */
export type ScriptHash = (text: string) => string;

/** A page of one project, or of several: then with an overview, as HTML, and a section for each. */
export function sectionsPage(
  sections: readonly PageSection[],
  { title, overview, hash }: { readonly title: string; readonly overview?: string; readonly hash: ScriptHash },
): string {
  const text = `\n${pageScript([filterChanges, movePictures])}\n`;
  const script: ReportScript = { text, hash: hash(text) };
  const [only] = sections;
  const body =
    only !== undefined && overview === undefined
      ? sectionHtml(only, { number: 1, isAlone: true })
      : `<header><h1>${asHtml(cleanLine(title))}</h1></header>\n${overview ?? ""}\n${sections.map((each, index) => `<section>${sectionHtml(each, { number: index + 1, isAlone: false })}</section>`).join("\n")}`;
  const foot = "<footer>All times are UTC. Written by loadform; the page loads nothing and sends nothing.</footer>";
  return reportPage(cleanLine(title), `${body}\n${foot}`, {
    rules: changes + fields + calendar + pictures + rules,
    script,
  });
}

/** The anchor of a section. */
export function sectionId(number: number): string {
  return `project-${number}`;
}

function sectionHtml(
  section: PageSection,
  { number, isAlone }: { readonly number: number; readonly isAlone: boolean },
): string {
  const { overline, name, verdict, facts, tiles, problems, parts, next } = section;
  const [head, below] = isAlone ? ["h1", "h2"] : ["h2", "h3"];
  const idOf = (part: string) => `${sectionId(number)}-${part}`;
  const links = parts.map(({ id, title }) => `<li><a href="#${idOf(id)}">${asHtml(title)}</a></li>`);
  const shown = parts.map(({ id, title, note, html }) => {
    const words = note === undefined ? "" : ` <small>${asHtml(note)}</small>`;
    return `<div class="part" id="${idOf(id)}"><${below} class="title">${asHtml(title)}${words}</${below}>
${html}</div>`;
  });
  return `<div class="head" id="${sectionId(number)}">
<p class="overline">${asHtml(cleanLine(overline))}</p>
<${head} class="project">${asHtml(cleanLine(name))}</${head}>
<div class="verdict ${verdict.tone}"><strong>${asHtml(verdict.words)}</strong></div>
${problems}
${tiles.length === 0 ? "" : tileList(tiles)}
${factList(
  "facts",
  facts.map(([term, value]) => [term, cleanLine(value)]),
)}
${next === undefined ? "" : `<div class="next"><p>${asHtml(next.words)}</p><pre class="command" tabindex="0">${next.commands.map((each) => asHtml(cleanLine(each, 2_000))).join("\n")}</pre></div>`}
${links.length < 2 ? "" : `<nav aria-label="Parts of ${isAlone ? "" : `project ${number}, `}${asHtml(cleanLine(name))}"><ul>${links.join("")}</ul></nav>`}
</div>
${shown.join("\n")}`;
}

function tileList(tiles: readonly CountTile[]): string {
  const items = tiles.map(
    ({ name, count, tone }) =>
      `<div class="${count === 0 ? "zero" : tone}"><dt>${asHtml(name)}</dt><dd>${formatCount(count)}</dd></div>`,
  );
  return `<dl class="tiles">${items.join("")}</dl>`;
}
