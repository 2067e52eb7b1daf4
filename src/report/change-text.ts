import { lastStep } from "../model/address.ts";
import type { Cause, Change } from "../plan/plan.ts";
import { loadEffect, nextTimesLine } from "./effect-lines.ts";
import { type FieldStyle, fieldText } from "./field-text.ts";
import { shownName } from "./readable-value.ts";
import { cleanLine, type Palette } from "./terminal-text.ts";

/** One object of a plan as lines. */
export function changeText(change: Change, style: FieldStyle): readonly string[] {
  const { palette } = style;
  return [
    `  ${headLine(change, palette)}`,
    ...fieldLines(change, style),
    ...effectLines(change, palette),
    ...(change.risks.length > 0 ? [palette.red(`      ! would be lost: ${cleanLine(change.risks.join(", "))}`)] : []),
  ];
}

function effectLines(change: Change, palette: Palette): readonly string[] {
  const load = loadEffect(change);
  const times = nextTimesLine(change);
  return [
    ...(load ? [palette.bold(load.rises ? palette.yellow(`      ${load.line}`) : `      ${load.line}`)] : []),
    ...(times === undefined ? [] : [palette.bold(`      ${times}`)]),
  ];
}

/** The outside change of one object, as lines; `planned` is the plan for it. */
export function driftText(change: Change, style: FieldStyle, planned: Change | undefined): readonly string[] {
  const head = `${driftHead(change, style.palette)}${change.action === "delete" ? " is gone" : ""}`;
  const noteOf = (name: string) =>
    isDeclaredSo(change, name, planned) ? style.palette.dim("  (already declared)") : "";
  // Nothing is to be done about these, so their heads say enough.
  const isBrief = (name: string) => isDeclaredSo(change, name, planned);
  return [head, ...fieldLines(change, { ...style, isBrief }, noteOf)];
}

/** Both sides changed a field, and nothing is done about it: to the same value. */
function isDeclaredSo({ fields }: Change, name: string, planned: Change | undefined): boolean {
  const isIn = (each: Change["fields"][number]) => each.field === name;
  return fields.find(isIn)?.cause === "both" && planned?.fields.some(isIn) !== true;
}

/** The sign and address of an object to which something happened outside. */
export function driftHead(change: Change, palette: Palette): string {
  const { symbol, paint } = signOf(change, palette);
  return `  ${paint(symbol)} ${palette.bold(change.address)}`;
}

/** Where every field changed outside, the mark on each is redundant. */
export function withoutCauses(change: Change): Change {
  return { ...change, fields: change.fields.map((field) => ({ ...field, cause: "change" })) };
}

function headLine(change: Change, palette: Palette): string {
  const { symbol, paint } = signOf(change, palette);
  const shown = shownName(change);
  const name = shown === lastStep(change.address).key ? "" : ` ${cleanLine(JSON.stringify(shown))}`;
  const notes = notesOf(change);
  return `${paint(symbol)} ${palette.bold(change.address)}${name}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`;
}

/** Terraform's signs, and two more for what only touches the state. */
export function signOf({ action, createFirst, previousAddress }: Change, palette: Palette) {
  switch (action) {
    case "create":
      return { symbol: "+", paint: palette.green };
    case "update":
      return { symbol: "~", paint: palette.yellow };
    case "delete":
      return { symbol: "-", paint: palette.red };
    case "replace":
      return { symbol: createFirst ? "+/-" : "-/+", paint: palette.red };
    case "forget":
      return { symbol: ".", paint: palette.dim };
    case "no-op":
      return { symbol: previousAddress === undefined ? "=" : "→", paint: palette.cyan };
  }
}

/** Notes on a change beside its fields: id, import, move, reason. */
export function notesOf({ action, id, importing, previousAddress, reason }: Change): readonly string[] {
  return [
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(importing ? ["taken over"] : []),
    ...(previousAddress === undefined ? [] : [`moved from ${previousAddress}`]),
    ...(reason === undefined ? [] : [reason]),
    ...(action === "forget" && reason === undefined ? ["forgotten; remains at the service"] : []),
  ];
}

/** The mark behind a field that changed outside. */
export const causeNotes: Readonly<Record<Cause, string>> = {
  change: "",
  drift: "  (changed outside)",
  both: "  (changed outside and here)",
};

/** The fields that change, their values aligned; `noteOf` gives the mark behind one, by default its cause, and `isBrief` omits the lines below it. */
export function fieldLines(
  { action, fields }: Change,
  style: FieldStyle & { readonly isBrief?: (field: string) => boolean },
  noteOf?: (field: string) => string,
): readonly string[] {
  const { palette } = style;
  const paints = { "+": palette.green, "~": palette.yellow, "-": palette.red };
  const width = Math.max(0, ...fields.map(({ field }) => field.length + 1));
  return fields.flatMap((change) => {
    const { symbol, head, below } = fieldText(change, style, action === "create");
    const cause = change.cause === "change" ? "" : palette.yellow(causeNotes[change.cause]);
    const line = `      ${paints[symbol](symbol)} ${`${change.field}:`.padEnd(width)} ${head}${noteOf?.(change.field) ?? cause}`;
    const shown = style.isBrief?.(change.field) === true ? [] : below;
    return [line.trimEnd(), ...shown.map((each) => `          ${each}`.trimEnd())];
  });
}
