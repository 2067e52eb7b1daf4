import { type Diagnostic, errorOf, warningOf } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { liveHandle, nodeName, type Tree } from "../model/tree.ts";
import type { Change } from "../plan/plan.ts";
import type { Layout } from "./import-layout.ts";
import type { LeftOut } from "./import-tree.ts";
import type { Selection } from "./select-nodes.ts";

/** Patterns that match no test case. */
export function unmatchedProblems(unmatched: Selection["unmatched"]): readonly Diagnostic[] {
  return unmatched.map(({ pattern, near }) => {
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    const detail = `No test case has this name or id, and none matches it as a glob.${hint}`;
    return errorOf("LF3007", `--test-case ${pattern} matches nothing`, detail);
  });
}

/** Wanted objects that another environment binds; those below one of them are not named again. */
export function boundProblems(
  live: Tree,
  owners: ReadonlyMap<string, string>,
  wanted: ReadonlySet<string>,
): readonly Diagnostic[] {
  return [...wanted].flatMap((handle): Diagnostic[] => {
    const [node, owner] = [live.nodes.get(handle), owners.get(handle)];
    const isBelow = node?.parent !== undefined && owners.has(node.parent) && wanted.has(node.parent);
    if (node === undefined || owner === undefined || isBelow) return [];
    const detail = `${handle} "${nodeName(node)}" is bound by ${owner}. Objects of one environment are not imported into another one: choose others with --test-case`;
    return [errorOf("LF3001", `${node.kind} "${nodeName(node)}" is bound already`, detail)];
  });
}

const passwordInAddress = /:\/\/[^/?#\s:@]*:[^/?#\s]+@/;

/** Passwords that are readable within addresses at the service, and so in the files. */
export function openPasswordProblems(
  objects: readonly { readonly address: string; readonly kind: string; readonly id: number }[],
  live: Tree,
): readonly Diagnostic[] {
  return objects.flatMap(({ address, kind, id }) => {
    const fields = Object.entries(live.nodes.get(liveHandle(kind, id))?.fields ?? {});
    const open = fields.filter(([, value]) => typeof value === "string" && passwordInAddress.test(value));
    return open.map(([name]): Diagnostic => {
      const detail = `The service shows a password within an address (not shown here), and it must not be in files under version control. Put \${env:…} in its place, and set that to the password`;
      return { ...warningOf("LF1203", `${address}: ${name} contains a password`, detail), address };
    });
  });
}

/** Objects that cannot be written. */
export function leftOutProblems(leftOut: readonly LeftOut[]): readonly Diagnostic[] {
  return leftOut.map(({ handle, name, why }) => {
    const detail = `"${name}" is at the service, but ${why}. It remains there, unmanaged`;
    return warningOf("LF3012", `${handle} is not imported`, detail);
  });
}

/** The lines to add to edited files, ready to paste: set in, which keeps them whole on a terminal. */
export function byHandProblems(byHand: Layout["byHand"], place: string): readonly Diagnostic[] {
  return byHand.map(({ object, file, lines, needs }) => {
    const asked = needs === undefined ? "" : ` It needs you to ${needs}.`;
    const detail = `${file} was written or edited by hand, so it is left alone.${asked} The scripts and data files that it needs are written: add this to the file, and bind it with: loadform import${place} --all\n${lines.replaceAll(/^(?=.)/gm, "  ")}`;
    return { severity: "warning", code: "LF3012", summary: `${object.address} must be added by hand`, detail };
  });
}

/** Fields by which the imported files and the service differ. */
export function unprovenProblems(
  changes: readonly Change[],
  severity: Diagnostic["severity"],
  { commandWords, inlineValue }: { readonly commandWords: string; readonly inlineValue: InlineValue },
): readonly Diagnostic[] {
  const brief = (value: Json | undefined) => {
    const text = value === undefined ? "nothing" : inlineValue(value);
    return text.length > 120 ? `${text.slice(0, 117)}...` : text;
  };
  return changes.map(({ address, action, fields }) => {
    const shown = fields.map(({ field, before, after, sensitive }) =>
      sensitive ? `${field} (sensitive)` : `${field}: ${brief(before)} at the service, ${brief(after)} in the files`,
    );
    const found = shown.length === 0 ? `A plan would ${action} it` : shown.join("; ");
    const rest =
      severity === "error"
        ? "Nothing was moved into the project"
        : `It is not bound. To take it over with what the project declares:\n  loadform apply${commandWords} --adopt name --target '${address}'`;
    return { severity, code: "LF3013", summary: `${address} differs`, detail: `${found}. ${rest}`, address };
  });
}

/** A value on one line, as the report writes it. */
export type InlineValue = (value: Json | undefined) => string;
