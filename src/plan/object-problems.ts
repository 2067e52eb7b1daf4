import type { Diagnostic } from "../model/diagnostic.ts";
import { valueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { withoutQuoted } from "../model/secret-texts.ts";
import type { TreeNode } from "../model/tree.ts";
import { nodeName } from "../model/tree.ts";
import type { FieldsDiff } from "./diff-fields.ts";
import type { PlanContext } from "./plan-context.ts";
import { problemAt } from "./plan-context.ts";

interface ObjectOfKind {
  readonly node: TreeNode;
  readonly kind: AnyKind;
}

interface ObjectUpdate extends ObjectOfKind {
  readonly live: TreeNode;
  readonly diff: FieldsDiff;
}

/** References of a desired object that match nothing, or several objects. */
export function lostReferences(context: PlanContext, { kind, node }: ObjectOfKind): readonly Diagnostic[] {
  return context.resolver.lost(kind, node.fields).map((lost) =>
    problemAt(context, node.handle, {
      code: "LF3009",
      summary: `${node.handle} refers to nothing`,
      detail: `found ${lost}; expected exactly one such object at the service, or a key of the project`,
    }),
  );
}

/** What is to be reported of a change in place. */
export function updateProblems(context: PlanContext, update: ObjectUpdate): readonly Diagnostic[] {
  const changed = update.diff.changes.map(({ field }) => field);
  return [
    ...problemsNow(context, { ...update, changed }),
    ...readOnlyProblem(context, update),
    ...renameProblem(context, update),
    ...releaseNotices(context, update),
  ];
}

/** What cannot be created now, or cannot be changed to what is declared. */
export function problemsNow(
  context: PlanContext,
  { node, kind, changed }: ObjectOfKind & { readonly changed?: readonly string[] },
): readonly Diagnostic[] {
  const findings = kind.beforeCreate?.(node.fields, context.input.now) ?? [];
  const pressing = findings.filter(({ path }) => changed?.includes(String(path[0])) ?? true);
  const secrets = (node.sensitive ?? []).map((path) => valueAt(node.fields, path.split(".")));
  return pressing.map(({ path, summary, detail }) =>
    problemAt(context, node.handle, { code: "LF3008", path, summary, detail: withoutQuoted(detail, secrets) }),
  );
}

function readOnlyProblem(context: PlanContext, { node, live, diff }: ObjectUpdate): readonly Diagnostic[] {
  if (live.facts?.["readonly"] !== true || diff.changes.length === 0) return [];
  const fields = diff.changes.map(({ field }) => field).join(", ");
  const detail = `found changes of ${fields}; expected none, because the service marks ${live.handle} as read-only`;
  return [problemAt(context, node.handle, { code: "LF3005", summary: `${node.handle} is read-only`, detail })];
}

function renameProblem(context: PlanContext, { node, kind, diff }: ObjectUpdate): readonly Diagnostic[] {
  const renamed = kind.createdByUse && diff.changes.some(({ field }) => field === "name");
  if (!renamed) return [];
  const detail = `found another name "${nodeName(node)}"; expected the one it has. Declare a new ${kind.name} under another key, and remove this one when nothing carries it`;
  return [
    problemAt(context, node.handle, {
      code: "LF3004",
      summary: `${kind.name} cannot be renamed`,
      detail,
      path: ["name"],
    }),
  ];
}

function releaseNotices(context: PlanContext, { node, diff }: ObjectUpdate): readonly Diagnostic[] {
  return diff.released.map((field) => ({
    ...problemAt(context, node.handle, {
      code: "LF3010",
      summary: `${node.handle}: ${field} is no longer managed`,
      detail: `found ${field} dropped from the project and no documented default to go back to (or a value set by someone else); the live value stays. Write ${field}: null to clear it`,
    }),
    severity: "warning" as const,
  }));
}
