import type { Diagnostic } from "../../model/diagnostic.ts";
import type { DriftOutcome } from "../../project/drift-project.ts";
import { redactSecrets, secretHolders } from "../../project/known-secrets.ts";
import type { System } from "../../project/system.ts";
import type { WaysOut } from "../../report/drift-text.ts";
import { driftSection } from "../../report/pages/drift-page.ts";
import { sectionsPage } from "../../report/pages/page-section.ts";
import { shownDrift } from "../../report/pages/shown-parts.ts";
import type { CommandInput } from "../command.ts";
import { pageInput, type SectionPlace, scriptHash } from "./page-input.ts";
import { projectsPage, type ShownProjects } from "./project-pages.ts";

/** Drift with its problems, which are without secrets already. */
interface DriftReport extends Pick<DriftOutcome, "drift" | "planned" | "blocked"> {
  readonly problems: readonly Diagnostic[];
  readonly waysOut: WaysOut;
}

/** The page of a project's drift. */
export function driftPage(input: CommandInput, report: DriftReport, system: Pick<System, "now">): string {
  const redact = redactSecrets(input.env, secretHolders(report.planned));
  const section = driftSectionOf(input, report, { redact, now: system.now(), number: 1 });
  return sectionsPage([section], { title: `Drift of ${section.name}`, hash: scriptHash });
}

/** The page of the drift of several projects. */
export function driftsPage(
  { reportOf, ...shown }: ShownProjects<DriftReport>,
  surroundings: Parameters<typeof projectsPage>[1],
): string {
  const section = (dir: string, place: SectionPlace) => driftSectionOf(...reportOf(dir), place);
  return projectsPage({ ...shown, about: "Drift of", section }, surroundings);
}

/** The drift of one project as a section of a page. */
function driftSectionOf(
  input: CommandInput,
  { drift, planned, blocked, problems, waysOut }: DriftReport,
  place: SectionPlace,
) {
  const { redact } = place;
  const { putBack, accept, declare } = waysOut;
  return driftSection({
    ...pageInput(input, { outcome: planned, problems, blocked }, place),
    ...(drift && { drift: shownDrift(drift, redact) }),
    waysOut: {
      putBack: (address) => redact(putBack(address)),
      accept: (address) => redact(accept(address)),
      declare: redact(declare),
    },
  });
}
