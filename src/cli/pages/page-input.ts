import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { Redact } from "../../model/redact.ts";
import { plannedGraph, plannedNodes } from "../../project/graph-project.ts";
import type { PlanOutcome } from "../../project/plan-opened.ts";
import { forecastOf } from "../../report/pages/forecast.ts";
import type { PageInput } from "../../report/pages/picture-parts.ts";
import { shownContent } from "../../report/pages/shown-parts.ts";
import type { CommandInput } from "../command.ts";
import { linesToShow } from "../views/print-diagnostics.ts";
import { redactGraph } from "../views/redact-output.ts";
import type { PlannedReport } from "../views/show-plan.ts";

/** The surroundings of a section. */
export interface SectionPlace {
  readonly redact: Redact;
  readonly now: number;
  /** Its place on the page, from 1. */
  readonly number: number;
  /** The project as the overview names it; by default by its name. */
  readonly title?: string;
}

/** The input of every section of a page, without secrets. */
export function pageInput(
  { args, cwd }: Pick<CommandInput, "args" | "cwd">,
  { outcome, problems, blocked }: Omit<PlannedReport, "document"> & Pick<PlanOutcome, "blocked">,
  { redact, now, number, title }: SectionPlace,
): PageInput {
  const [dir = "."] = args;
  const { plan, made, contents } = outcome;
  const lineOf = linesToShow(problems, resolve(cwd, dir));
  const name = title ?? made?.project.name ?? plan?.project ?? dir;
  return {
    number,
    name: redact(name),
    problems,
    blocked: blocked.length,
    contents: (hash) => shownContent(contents(hash), redact),
    lineOf: (file, line) => {
      const text = lineOf(file, line);
      return text === undefined ? undefined : redact(text);
    },
    createdAt: new Date(now).toISOString(),
    graph: redactGraph(plannedGraph(outcome), redact),
    ...(made && { forecast: forecastOfPlan(outcome, made, now) }),
  };
}

function forecastOfPlan(outcome: PlanOutcome, made: NonNullable<PlanOutcome["made"]>, now: number) {
  const { project, state } = made;
  const breakingPoint = project.limits?.users?.breakingPoint;
  const input = {
    nodes: plannedNodes(outcome),
    gates: project.gates.map(({ address }) => address),
    now,
    createdAt: (address: string) => state.resources[address]?.createdAt,
    ...(breakingPoint !== undefined && { breakingPoint }),
  };
  return forecastOf(input, made.plan.changes);
}

/** The hash by which a page allows its own script. */
export function scriptHash(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
