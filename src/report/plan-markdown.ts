import type { Diagnostic } from "../model/diagnostic.ts";
import type { ObjectGraph } from "../model/graph/object-graph.ts";
import { type Change, isEnding, type Pause, type Plan } from "../plan/plan.ts";
import { actionWords, changeFold, changeRow, whatChanges } from "./change-markdown.ts";
import { withoutCauses } from "./change-text.ts";
import { loadEffect, nextTimesLine } from "./effect-lines.ts";
import type { FieldStyle } from "./field-text.ts";
import { planGraphPart } from "./graph/plan-graph.ts";
import {
  cutWords,
  fitReport,
  type MarkdownOptions,
  markdownHeading,
  problemFence,
  unmanagedPart,
} from "./markdown-report.ts";
import { asMarkdown, cutTable, fencedCode, fixedPart, foldedPart, inlineCode, type TextPart } from "./markdown-text.ts";
import { type Instances, instanceGroups, isWithoutChanges, pendingWords, planCounts } from "./plan-text.ts";
import { counted, plainPalette } from "./terminal-text.ts";

/** The comment's input beside the plan. */
export interface PlanMarkdownOptions extends MarkdownOptions {
  /** Problems that block the plan, and those that do not. */
  readonly errors: readonly Diagnostic[];
  readonly blocked: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  readonly digest?: string;
  /** What is declared and what the plan deletes, of which it draws what changes. */
  readonly graph?: ObjectGraph;
  readonly instances?: Instances | undefined;
  /** Flags that narrow or widen the plan, as typed. */
  readonly choices: readonly string[];
  /** The command that carries out exactly this plan. */
  readonly applying: string;
  readonly origin?: PlanOrigin;
}

/** Where a plan comes from. */
export interface PlanOrigin {
  readonly commit: string;
  /** ISO 8601. */
  readonly at?: string;
  /** Of the pipeline's run. */
  readonly url?: string;
}

const mostHeadings = 50;

/** The most that each part that always remains may take. */
const room = { risks: 12_000, changes: 16_000, list: 6_000 };

/** A plan as a comment on a pull request, by which a reviewer can decide; undefined for one that could not be made. */
export function planMarkdown(plan: Plan | undefined, options: PlanMarkdownOptions): string {
  const parts = plan === undefined ? withoutPlan(options) : withPlan(plan, options);
  return fitReport(["loadform-plan", ...options.identity], parts, options.section);
}

function withoutPlan(options: PlanMarkdownOptions): readonly TextPart[] {
  const place = options.identity.filter((word) => word !== ".").map((word) => inlineCode(word));
  return [
    fixedPart(`## Load tests: no plan${place.length === 0 ? "" : ` for ${place.join(", ")}`}`),
    ...blockers(options, undefined),
    ...warningPart(options),
  ];
}

function withPlan(plan: Plan, options: PlanMarkdownOptions): readonly TextPart[] {
  const style = { palette: plainPalette, contents: options.contents };
  return [
    fixedPart(heading(plan, options)),
    fixedPart(`**${planCounts(plan)}**`),
    ...blockers(options, plan),
    ...riskPart(plan),
    ...changePart(plan, style, options.instances),
    ...(options.graph ? planGraphPart(options.graph, plan.changes) : []),
    ...statePart(plan, style),
    ...driftPart(plan, style),
    ...pendingPart(plan),
    ...unmanagedPart(plan),
    ...warningPart(options),
    fixedPart(footer(plan, options)),
  ];
}

function heading(plan: Plan, { choices, origin }: PlanMarkdownOptions): string {
  const only = choices.length === 0 ? [] : [`Planned with ${choices.map((each) => inlineCode(each)).join(" ")}`];
  return [markdownHeading("plan for", plan), ...(origin ? [originText(origin)] : []), ...only].join("\\\n");
}

