import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ObjectGraph } from "../../model/graph/object-graph.ts";
import { asHtml } from "../../pictures/escape-html.ts";
import type { Fact } from "../../pictures/page-frame.ts";
import { tableHtml } from "../../pictures/page-frame.ts";
import type { Change, Plan } from "../../plan/plan.ts";
import { withoutCauses } from "../change-text.ts";
import type { DiagnosticStyle } from "../diagnostic-text.ts";
import type { FieldStyle } from "../field-text.ts";
import { markChanges, markOf } from "../graph/plan-graph.ts";
import type { PlanOrigin } from "../plan-markdown.ts";
import { isWithoutChanges, pendingWords, planCounts } from "../plan-text.ts";
import { counted } from "../terminal-text.ts";
import type { CalendarRow } from "./calendar-html.ts";
import { calendarHtml } from "./calendar-html.ts";
import { changeGroups } from "./change-groups.ts";
import type { Forecast } from "./forecast.ts";
import { graphHtml } from "./graph-html.ts";
import { dayText } from "./page-moment.ts";
import type { PagePart, PageSection, PageVerdict } from "./page-section.ts";
import { problemsHtml } from "./problem-html.ts";
import { regionTable } from "./region-table.ts";

/** What every section of a page has: the project, its problems and pictures. Nothing in it is secret. */
export interface PageInput {
  /** Its place on the page, from 1. */
  readonly number: number;
  /** The project's name, else its folder. */
  readonly name: string;
  /** Errors and guards are the last. */
  readonly problems: readonly Diagnostic[];
  /** How many of them are guards and limits. */
  readonly blocked: number;
  readonly contents: FieldStyle["contents"];
  readonly lineOf: DiagnosticStyle["lineOf"];
  /** ISO 8601. */
  readonly createdAt: string;
  readonly graph?: ObjectGraph;
  readonly forecast?: Forecast;
}

/** The parts of a plan that a page shows. */
export type ShownPlanParts = Pick<
  Plan,
  "project" | "environment" | "target" | "changes" | "drift" | "unmanaged" | "pending" | "pauses" | "summary"
>;

/** The input of a plan's section. */
export interface PlanPageInput extends PageInput {
  /** Absent where none could be made. */
  readonly plan?: ShownPlanParts;
  readonly digest?: string;
  readonly origin?: PlanOrigin;
  /** Flags that narrow or widen the plan, as typed. */
  readonly choices: readonly string[];
  /** The command that carries out exactly this plan. */
  readonly applying: string;
}

const heads = ["now", "after"] as const;

/** A plan as a section of a page, by which a reviewer can decide. */
export function planSection(input: PlanPageInput): PageSection {
  const { plan, problems, blocked, lineOf, choices, applying } = input;
  const verdict = planVerdict(input);
  const only = choices.length === 0 ? "" : ` with ${choices.join(" ")}`;
  const isApplicable = verdict.tone === "open";
  return {
    overline: `Plan${only}`,
    name: input.name,
    verdict,
    facts: plan === undefined ? [] : planFacts(plan, input),
    tiles: plan === undefined ? [] : tilesOf(plan),
    problems: problemsHtml(problems, lineOf),
    parts: plan === undefined ? [] : planParts(plan, { ...input, blocked }),
    next: isApplicable ? { words: "To apply exactly this plan:", commands: [applying] } : undefined,
  };
}

function planVerdict({ plan, problems, blocked }: PlanPageInput): PageVerdict {
  const errors = problems.filter(({ severity }) => severity === "error").length - blocked;
  if (plan === undefined) return { tone: "failed", words: `No plan could be made: ${counted(errors, "error")}` };
  const guards = blocked === 0 ? [] : [`blocked by ${counted(blocked, "guard")}`];
  const found = [...(errors === 0 ? [] : [counted(errors, "error")]), ...guards].join(", ");
  if (found !== "") return { tone: "failed", words: `${found.replace(/^b/, "B")}: none of this plan can be applied` };
  return { tone: isWithoutChanges(plan) ? "passed" : "open", words: planCounts(plan) };
}

function planFacts(plan: ShownPlanParts, input: PlanPageInput): readonly Fact[] {
  const { createdAt, digest, origin, applying } = input;
  const isInCommand = digest !== undefined && applying.includes(digest) && planVerdict(input).tone === "open";
  return [
    ...placeFacts(plan),
    ["Planned", `${createdAt.slice(0, 16).replace("T", " ")} UTC`],
    ...(origin === undefined ? [] : [["Commit", origin.commit.slice(0, 12)] as const]),
    // The command that applies the plan names it, unless that is saved or blocked.
    ...(digest === undefined || isInCommand ? [] : [["Digest", digest] as const]),
  ];
}

/** The service, the organization and the environment. */
export function placeFacts({ environment, target }: Pick<Plan, "environment" | "target">): readonly Fact[] {
  return [
    ...(environment === undefined ? [] : [["Environment", environment] as const]),
    ["Service", target.url],
    ["Organization", String(target.organization)],
  ];
}

