import { gunzipSync, gzipSync } from "node:zlib";
import { redactSecrets, secretHolders } from "../../project/known-secrets.ts";
import type { System } from "../../project/system.ts";
import { sectionsPage } from "../../report/pages/page-section.ts";
import { planSection } from "../../report/pages/plan-page.ts";
import { shownParts } from "../../report/pages/shown-parts.ts";
import type { CommandInput } from "../command.ts";
import { planCommand } from "../views/plan-reports.ts";
import type { PlannedReport } from "../views/show-plan.ts";
import { pageInput, type SectionPlace, scriptHash } from "./page-input.ts";
import { projectsPage, type ShownProjects } from "./project-pages.ts";

/** The page of a plan. */
export function planPage(input: CommandInput, made: PlannedReport, system: Pick<System, "now">): string {
  const redact = redactSecrets(input.env, secretHolders(made.outcome));
  const section = sectionOf(input, made, { redact, now: system.now(), number: 1 });
  return sectionsPage([section], { title: `Plan for ${section.name}`, hash: scriptHash });
}

/** The page of several plans. */
export function plansPage(
  { reportOf, ...shown }: ShownProjects<PlannedReport>,
  surroundings: Parameters<typeof projectsPage>[1],
): string {
  const section = (dir: string, place: SectionPlace) => sectionOf(...reportOf(dir), place);
  return projectsPage({ ...shown, about: "Plan for", section }, surroundings);
}

/** One planned project as a section of a page. */
function sectionOf(input: CommandInput, { outcome, document, problems }: PlannedReport, place: SectionPlace) {
  const { redact } = place;
  const { plan, blocked } = outcome;
  const digest = document?.digest;
  const instances = [...(outcome.made?.project.instances ?? [])];
  const { choices, applying, origin } = planCommand(input, document);
  return planSection({
    ...pageInput(input, { outcome, problems, blocked }, place),
    ...(plan && { plan: shownParts(plan, redact) }),
    ...(typeof digest === "string" && { digest }),
    ...(origin && { origin }),
    instances: new Map(instances.map(([key, instance]) => [key, redact(instance)])),
    choices: choices.map(redact),
    applying: redact(applying),
  });
}

/** A page as a saved plan has it. */
export function packPage(html: string): string {
  return gzipSync(html).toString("base64");
}

/** The page of a saved plan. */
export function unpackPage(packed: string): string {
  return gunzipSync(Buffer.from(packed, "base64")).toString("utf8");
}
