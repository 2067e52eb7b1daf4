import type { Diagnostic } from "../model/diagnostic.ts";
import type { Change, Plan } from "../plan/plan.ts";
import { actionWords, changeFold, changeRow, whatChanges } from "./change-markdown.ts";
import { withoutCauses } from "./change-text.ts";
import { counted } from "./clean-text.ts";
import type { DiagnosticStyle } from "./diagnostic-text.ts";
import type { FieldStyle } from "./field-text.ts";
import { markdownHeading } from "./heading-markdown.ts";
import type { MarkdownPart } from "./markdown-text.ts";
import {
  cutTable,
  fencedCode,
  fitMarkdown,
  fixedPart,
  foldedPart,
  hiddenMarker,
  inlineCode,
  markdownLimits,
} from "./markdown-text.ts";
import { plainPalette } from "./palette.ts";
import { isWithoutChanges, planCounts } from "./plan-text.ts";
import { cutWords, problemFence } from "./problem-markdown.ts";
import { riskTable } from "./risk-markdown.ts";

/** What the comment on a plan says beside the plan. */
export interface PlanMarkdownOptions {
  readonly contents: FieldStyle["contents"];
  /** Words that tell this comment from others: the folder, the environment. */
  readonly identity: readonly string[];
  /** Problems that stand in the way, and those that do not. */
  readonly errors: readonly Diagnostic[];
  readonly blocked: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  readonly lineOf: DiagnosticStyle["lineOf"];
  readonly digest?: string;
  /** Flags that narrow or widen the plan, as typed. */
  readonly choices: readonly string[];
  /** Commands that carry out exactly this plan. */
  readonly applying: readonly string[];
}

/** Room kept for lines that a pipeline adds of its own, and the most that each part that always stays may take. */
const room = { own: 4_000, risks: 12_000, changes: 16_000, list: 6_000, problems: 10_000 };

/** A plan as a comment on a pull request, by which a reviewer can decide; undefined for one that could not be made. */
export function planMarkdown(plan: Plan | undefined, options: PlanMarkdownOptions): string {
  const parts = plan === undefined ? withoutPlan(options) : withPlan(plan, options);
  return fitMarkdown(
    [fixedPart(hiddenMarker(["loadform-plan", ...options.identity])), ...parts],
    markdownLimits.github - room.own,
  );
}

function withoutPlan(options: PlanMarkdownOptions): readonly MarkdownPart[] {
  const place = options.identity.filter((word) => word !== ".").map((word) => inlineCode(word));
  return [
    fixedPart(`## Load tests: no plan${place.length === 0 ? "" : ` for ${place.join(", ")}`}`),
    ...standInTheWay(options, undefined),
    ...warningPart(options),
  ];
}

function withPlan(plan: Plan, options: PlanMarkdownOptions): readonly MarkdownPart[] {
  const style = { palette: plainPalette, contents: options.contents };
  return [
    fixedPart(heading(plan, options)),
    fixedPart(`**${planCounts(plan)}**`),
    ...standInTheWay(options, plan),
    ...riskPart(plan),
    ...changePart(plan, style),
    ...statePart(plan, style),
    ...driftPart(plan, style),
    ...pendingPart(plan),
    ...unmanagedTable(plan, room.list).map(fixedPart),
    ...warningPart(options),
    fixedPart(footer(plan, options)),
  ];
}

function heading(plan: Plan, { choices }: PlanMarkdownOptions): string {
  const only = choices.length === 0 ? "" : `\\\nPlanned with ${choices.map((each) => inlineCode(each)).join(" ")}`;
  return `${markdownHeading("plan for", plan)}${only}`;
}

/** Errors and guards, before anything else. */
function standInTheWay(options: PlanMarkdownOptions, plan: Plan | undefined): readonly MarkdownPart[] {
  const { errors, blocked } = options;
  const found = [...errors, ...blocked];
  if (found.length === 0) return [];
  const guards = blocked.length === 0 ? [] : [`blocked by ${counted(blocked.length, "guard")}`];
  const words = [...(errors.length === 0 ? [] : [counted(errors.length, "error")]), ...guards].join(", ");
  const verdict = plan === undefined ? "no plan could be made." : "as it stands, nothing of this plan may be applied.";
  return [fixedPart(`> 🛑 **${words}**: ${verdict}`), fixedPart(fenceOf(found, options))];
}

