import type { Drift, DriftedObject } from "../drift/find-drift.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { actionWords, changeFold, changeRow, whatChanges } from "./change-markdown.ts";
import { withoutCauses } from "./change-text.ts";
import {
  acceptable,
  byHandHead,
  byHandLines,
  driftCounts,
  driftDiffLines,
  fieldNote,
  firstOf,
  isUndeclared,
  objectNote,
  type WaysOut,
} from "./drift-text.ts";
import type { FieldStyle } from "./field-text.ts";
import { fitReport, type MarkdownOptions, markdownHeading, problemFence, unmanagedPart } from "./markdown-report.ts";
import { asMarkdown, cutTable, fencedCode, fixedPart, foldedPart, inlineCode, type TextPart } from "./markdown-text.ts";
import { cleanLine, plainPalette } from "./terminal-text.ts";

/** The report's input beside the drift. */
export interface DriftMarkdownOptions extends MarkdownOptions {
  readonly problems: readonly Diagnostic[];
  readonly waysOut: WaysOut;
}

/** The most that each part that always remains may take. */
const room = { drifted: 20_000, changes: 8_000 };

/** Drift as the issue of a nightly job: what moved, field by field, and the two ways out. */
export function driftMarkdown(drift: Drift | undefined, options: DriftMarkdownOptions): string {
  const parts =
    drift === undefined ? [fixedPart("## Load tests: drift could not be determined")] : partsOf(drift, options);
  return fitReport(["loadform-drift", ...options.identity], [...parts, ...problemPart(options)], options.section);
}

function partsOf(drift: Drift, options: DriftMarkdownOptions): readonly TextPart[] {
  const style = { palette: plainPalette, contents: options.contents, diffLines: driftDiffLines };
  return [
    fixedPart(markdownHeading("drift of", drift)),
    fixedPart(`**${driftCounts(drift)}**`),
    ...driftedPart(drift, style),
    ...waysOutPart(drift, options.waysOut),
    ...changedPart(drift, style),
    ...unmanagedPart(drift),
  ];
}

function driftedPart({ drifted }: Drift, style: FieldStyle): readonly TextPart[] {
  if (drifted.length === 0) return [];
  const rows = drifted.map((object) => [inlineCode(object.address), whatMoved(object, style)]);
  return [
    fixedPart("### Changed outside"),
    fixedPart(cutTable(["Address", "Was → is"], rows, room.drifted)),
    ...drifted.flatMap((object) => changeFold(withoutCauses(object), "was → is", style) ?? []),
  ];
}

function whatMoved(object: DriftedObject, style: FieldStyle): string {
  if (object.action !== "update") return `**${objectNote(object)}**`;
  const both = object.fields.filter(({ cause }) => cause === "both");
  const notes = both.map((field) => `${inlineCode(field.field)} ${asMarkdown(fieldNote(field))}`);
  return [whatChanges(withoutCauses(object), style), ...notes].join("; ");
}

const longest = 10;

function waysOutPart(drift: Drift, { putBack, accept, declare }: WaysOut): readonly TextPart[] {
  const { drifted } = drift;
  if (drifted.length === 0 && !isUndeclared(drift)) return [];
  const back = drifted.slice(0, longest).map(({ address }) => putBack(address));
  const all = drifted.length > 1 ? [`${putBack()} # everything, including changes not applied yet`] : [];
  const accepted = acceptable(drift).map(({ address }) => accept(address));
  const ways = [
    ["sh", "Put back what is declared:", [...back, ...all]],
    [
      "sh",
      "Or keep what is at the service, written into the project's YAML:",
      firstOf(accepted, longest, (rest) => `# … and ${rest} more`),
    ],
    ["text", byHandHead, firstOf(byHandLines(drift), longest, (rest) => `… and ${rest} more`)],
    ["sh", "Keep objects that nobody declared, written into the project:", isUndeclared(drift) ? [declare] : []],
  ] as const;
  const shown = ways.filter(([, , lines]) => lines.length > 0);
  return [
    fixedPart("### Ways out"),
    ...shown.map(([language, title, lines]) =>
      fixedPart(`${title}\n\n${fencedCode(language, lines.map((line) => cleanLine(line)).join("\n"))}`),
    ),
  ];
}

function changedPart({ changed }: Drift, style: FieldStyle): readonly TextPart[] {
  if (changed.length === 0) return [];
  const rows = changed.map((change) => changeRow(change, style));
  const table = cutTable(["Action", "Address", "What changes"], rows, room.changes);
  return [
    fixedPart(foldedPart("Changed in the project and not applied yet (not drift)", table)),
    ...changed.flatMap((change) => changeFold(change, actionWords(change), style) ?? []),
  ];
}

function problemPart({ problems, lineOf }: DriftMarkdownOptions): readonly TextPart[] {
  if (problems.length === 0) return [];
  return [fixedPart("### Problems"), fixedPart(problemFence(problems, lineOf))];
}
