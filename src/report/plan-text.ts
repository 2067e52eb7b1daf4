import { parseAddress, topAddress } from "../model/address.ts";
import { getOrMake } from "../model/group-by.ts";
import { isOfOtherTarget, type Pause, type PendingObject, type Plan, type Unmanaged } from "../plan/plan.ts";
import { changeText, driftText } from "./change-text.ts";
import type { FieldStyle } from "./field-text.ts";
import { cleanLine, counted } from "./terminal-text.ts";

/** The instances of modules that declare test cases, by keys of these. */
export type Instances = ReadonlyMap<string, string>;

/** So many instances are read one after the other without headings. */
const mostWithout = 3;

export interface PlanTextOptions extends FieldStyle {
  readonly requests: number;
  readonly instances?: Instances | undefined;
}

/** A plan as a person reads it: what changed outside, what will change field by field, and one line of counts; nothing of another target's. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  if (isOfOtherTarget(plan)) return "";
  return sectionsText([
    driftSection(plan, options),
    changesSection(plan, options),
    pausesSection(plan),
    pendingSection(plan),
    unmanagedLines(plan.unmanaged),
    [summaryLine(plan, options)],
  ]);
}

/** Sections of lines with a blank line between them; one without lines is omitted. */
export function sectionsText(sections: readonly (readonly string[])[]): string {
  return `${sections.flatMap((lines) => (lines.length > 0 ? [lines.join("\n")] : [])).join("\n\n")}\n`;
}

function driftSection(plan: Plan, style: FieldStyle): readonly string[] {
  if (plan.drift.length === 0) return [];
  const planned = new Map(plan.changes.map((change) => [change.address, change]));
  const lines = plan.drift.flatMap((change) => driftText(change, style, planned.get(change.address)));
  return ["Changed outside since the last apply:", "", ...lines];
}

function changesSection(plan: Plan, style: PlanTextOptions): readonly string[] {
  if (plan.changes.length === 0) return [];
  const environment = plan.environment === undefined ? "" : ` (environment ${plan.environment})`;
  const { url, organization } = plan.target;
  const head = cleanLine(`${plan.project}${environment} at ${url}, organization ${organization}:`);
  const groups = instanceGroups(plan.changes, style.instances ?? new Map());
  const lines = groups.flatMap(({ instance, changes }) => [
    ...(instance === undefined ? [] : ["", `Instance ${style.palette.bold(instance)}:`]),
    ...changes.flatMap((change) => ["", ...changeText(change, style)]),
  ]);
  return [head, ...lines];
}

/** A start of theirs meanwhile is known only when the plan is applied (docs/engine.md, Write routes). */
function pausesSection({ pauses }: Plan): readonly string[] {
  if (pauses.length === 0) return [];
  const line = ({ address, around }: Pause) => `  ${address} (${counted(around.length, "write")})`;
  return ["Paused while the objects that they run change, if they would start in that time:", ...pauses.map(line)];
}

/** A tag that no object uses yet is neither a change nor an error (docs/engine.md, Write routes). */
function pendingSection(plan: Plan): readonly string[] {
  return pendingWords(plan).map(({ words, tags }) => `${words}: ${tags.map(({ address }) => address).join(", ")}`);
}

/** The tags that are created together with their first carrier, and those that nothing here carries, in words. */
export function pendingWords(
  plan: Pick<Plan, "changes" | "pending">,
): readonly { readonly words: string; readonly tags: readonly PendingObject[] }[] {
  const { carried, others } = pendingTags(plan);
  return [
    {
      words:
        carried.length === 1
          ? "1 tag is created with the scenarios that use it"
          : `${carried.length} tags are created with the scenarios that use them`,
      tags: carried,
    },
    { words: "Created with the first object or run that uses it", tags: others },
  ].filter(({ tags }) => tags.length > 0);
}

/** Tags that are created with the objects that the plan writes, and the others. */
export function pendingTags({ changes, pending }: Pick<Plan, "changes" | "pending">) {
  const written = new Set(changes.flatMap(({ after }) => (Array.isArray(after?.tags) ? after.tags.map(String) : [])));
  const isCarried = ({ name }: PendingObject) => written.has(name);
  return { carried: pending.filter(isCarried), others: pending.filter((tag) => !isCarried(tag)) };
}

export function unmanagedLines(unmanaged: readonly Unmanaged[]): readonly string[] {
  if (unmanaged.length === 0) return [];
  const line = ({ kind, id, name, parent }: Unmanaged) =>
    `  ${kind}#${id} ${cleanLine(JSON.stringify(name))}${parent === undefined ? "" : ` below ${parent}`}`;
  return ["At the service, not declared here:", ...unmanaged.map(line)];
}

/** The counts of a plan in one line; unusual ones are omitted when they are zero. */
function summaryLine(plan: Plan, { requests, palette }: PlanTextOptions): string {
  const [head = "", ...rest] = planCounts(plan).split(":");
  return `${palette.bold(`${head}:`)}${rest.join(":")} ${counted(requests, "request")}.`;
}

/** The counts of a plan in one sentence. */
export function planCounts(plan: Pick<Plan, "summary" | "changes" | "pending">): string {
  const { summary } = plan;
  if (isWithoutChanges(plan))
    return `No changes: ${summary.noop === 1 ? "1 object is" : `${summary.noop} objects are`} as declared.`;
  const { carried } = pendingTags(plan);
  const tags = carried.length === 0 ? [] : [`${counted(carried.length, "tag")} to create with them`];
  const unusual = (["replace", "import", "move", "forget"] as const).flatMap((action) =>
    summary[action] === 0 ? [] : [`${summary[action]} to ${action}`],
  );
  const counts = [
    `${summary.create} to create`,
    `${summary.update} to update`,
    `${summary.delete} to delete`,
    ...unusual,
    `${summary.noop} unchanged`,
    ...tags,
  ];
  return `Plan: ${counts.join(", ")}.`;
}

/** True where applying the plan would change nothing, neither at the service nor in the state. */
export function isWithoutChanges({ summary, changes }: Pick<Plan, "summary" | "changes">): boolean {
  const { noop: _noop, ...counts } = summary;
  return changes.length === 0 && Object.values(counts).every((count) => count === 0);
}

/** The instance that declares an object; undefined for an object that no module declares. */
export function instanceOf(address: string, instances: Instances): string | undefined {
  const [top] = parseAddress(topAddress(address)) ?? [];
  return top?.kind === "testCase" ? instances.get(top.key) : undefined;
}

/** Changes by instance, those of none first; one group of all where few instances change. */
export function instanceGroups<C extends { readonly address: string }>(
  changes: readonly C[],
  instances: Instances,
): readonly { readonly instance?: string; readonly changes: readonly C[] }[] {
  const groups = new Map<string | undefined, C[]>([[undefined, []]]);
  for (const change of changes) getOrMake(groups, instanceOf(change.address, instances), () => []).push(change);
  if (groups.size - 1 <= mostWithout) return [{ changes }];
  return [...groups]
    .filter(([, group]) => group.length > 0)
    .map(([instance, group]) => ({ ...(instance !== undefined && { instance }), changes: group }));
}
