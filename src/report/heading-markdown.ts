import type { Plan } from "../plan/plan.ts";
import { inlineCode } from "./markdown-text.ts";

/** How a report begins: what it is about, and of which project where. */
export function markdownHeading(
  about: "plan for" | "drift of",
  { project, environment, target }: Pick<Plan, "project" | "environment" | "target">,
): string {
  const place = environment === undefined ? "" : `, environment ${inlineCode(environment)}`;
  return [
    `## Load tests: ${about} ${inlineCode(project)}${place}`,
    "",
    `Target: ${inlineCode(target.url)}, organization ${inlineCode(String(target.organization))}`,
  ].join("\n");
}
