import { type AnyKind, kindsByName } from "../model/kind.ts";

/** Text that is read back as it is: `${` is escaped where something would be replaced. */
export function escapeText(text: string): string {
  return /\$\$\{|\$\{(env|file|var|param|each):/.test(text) ? text.replaceAll("${", () => "$${") : text;
}

/** The reference from one object to another: the key alone where that is enough, else the keys from the top. */
export function referenceText(from: string, target: string, kinds: readonly AnyKind[]): string {
  const steps = target.split("/");
  const keys = steps.map((step) => step.slice(step.indexOf(".") + 1));
  const kind = steps.at(-1)?.split(".", 1)[0] ?? "";
  const above = steps.slice(0, -1).join("/");
  const parent = kindsByName(kinds).get(kind)?.parent;
  const isBeside = parent === undefined || nearestOf(from, parent) === above;
  return isBeside ? (keys.at(-1) ?? "") : keys.join("/");
}

function nearestOf(address: string, kind: string): string | undefined {
  const steps = address.split("/");
  const at = steps.findLastIndex((step) => step.startsWith(`${kind}.`));
  return at < 0 ? undefined : steps.slice(0, at + 1).join("/");
}

/** A note as the text of one comment line: nothing in it ends the line. */
export function commentText(note: string): string {
  return note.replace(/[\p{Cc}\u2028\u2029\uFEFF\p{Cs}]+/gu, " ").trim();
}
