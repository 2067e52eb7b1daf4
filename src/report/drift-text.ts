import type { Accepted } from "../drift/accept-drift.ts";
import type { Drift, DriftedField, DriftedObject } from "../drift/find-drift.ts";
import { changeText, driftHead, fieldLines } from "./change-text.ts";
import type { FieldStyle } from "./field-text.ts";
import { sectionsText, unmanagedLines } from "./plan-text.ts";
import { inlineValue } from "./readable-value.ts";
import { cleanLine, counted } from "./terminal-text.ts";

export interface DriftTextOptions extends FieldStyle {
  readonly requests: number;
  /** The commands that undo the drift, and that accept it; one per address that can be accepted. */
  readonly waysOut: WaysOut;
}

/** The two ways out of drift, as commands. */
export interface WaysOut {
  /** With an address for one object; without it for all of them, and for changes that are not applied yet. */
  readonly putBack: (address?: string) => string;
  readonly accept: (address: string) => string;
  /** The command that writes undeclared objects into the project. */
  readonly declare: string;
}

/** Drift is shown for a decision: the whole of a replaced text is in version control. */
export const driftDiffLines = 20;

/** Drift as a person reads it: what moved outside, field by field, what only git moved, and the two ways out. */
export function driftText(drift: Drift, options: DriftTextOptions): string {
  return sectionsText([
    driftedSection(drift, { ...options, diffLines: driftDiffLines }),
    changedSection(drift, options),
    unmanagedLines(drift.unmanaged),
    [`${driftCounts(drift)} ${counted(options.requests, "request")}.`],
    waysOutSection(drift, options),
  ]);
}

function driftedSection({ drifted, project, environment, target }: Drift, style: FieldStyle): readonly string[] {
  if (drifted.length === 0) return [];
  const place = environment === undefined ? "" : ` (environment ${environment})`;
  const head = `Changed outside, ${project}${place} at ${target.url}, organization ${target.organization}:`;
  return [head, ...drifted.flatMap((object) => ["", ...objectLines(object, style)])];
}

function objectLines(object: DriftedObject, style: FieldStyle): readonly string[] {
  const { palette } = style;
  const noteOf = (field: string) => {
    const found = object.fields.find((each) => each.field === field);
    return found === undefined ? "" : palette.yellow(`  (${fieldNote(found)})`);
  };
  const words = objectNote(object);
  const head = driftHead(object, palette);
  return [words === "" ? head : `${head} (${words})`, ...fieldLines(object, style, noteOf)];
}

/** The note on an object beside its fields. */
export function objectNote({ action, id }: DriftedObject): string {
  if (action === "delete") return "deleted outside";
  if (action === "create") return "added outside, not declared";
  return id === undefined ? "" : `id ${id}`;
}

/** The class of a field, and its desired value where that changed as well. */
export function fieldNote({ cause, desired, before, after }: DriftedField): string {
  if (cause === "drift") return "drift";
  const isShort = desired === undefined || inlineValue(desired).length <= 60;
  return isShort
    ? `both: ${cleanLine(inlineValue(desired, after ?? before))} is already declared`
    : "both: declared differently";
}

function changedSection({ changed }: Drift, style: FieldStyle): readonly string[] {
  if (changed.length === 0) return [];
  return [
    "Changed here and not applied yet (not drift):",
    ...changed.flatMap((each) => ["", ...changeText(each, style)]),
  ];
}

/** The counts of drift in one sentence. */
export function driftCounts({ drifted, changed, unmanaged, failsOnUnmanaged }: Drift): string {
  const of = (action: DriftedObject["action"]) => drifted.filter((each) => each.action === action).length;
  const fields = drifted.reduce((sum, each) => sum + each.fields.length, 0);
  const parts = [
    ...(of("update") > 0 ? [`${counted(of("update"), "object")} changed (${counted(fields, "field")})`] : []),
    ...(of("delete") > 0 ? [`${of("delete")} deleted`] : []),
    ...(of("create") > 0 ? [`${of("create")} added`] : []),
    ...(failsOnUnmanaged && unmanaged.length > 0 ? [`${counted(unmanaged.length, "object")} not declared`] : []),
  ];
  const waiting = changed.length > 0 ? ` ${counted(changed.length, "change")} of the project not applied yet.` : "";
  return `${parts.length === 0 ? "No drift." : `Drift: ${parts.join(", ")}.`}${waiting}`;
}

