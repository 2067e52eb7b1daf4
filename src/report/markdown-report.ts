import type { Diagnostic } from "../model/diagnostic.ts";
import type { Plan } from "../plan/plan.ts";
import { type DiagnosticStyle, diagnosticText } from "./diagnostic-text.ts";
import type { FieldStyle } from "./field-text.ts";
import {
  cutTable,
  fencedCode,
  fitMarkdown,
  fixedPart,
  foldedPart,
  hiddenMarker,
  inlineCode,
  markdownLimits,
  type TextPart,
} from "./markdown-text.ts";
import { plainPalette } from "./terminal-text.ts";

/** Given to every report. */
export interface MarkdownOptions {
  readonly contents: FieldStyle["contents"];
  /** Words that tell one report from others: the folder, the environment. */
  readonly identity: readonly string[];
  readonly lineOf: DiagnosticStyle["lineOf"];
  /** It is a section of a larger one, on several projects. */
  readonly section?: { readonly characters: number };
}

/** Characters of a whole report: lines that a pipeline adds have room below what a forge takes. */
export const reportLength = markdownLimits.github - 4_000;

/** The parts of a report that fit, behind the line by which a pipeline finds it; a section has none of its own. */
export function fitReport(
  marker: readonly string[],
  parts: readonly TextPart[],
  section: MarkdownOptions["section"],
): string {
  if (section !== undefined) return fitMarkdown(parts, section.characters);
  return fitMarkdown([fixedPart(hiddenMarker(marker)), ...parts], reportLength);
}

/** The beginning of a report: its subject, its project and where that is applied. */
export function markdownHeading(
  about: "plan for" | "drift of",
  { project, environment, target }: Pick<Plan, "project" | "environment" | "target">,
): string {
  const place = environment === undefined ? "" : `, environment ${inlineCode(environment)}`;
  return [
    `## Load tests: ${about} ${inlineCode(project)}${place}`,
    "",
    `Target: ${inlineCode(target.url)}, organization ${inlineCode(String(target.organization))}`,
  ].join("\n");
}

/** The most that a list of a report and its problems may take. */
const room = { list: 6_000, problems: 10_000 };

/** The folded table of unmanaged objects; nothing when there are none. */
export function unmanagedPart({ unmanaged }: Pick<Plan, "unmanaged">): readonly TextPart[] {
  if (unmanaged.length === 0) return [];
  const rows = unmanaged.map(({ kind, id, name, parent }) => [
    inlineCode(`${kind}#${id}`),
    inlineCode(JSON.stringify(name)),
    parent === undefined ? "" : inlineCode(parent),
  ]);
  const table = cutTable(["Object", "Name", "Below"], rows, room.list);
  return [fixedPart(foldedPart(`At the service, not declared here: ${unmanaged.length}`, table))];
}

const problemLength = 4_000;

/** Problems as the command line prints them, as many as there is room for. */
export function problemFence(problems: readonly Diagnostic[], lineOf: DiagnosticStyle["lineOf"]): string {
  const style = { palette: plainPalette, lineOf, width: 100 };
  const texts = problems.map((problem) => diagnosticText(problem, style).slice(0, problemLength));
  return fencedCode("text", cutWords(texts, room.problems).join("\n\n"));
}

/** As many texts as there is room for, and how many there are beyond. */
export function cutWords(texts: readonly string[], characters: number): readonly string[] {
  let left = characters;
  const kept = texts.filter((text) => {
    left -= text.length + 2;
    return left >= 0;
  });
  return kept.length === texts.length ? texts : [...kept, `… and ${texts.length - kept.length} more`];
}