function tilesOf({ summary }: ShownPlanParts): PageSection["tiles"] {
  const rare = (["import", "move", "forget"] as const).filter((name) => summary[name] > 0);
  return [
    ...(["create", "update", "replace", "delete"] as const).map((name) => ({ name, count: summary[name], tone: name })),
    ...rare.map((name) => ({ name, count: summary[name], tone: "state" })),
    { name: "unchanged", count: summary.noop, tone: "plain" },
  ];
}

function planParts(plan: ShownPlanParts, input: PlanPageInput): readonly PagePart[] {
  const { changes, drift, pauses } = plan;
  const style = { contents: input.contents, heads };
  const remarks = [
    ...pendingWords(plan).map(({ words, tags }) => `${words}: ${tags.map(({ address }) => address).join(", ")}`),
    ...(pauses.length === 0
      ? []
      : [
          `Paused while the objects that they run change, if they would start in that time: ${pauses.map(({ address }) => address).join(", ")}`,
        ]),
  ].map((words) => `<p class="remark">${asHtml(words)}</p>`);
  return [
    ...(changes.length === 0 && remarks.length === 0
      ? []
      : [{ id: "changes", title: "Changes", html: changeGroups({ changes, style }) + remarks.join("") }]),
    ...(drift.length === 0
      ? []
      : [
          {
            id: "outside",
            title: "Changed outside since the last apply",
            html: changeGroups({
              changes: drift.map(withoutCauses),
              style: { ...style, heads: ["applied", "now"] },
              wordsOf: ({ action }) => (action === "delete" ? "is gone" : "changed outside"),
            }),
          },
        ]),
    ...forecastParts({ ...input, changes, heads, side: "declared" }),
    ...graphPart(input, changes),
    ...unmanagedPart(plan),
  ];
}

/** Load and calendar of a project; `side` is the one that the calendar shows. */
export function forecastParts({
  forecast,
  changes,
  heads: words,
  side,
}: Pick<PageInput, "forecast"> & {
  readonly changes: readonly Change[];
  readonly heads: readonly [string, string];
  readonly side: "live" | "declared";
}): readonly PagePart[] {
  if (forecast === undefined) return [];
  const { weeks, live, declared, regions } = forecast;
  const marks = new Map(changes.map((change) => [change.address, markOf(change)]));
  const own = side === "declared" ? declared : live;
  const others = side === "declared" ? live : declared;
  const gone = side === "declared" ? live.filter(({ address }) => marks.get(address)?.change === "delete") : [];
  const rows = [...own, ...gone].map((row): CalendarRow => ({ ...row, mark: marks.get(row.address) }));
  const [, from, month] = dayText(weeks.from);
  const [, to, next] = dayText(weeks.to - 1);
  const isEmpty = regions.regions.length + regions.hidden.length + regions.unbounded.length === 0;
  return [
    ...(isEmpty ? [] : [{ id: "load", title: "Load per region", html: regionTable(regions, words) }]),
    ...(rows.length === 0
      ? []
      : [
          {
            id: "calendar",
            title: "Two weeks of schedules",
            note: `${from} ${month} to ${to} ${next}, UTC`,
            html: calendarHtml({ weeks, rows, others, otherWord: side === "declared" ? words[0] : words[1] }),
          },
        ]),
  ];
}

/** The graph with these changes marked; `wordsOf` says what happens to one, by default its action. */
export function graphPart(
  { graph, name, number }: Pick<PageInput, "graph" | "name" | "number">,
  changes: readonly Change[],
  wordsOf?: (change: Change) => string,
): readonly PagePart[] {
  if (graph === undefined || graph.nodes.length === 0) return [];
  const { nodes, ...rest } = markChanges(graph, changes);
  const words = new Map(changes.map((change) => [change.address, wordsOf?.(change)]));
  const told = nodes.map(({ mark, ...node }) => ({
    ...node,
    ...(mark && { mark: { ...mark, words: words.get(node.address) ?? mark.words } }),
  }));
  const html = graphHtml({ ...rest, nodes: told }, { id: `graph-${number}`, title: `Graph of ${name}` });
  return [{ id: "graph", title: "Graph", html }];
}

/** Live objects that are not declared. */
export function unmanagedPart({ unmanaged }: Pick<Plan, "unmanaged">): readonly PagePart[] {
  if (unmanaged.length === 0) return [];
  const rows = unmanaged.slice(0, 500).map(({ kind, id, name, parent }) => [`${kind}#${id}`, name, parent ?? ""]);
  const rest = unmanaged.length - rows.length;
  const table = tableHtml({ caption: "Objects that nobody declared", columns: ["Object", "Name", "Below"], rows });
  return [
    {
      id: "undeclared",
      title: "At the service, not declared here",
      html: `${table}${rest > 0 ? `<p class="soft">… and ${rest} more</p>` : ""}`,
    },
  ];
}
