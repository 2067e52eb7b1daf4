import type { Citation } from "../conformance/citation.ts";
import type { Finding } from "../conformance/difference.ts";
import { groupBy } from "../model/group-by.ts";
import type { JsonObject } from "../model/json.ts";
import { cleanLine, counted } from "./terminal-text.ts";

/** A comparison of services, as it is reported. */
export interface ConformanceReport {
  readonly service: { readonly url: string; readonly organization: number };
  readonly questions: number;
  readonly objects: number;
  readonly unasked: readonly { readonly route: string; readonly reason: string }[];
  readonly findings: readonly (Finding & { readonly contradicts: Citation })[];
}

type Reported = ConformanceReport["findings"][number];

/** The document of `conformance --json`. */
export function conformanceDocument({ service, questions, objects, findings, unasked }: ConformanceReport): JsonObject {
  return {
    service: { url: service.url, organization: service.organization },
    ...{ questions, objects, equal: findings.length === 0 },
    differences: findings.map(({ kind, at, found, expected, contradicts, answers, routes, subjects }) => ({
      ...{ kind, at, found, expected, contradicts: { ...contradicts }, answers, routes },
      objects: subjects.map((subject) => ({ kind: subject.kind, id: subject.id })),
    })),
    unasked: unasked.map(({ route, reason }) => ({ route, reason })),
  };
}

/** The report for people: what was asked, what differs, and what to do about it. */
export function conformanceText(report: ConformanceReport): string {
  const { service, questions, objects, findings } = report;
  const asked = `${counted(questions, "question")} about ${counted(objects, "object")} of organization ${service.organization} at ${service.url}`;
  if (findings.length === 0) return `${cleanLine(asked)}: all answers are as the bundled service would give them.\n`;
  const groups = groupBy(findings, ({ contradicts }) =>
    contradicts.decision === undefined ? "documented" : "decided",
  );
  const parts = [
    `${asked}. ${counted(findings.length, "difference")}:`,
    ...groupLines(
      "Contrary to the API's documents: report these to whoever operates the service",
      groups.get("documented"),
    ),
    ...groupLines(
      "Where the documents are silent, other than the bundled service decides: expect these",
      groups.get("decided"),
    ),
    "",
    "No value of an answer is in this report. What the ids of decisions stand for is in docs/service-decisions.md.",
  ];
  return `${parts.map((line) => cleanLine(line)).join("\n")}\n`;
}

function groupLines(title: string, findings: readonly Reported[] = []): readonly string[] {
  if (findings.length === 0) return [];
  return ["", `${title}.`, ...findings.flatMap(findingLines)];
}

function findingLines({ at, found, expected, contradicts, answers, routes, subjects }: Reported): readonly string[] {
  const { section, decision } = contradicts;
  const source = decision === undefined ? section : `${section}; decision ${decision}`;
  const more = routes.length > 1 ? ` and ${counted(routes.length - 1, "route")} more` : "";
  const at3 = subjects.map(({ kind, id }) => `${kind} ${id}`).join(", ");
  return [
    `  ${at}: found ${found}, expected ${expected}`,
    `    ${source}`,
    `    in ${counted(answers, "answer")} of ${routes[0] ?? "no route"}${more}${at3 === "" ? "" : `, as of ${at3}`}`,
  ];
}
