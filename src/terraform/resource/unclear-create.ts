import type { JsonObject } from "../../model/json.ts";
import { ServiceError } from "../../model/service-error.ts";
import type { ResourceSchema } from "../../schema/terraform-resource.ts";
import { quoted } from "../check/quoted.ts";
import type { ProviderDiagnostic } from "../provider-session.ts";
import { explainThrown, ProviderProblem, warningAt } from "./provider-problem.ts";

/** What was created without a clear answer. */
interface Created {
  readonly resource: ResourceSchema;
  readonly fields: JsonObject;
}

/** The answer to a create that does not tell whether it happened, in words. */
export function answerIn(problem: unknown): string {
  if (!(problem instanceof ServiceError)) return "about another object";
  return problem.status === undefined ? "none" : `status ${problem.status}`;
}

/** What is done about it, for a user who waits meanwhile. */
export function lookWords({ resource, fields }: Created, unclear: readonly string[]): string {
  const time = resource.kind.remote.upserts ? "" : ", which takes up to 47 s";
  return `${nameOf({ resource, fields })}: the answer to its create was unclear (${unclear.at(-1)}); it is looked for${time}`;
}

/** The warning beside an object that was created all the same; none where all was clear. */
export function unclearWarning(
  created: Created,
  unclear: readonly string[],
  outcome: string,
): readonly ProviderDiagnostic[] {
  if (unclear.length === 0) return [];
  const summary = `the answer to the create of ${nameOf(created)} was unclear`;
  const detail = `The service's answers to ${timesWords(unclear.length)} were unclear (${unclear.join(", ")}). The object was looked for each time, and was ${outcome}. Nothing is to be done`;
  return [warningAt(undefined, summary, detail)];
}

/** The last failure of a create that is not sent again. */
export function lastFailure(problem: unknown, sends: number): ProviderProblem {
  const more = `It was sent ${sends === 1 ? "once" : `${sends} times`}, looked for each time, and is not there; max_retries of the provider block says how often it is sent again`;
  return new ProviderProblem(
    explainThrown(problem, "write").map((each) => ({ ...each, detail: `${each.detail}. ${more}` })),
  );
}

function timesWords(sends: number): string {
  return sends === 1 ? "one request" : `${sends} requests`;
}

function nameOf({ resource, fields }: Created): string {
  const { name } = fields;
  return typeof name === "string" ? `${resource.type} ${quoted(name)}` : resource.type;
}
