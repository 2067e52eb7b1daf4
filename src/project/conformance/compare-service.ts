import type { Api, RouteKey } from "../../api/routes.ts";
import { createClient } from "../../client/index.ts";
import { type Citation, citationOf } from "../../conformance/citation.ts";
import { compareAnswers } from "../../conformance/compare-answers.ts";
import { type Finding, gatherFindings } from "../../conformance/difference.ts";
import { listQuestions, readRoutes, whyUnasked } from "../../conformance/question.ts";
import { replicaState } from "../../conformance/replica.ts";
import type { Survey } from "../../conformance/survey.ts";
import type { Connection } from "../connect.ts";
import { serviceTransport } from "../open-client.ts";
import type { System } from "../system.ts";
import { askOnce, knownObjects, rememberingAsker, surveyService } from "./survey-service.ts";

/** The answers of a service beside those of the bundled one. */
export interface ComparedService {
  readonly service: { readonly url: string; readonly organization: number };
  /** Questions that were asked, each of which was answered. */
  readonly questions: number;
  /** Objects that they were about. */
  readonly objects: number;
  /** Reads that were not asked, and the reason. */
  readonly unasked: readonly { readonly route: RouteKey; readonly reason: string }[];
  readonly findings: readonly (Finding & { readonly contradicts: Citation })[];
}

/** Asks a service what can be read without effect, and compares its answers with those of a bundled service that has the same objects. */
export async function compareService(
  { api, target }: Pick<Connection, "api" | "target">,
  system: Pick<System, "now" | "sleep">,
): Promise<ComparedService> {
  const live = rememberingAsker(api);
  const survey = await surveyService(live, target.organization);
  const replica = await openReplica(survey, system);
  const questions = listQuestions(await knownObjects(live, survey));
  const differences = await Promise.all(
    questions.map(async (question) => {
      const [answer, ours] = await Promise.all([
        live(question),
        question.shapeOnly ? undefined : askOnce(replica, question),
      ]);
      return compareAnswers(question, answer, ours);
    }),
  );
  return {
    service: target,
    questions: questions.length,
    objects: new Set(questions.flatMap(({ subject }) => (subject ? [`${subject.kind} ${subject.id}`] : []))).size,
    unasked: readRoutes().flatMap((route) => {
      const reason = whyUnasked(route);
      return reason === undefined ? [] : [{ route, reason }];
    }),
    findings: gatherFindings(differences).map((finding) => ({ ...finding, contradicts: citationOf(finding) })),
  };
}

/** A bundled service with the surveyed objects. */
async function openReplica(survey: Survey, { now, sleep }: Pick<System, "now" | "sleep">): Promise<Api> {
  const { createService } = await import("../../service/index.ts");
  const service = createService({ clock: { mode: "frozen", now: now() }, state: replicaState(survey) });
  const transport = serviceTransport(service);
  return createClient({ url: "http://bundled", apiKey: service.apiKey, transport, clock: { now, sleep } });
}
