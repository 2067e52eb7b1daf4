import { addressHtml } from "../../pictures/escape-html.ts";
import { formatCount, formatSeveral } from "../../pictures/figures.ts";
import type { Fact } from "../../pictures/page-frame.ts";
import type { Plan } from "../../plan/plan.ts";
import { withoutCauses } from "../change-text.ts";
import type { PlanOrigin } from "../plan-markdown.ts";
import { type Instances, isWithoutChanges, pendingWords, planCounts } from "../plan-text.ts";
import { changeGroups } from "./change-groups.ts";
import type { PagePart, PageSection, PageVerdict } from "./page-section.ts";
import { forecastParts, graphPart, type PageInput, placeFacts, unmanagedPart } from "./picture-parts.ts";
import { problemsHtml } from "./problem-html.ts";

/** The parts of a plan that a page shows. */
export type ShownPlanParts = Pick<
  Plan,
  "project" | "environment" | "target" | "changes" | "drift" | "unmanaged" | "pending" | "pauses" | "summary"
>;

/** The input of a plan's section. */
export interface PlanPageInput extends PageInput {
  /** Absent where none could be made. */
  readonly plan?: ShownPlanParts | undefined;
  readonly digest?: string;
  readonly instances?: Instances | undefined;
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
    tiles: plan === undefined ? [] : planTiles(plan),
    problems: problemsHtml(problems, lineOf),
    parts: plan === undefined ? [] : planParts(plan, { ...input, blocked }),
    next: isApplicable ? { words: "To apply exactly this plan:", commands: [applying] } : undefined,
  };
}

function planVerdict({ plan, problems, blocked }: PlanPageInput): PageVerdict {
  const errors = problems.filter(({ severity }) => severity === "error").length - blocked;
  if (plan === undefined) return { tone: "failed", words: `No plan could be made: ${formatSeveral(errors, "error")}` };
  const guards = blocked === 0 ? [] : [`blocked by ${formatSeveral(blocked, "guard")}`];
  const found = [...(errors === 0 ? [] : [formatSeveral(errors, "error")]), ...guards].join(", ");
  if (found !== "") return { tone: "failed", words: `${found.replace(/^b/, "B")}: none of this plan can be applied` };
  return { tone: isWithoutChanges(plan) ? "passed" : "open", words: countsOnPage(plan) };
}

/** Thousands are separated, as everywhere on the page. */
function countsOnPage(plan: ShownPlanParts): string {
  return planCounts(plan).replace(/\d+/g, (digits) => formatCount(Number(digits)));
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

function planTiles({ summary }: ShownPlanParts): PageSection["tiles"] {
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
  ].map((words) => `<p class="remark">${addressHtml(words)}</p>`);
  return [
    ...(changes.length === 0 && remarks.length === 0
      ? []
      : [
          {
            id: "changes",
            title: "Changes",
            html: changeGroups({ changes, style, instances: input.instances }) + remarks.join(""),
          },
        ]),
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
