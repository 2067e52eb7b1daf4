import type { RunDetails, RunResults } from "../../run/run-document.ts";
import { annotationLine } from "../diagnostic-text.ts";
import { checksOf, isJudged, runName, runPlace, shortMarks } from "./run-words.ts";

/**
 * The missed KPIs as lines by which GitHub Actions shows each where it was written; one from a flag is shown beside the job alone.
 * `within` leads from the project's folder into the checkout.
 */
export function runAnnotations({ runs }: Pick<RunResults, "runs">, within: (file: string) => string): string {
  return runs
    .filter(({ run }) => isJudged(run))
    .flatMap((details) => missedKpis(details, within))
    .join("");
}

function missedKpis(details: RunDetails, within: (file: string) => string): readonly string[] {
  const { run, places = [] } = details;
  const kpis = checksOf(details).filter(({ kind }) => kind === "kpi");
  return kpis.flatMap(({ name, ok, measured, beside }, index) => {
    if (ok !== false) return [];
    const place = places[index];
    const title = `KPI missed: ${runName(run)}${shortMarks(run)}`;
    const detail = `${name}: ${measured}${beside === undefined ? "" : ` (${beside})`}; ${runPlace(run)}`;
    return [`${annotationLine({ severity: "error", title, detail, ...place }, within)}\n`];
  });
}