/** Drift that can be written into a file: no secret, no unmanaged object, and nothing that comes from elsewhere. */
export function acceptable({ drifted, byHand = [] }: Drift): readonly DriftedObject[] {
  const refused = new Set(byHand.map(({ address }) => address));
  return drifted.filter(
    ({ action, address, fields }) =>
      !refused.has(address) &&
      (action === "delete" || (action === "update" && fields.some(({ sensitive }) => !sensitive))),
  );
}

/** Advice on drift that is accepted by hand, a line each. */
export function byHandLines({ byHand = [] }: Drift): readonly string[] {
  return byHand.map(({ address, field, what }) =>
    cleanLine(`${address}${field === undefined ? "" : ` ${field}`}: ${what}`),
  );
}

/** The head of these lines. */
export const byHandHead = "To keep what is at the service, change by hand what no command can write:";

/** Addresses whose command is spelled out; that of the others is the same. */
const spelledOut = 3;

/** The most lines of edits by hand: each is a different one. */
const longestByHand = 10;

function waysOutSection(drift: Drift, { waysOut, palette }: DriftTextOptions): readonly string[] {
  const { drifted, changed } = drift;
  const accepted = acceptable(drift).map(({ address }) => waysOut.accept(address));
  const byHand = byHandLines(drift);
  const pending = changed.length > 0 ? ", including changes not applied yet" : "";
  const isMore = drifted.length > spelledOut || (drifted.length > 0 && pending !== "");
  const all = isMore ? [palette.dim(`${waysOut.putBack()}  # everything${pending}`)] : [];
  const likewise = byHand.length === 0 ? " more; '**' takes all" : " more";
  const ways: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [
      "To put back what is declared:",
      [...drifted.slice(0, spelledOut).map(({ address }) => waysOut.putBack(address)), ...all],
    ],
    [
      "To keep what is at the service, and write it into the project:",
      firstOf(accepted, spelledOut, (rest) => palette.dim(`… and likewise for ${rest}${likewise}`)),
    ],
    [byHandHead, firstOf(byHand, longestByHand, (rest) => palette.dim(`… and ${rest} more`))],
    [
      "To keep objects that nobody declared, write them into the project:",
      isUndeclared(drift) ? [waysOut.declare] : [],
    ],
  ];
  return ways.flatMap(([title, lines]) => (lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]));
}

/** The first of many lines, and a last one on how many there are beyond. */
export function firstOf(lines: readonly string[], most: number, more: (rest: number) => string): readonly string[] {
  return lines.length > most ? [...lines.slice(0, most), more(lines.length - most)] : lines;
}

/** True where there is drift that is no part of the project. */
export function isUndeclared({ drifted, unmanaged, failsOnUnmanaged }: Drift): boolean {
  return drifted.some(({ action }) => action === "create") || (failsOnUnmanaged === true && unmanaged.length > 0);
}

/** An acceptance as a person reads it; `apply` is the command that is still needed where bindings are left. */
export function acceptedText(
  { fields, removed, kept, deleted, remaining, files, otherEnvironments }: Accepted,
  apply: string,
): string {
  const lines = [
    `Accepted into ${counted(files.length + deleted.length, "file")}, proved by a plan:`,
    ...fields.map(({ address, field, file }) => `  ~ ${address} ${field} in ${file}`),
    ...removed.map(({ address, file }) => `  - ${address} removed from ${file}: it was deleted at the service`),
    ...deleted.map((file) => `  - ${file} deleted: nothing in the project uses it any more`),
    ...remaining.map((file) => `  ! ${file} remains: it differs from what was applied; delete it if it is not needed`),
    ...kept.map(
      ({ address, field, file }) =>
        `  = ${address} ${field} written out in ${file}: it was shared with what is accepted`,
    ),
    ...environmentsText(otherEnvironments).map((line) => `  ! ${line}`),
    ...(removed.length === 0 ? [] : [`Next: ${apply} forgets what was deleted at the service; this sends nothing.`]),
  ];
  return `${lines.map((line) => cleanLine(line)).join("\n")}\n`;
}

/** A line about environments that read files that were written, too. */
export function environmentsText(others: readonly string[]): readonly string[] {
  const names = others.map((name) => name || "without one").join(", ");
  return others.length === 0 ? [] : [`other environments read the same files (${names}): plan them, too`];
}
