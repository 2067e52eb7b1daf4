import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ObjectGraph } from "../../model/graph/object-graph.ts";
import { formatCount } from "../../pictures/figures.ts";
import { type Fact, tableHtml } from "../../pictures/page-frame.ts";
import type { Change, Plan } from "../../plan/plan.ts";
import type { DiagnosticStyle } from "../diagnostic-text.ts";
import type { FieldStyle } from "../field-text.ts";
import { markChanges, markOf } from "../graph/plan-graph.ts";
import { cleanLine } from "../terminal-text.ts";
import { type CalendarRow, calendarHtml } from "./calendar-html.ts";
import type { Forecast } from "./forecast.ts";
import { graphHtml } from "./graph-html.ts";
import { dayText } from "./page-moment.ts";
import type { PagePart } from "./page-section.ts";
import { regionTable } from "./region-table.ts";

/** The part of the input that plans and drift have alike: the project, its problems and pictures. Nothing in it is secret. */
export interface PageInput {
  /** Its place on the page, from 1. */
  readonly number: number;
  /** The project's name, else its folder. */
  readonly name: string;
  /** Errors and guards are the last. */
  readonly problems: readonly Diagnostic[];
  /** The number of guards and limits among them. */
  readonly blocked: number;
  readonly contents: FieldStyle["contents"];
  readonly lineOf: DiagnosticStyle["lineOf"];
  /** ISO 8601. */
  readonly createdAt: string;
  readonly graph?: ObjectGraph;
  readonly forecast?: Forecast;
}

/** The service, the organization and the environment. */
export function placeFacts({ environment, target }: Pick<Plan, "environment" | "target">): readonly Fact[] {
  return [
    ...(environment === undefined ? [] : [["Environment", environment] as const]),
    ["Service", target.url],
    ["Organization", String(target.organization)],
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
export function unmanagedPart({ unmanaged, project }: Pick<Plan, "unmanaged" | "project">): readonly PagePart[] {
  if (unmanaged.length === 0) return [];
  const isAtTop = unmanaged.every(({ parent }) => parent === undefined);
  const columns = ["Object", "Name", ...(isAtTop ? [] : ["Below"])];
  const rows = unmanaged
    .slice(0, 500)
    .map(({ kind, id, name, parent }) => [`${kind}#${id}`, cleanLine(name), ...(isAtTop ? [] : [parent ?? ""])]);
  const rest = unmanaged.length - rows.length;
  const table = tableHtml({ caption: `Beside ${cleanLine(project)}`, columns, rows });
  return [
    {
      id: "undeclared",
      title: "At the service, not declared here",
      html: `${table}${rest > 0 ? `<p class="soft">… and ${formatCount(rest)} more</p>` : ""}`,
    },
  ];
}