function fenceOf(problems: readonly Diagnostic[], { lineOf }: PlanMarkdownOptions): string {
  return problemFence(problems, { lineOf, characters: room.problems });
}

function riskPart(plan: Plan): readonly MarkdownPart[] {
  const table = riskTable(plan, room.risks);
  return table === undefined ? [] : [fixedPart("### Risks"), fixedPart(table)];
}

/**
 * The table of what is written to the service, and the fields of each object folded away. What is new comes last: where
 * there is no room for all, a reviewer needs what happens to what is there.
 */
function changePart({ changes }: Plan, style: FieldStyle): readonly MarkdownPart[] {
  const all = changes.filter((change) => !isOnlyBinding(change));
  const written = [...all.filter((change) => !isNew(change)), ...all.filter(isNew)];
  if (written.length === 0) return [];
  const rows = written.map((change) => changeRow(change, style));
  return [
    fixedPart("### Changes"),
    fixedPart(cutTable(["Action", "Address", "What changes"], rows, room.changes)),
    ...written.flatMap((change) => changeFold(change, actionWords(change), style) ?? []),
  ];
}

function isNew({ action }: Change): boolean {
  return action === "create";
}

/** A change of what the project owns, for which nothing is written to the service. */
function isOnlyBinding({ action }: Change): boolean {
  return action === "no-op" || action === "forget";
}

function statePart({ changes }: Plan, style: FieldStyle): readonly MarkdownPart[] {
  const rows = changes.filter(isOnlyBinding).map((change) => changeRow(change, style));
  if (rows.length === 0) return [];
  return [
    fixedPart("### In the state only"),
    fixedPart("Nothing is written to the service for these."),
    fixedPart(cutTable(["Action", "Address", "What"], rows, room.list)),
  ];
}

function driftPart({ drift }: Plan, style: FieldStyle): readonly MarkdownPart[] {
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

/** A tag that nothing carries yet is neither a change nor an error (docs/engine.md, Write routes). */
function pendingPart({ pending }: Plan): readonly MarkdownPart[] {
  if (pending.length === 0) return [];
  const names = cutWords(
    pending.map(({ address }) => inlineCode(address)),
    room.list,
  );
  return [fixedPart(`Comes with the first object or run that carries it: ${names.join(", ")}`)];
}

/** The folded table of objects that nobody declared; nothing when there are none. */
export function unmanagedTable({ unmanaged }: Pick<Plan, "unmanaged">, characters: number): readonly string[] {
  if (unmanaged.length === 0) return [];
  const rows = unmanaged.map(({ kind, id, name, parent }) => [
    inlineCode(`${kind}#${id}`),
    inlineCode(JSON.stringify(name)),
    parent === undefined ? "" : inlineCode(parent),
  ]);
  const table = cutTable(["Object", "Name", "Below"], rows, characters);
  return [foldedPart(`At the service, declared by nobody here: ${unmanaged.length}`, table)];
}

function warningPart(options: PlanMarkdownOptions): readonly MarkdownPart[] {
  const { warnings } = options;
  if (warnings.length === 0) return [];
  return [fixedPart(foldedPart(counted(warnings.length, "warning"), fenceOf(warnings, options)))];
}

/** Which plan this is, and how exactly this one is carried out. */
function footer(plan: Plan, { digest, errors, blocked, applying }: PlanMarkdownOptions): string {
  const name = digest === undefined ? [] : [`Digest of this plan: ${inlineCode(digest)}`];
  const isUseless = errors.length + blocked.length > 0 || isWithoutChanges(plan);
  const how = isUseless ? [] : ["To apply exactly this plan:", fencedCode("sh", applying.join("\n"))];
  return ["---", ...name, ...how].join("\n\n");
}