function originText({ commit, at, url }: PlanOrigin): string {
  const moment = at === undefined ? "" : `, ${at.slice(0, 16).replace("T", " ")} UTC`;
  const isLink = url !== undefined && /^https?:\/\/[^\s<>()[\]"'`|]+$/.test(url);
  return `Commit: ${inlineCode(commit.slice(0, 12))}${moment}${isLink ? ` ([run](${url}))` : ""}`;
}

function blockers(options: PlanMarkdownOptions, plan: Plan | undefined): readonly TextPart[] {
  const { errors, blocked } = options;
  const found = [...errors, ...blocked];
  if (found.length === 0) return [];
  const guards = blocked.length === 0 ? [] : [`blocked by ${counted(blocked.length, "guard")}`];
  const words = [...(errors.length === 0 ? [] : [counted(errors.length, "error")]), ...guards].join(", ");
  const verdict = plan === undefined ? "no plan could be made." : "none of this plan can be applied.";
  return [fixedPart(`> 🛑 **${words}**: ${verdict}`), fixedPart(problemFence(found, options.lineOf))];
}

/** The writes to the service; of each instance apart where several change, but for more than anybody reads. */
function changePart({ changes }: Plan, style: FieldStyle, instances: Instances = new Map()): readonly TextPart[] {
  const written = changes.filter((change) => !isOnlyBinding(change));
  if (written.length === 0) return [];
  const found = instanceGroups(written, instances);
  const groups = found.length > mostHeadings ? [{ changes: written }] : found;
  const parts = groups.flatMap((group): TextPart[] => [
    ...("instance" in group ? [fixedPart(`#### Instance ${inlineCode(group.instance ?? "", 120)}`)] : []),
    ...groupParts(group.changes, style, (room.changes * group.changes.length) / written.length),
  ]);
  return [fixedPart("### Changes"), ...parts];
}

/**
 * A table of changes, and the fields of each object folded away. New objects are last: where there is no room for all, a
 * reviewer needs the changes of existing ones.
 */
function groupParts(changes: readonly Change[], style: FieldStyle, characters: number): readonly TextPart[] {
  const written = [...changes.filter((change) => !isNew(change)), ...changes.filter(isNew)];
  // A new object has no more to say in a table than below it, so the table only counts its fields.
  const rows = written.filter((change) => !isNew(change) || change.fields.length === 0);
  const cells = rows.map((change) => changeRow(change, style));
  const table = cutTable(["Action", "Address", "What changes"], cells, characters);
  return [
    ...(rows.length === 0 ? [] : [fixedPart(table), ...createdBelow(written.length - rows.length)]),
    ...written.flatMap((change) => changeFold(change, actionWords(change), style) ?? []),
  ];
}

/** The place of the objects that have no row in the table, for its reader. */
function createdBelow(count: number): readonly TextPart[] {
  const where = `listed below${count === 1 ? "" : ", each"} with its fields`;
  return count === 0 ? [] : [fixedPart(`**create**: ${counted(count, "object")}, ${where}`)];
}

function isNew({ action }: Change): boolean {
  return action === "create";
}

/** A change of an object that the project owns, without a write to the service. */
function isOnlyBinding({ action }: Change): boolean {
  return action === "no-op" || action === "forget";
}

function statePart({ changes }: Plan, style: FieldStyle): readonly TextPart[] {
  const rows = changes.filter(isOnlyBinding).map((change) => changeRow(change, style));
  if (rows.length === 0) return [];
  return [
    fixedPart("### In the state only"),
    fixedPart("Nothing is written to the service for these."),
    fixedPart(cutTable(["Action", "Address", "What"], rows, room.list)),
  ];
}

function driftPart({ drift }: Plan, style: FieldStyle): readonly TextPart[] {
  if (drift.length === 0) return [];
  const found = drift.map(withoutCauses);
  const rows = found.map((change) => [
    inlineCode(change.address),
    change.action === "delete" ? "is gone" : whatChanges(change, style),
  ]);
  return [
    fixedPart("### Changed outside since the last apply"),
    fixedPart(cutTable(["Address", "What changed"], rows, room.list)),
    ...found.flatMap((change) => changeFold(change, "changed outside", style) ?? []),
  ];
}

/** A tag that no object uses yet is neither a change nor an error (docs/engine.md, Write routes). */
function pendingPart(plan: Plan): readonly TextPart[] {
  return pendingWords(plan).map(({ words, tags }) => {
    const names = tags.map(({ address }) => inlineCode(address));
    return fixedPart(`${words}: ${cutWords(names, room.list).join(", ")}`);
  });
}

function warningPart({ warnings, lineOf }: PlanMarkdownOptions): readonly TextPart[] {
  if (warnings.length === 0) return [];
  return [fixedPart(foldedPart(counted(warnings.length, "warning"), problemFence(warnings, lineOf)))];
}

function footer(plan: Plan, { digest, errors, blocked, applying }: PlanMarkdownOptions): string {
  const name = digest === undefined ? [] : [`Digest of this plan: ${inlineCode(digest)}`];
  const isUseless = errors.length + blocked.length > 0 || isWithoutChanges(plan);
  const how = isUseless ? [] : ["To apply exactly this plan:", fencedCode("sh", applying)];
  return ["---", ...name, ...how].join("\n\n");
}

/**
 * A table of deletes and their losses, of the load that is made and when it starts by itself.
 * Deletes that lose nothing are last: they are the first to be cut.
 */
function riskPart({ changes, pauses }: Plan): readonly TextPart[] {
  const ending = changes.filter(isEnding);
  const loads = changes.flatMap(loadRow);
  const rows = [
    ...ending.filter(isGrave).map(lossRow),
    ...loads.filter(([title]) => title !== "load"),
    ...loads.filter(([title]) => title === "load"),
    ...changes.flatMap((change) => noteRow(change, "next runs", nextTimesLine(change))),
    ...pauses.map(pauseRow),
    ...ending.filter((change) => !isGrave(change)).map(lossRow),
  ];
  return rows.length === 0
    ? []
    : [fixedPart("### Risks"), fixedPart(cutTable(["", "Address", "What"], rows, room.risks))];
}

/** Something is lost for good, or the object is unmanaged. */
function isGrave({ risks, reason }: Change): boolean {
  return risks.length > 0 || reason === "unmanaged";
}

function lossRow(change: Change): readonly string[] {
  const { address, risks, reason } = change;
  const words = [
    ...(reason === "unmanaged" ? ["not declared in this project"] : []),
    risks.length === 0 ? "no history is lost" : `would be lost: **${asMarkdown(risks.join(", "))}**`,
  ];
  return [`${isGrave(change) ? "⚠️ " : ""}**${actionWords(change)}**`, inlineCode(address), words.join("; ")];
}

/** The start of a schedule meanwhile is known only when the plan is applied (docs/engine.md, Write routes). */
function pauseRow({ address, around }: Pause): readonly string[] {
  const words = `paused during the change of what it runs (${counted(around.length, "write")}), if it would start in that time`;
  return ["pause", inlineCode(address), words];
}

/** A load that grows more than this is more often a slip of the keyboard than meant. */
const gravestGrowth = 10;

function loadRow(change: Change): readonly (readonly string[])[] {
  const load = loadEffect(change);
  if (load === undefined || load.line.endsWith("(as now)")) return [];
  const { line, factor = 1 } = load;
  if (factor <= gravestGrowth) return noteRow(change, "load", line);
  const words = `**${Math.round(factor)} times as much as now**: ${asMarkdown(line.replace(/^[\w ]+: /, ""))}`;
  return [["⚠️ **load**", inlineCode(change.address), words]];
}

function noteRow({ address }: Change, title: string, line: string | undefined): readonly (readonly string[])[] {
  return line === undefined ? [] : [[title, inlineCode(address), asMarkdown(line.replace(/^[\w ]+: /, ""))]];
}
