import type { Api } from "../../api/routes.ts";
import { orExplained } from "../../apply/explain-failure.ts";
import { createClient } from "../../client/index.ts";
import type { Citation } from "../../conformance/citation.ts";
import { citationOf } from "../../conformance/citation.ts";
import { compareAnswers } from "../../conformance/compare-answers.ts";
import type { Finding } from "../../conformance/difference.ts";
import { gatherFindings } from "../../conformance/difference.ts";
import { listQuestions } from "../../conformance/question.ts";
import { replicaState } from "../../conformance/replica.ts";
import type { Survey } from "../../conformance/survey.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import type { Connection } from "../connect.ts";
import { connectAlone } from "../connect.ts";
import { serviceTransport } from "../open-client.ts";
import type { ProjectFlags, System } from "../system.ts";
import { projectOrService } from "../whoami.ts";
import { askOnce, knownObjects, rememberingAsker, surveyService } from "./survey-service.ts";

/** The comparison of a service with the bundled one. */
export interface Conformance {
  readonly service?: { readonly url: string; readonly organization: number; readonly embedded: boolean };
  /** Questions that were asked, each of which was answered. */
  readonly questions: number;
  /** Objects that they were about. */
  readonly objects: number;
  readonly findings: readonly CitedFinding[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A finding with what it contradicts. */
type CitedFinding = Finding & { readonly contradicts: Citation };

/** Asks a project's service what can be read without effect, and compares its answers with those of a bundled service that has the same objects. */
export async function conformanceProject(flags: ProjectFlags, system: System): Promise<Conformance> {
  const without = (diagnostics: readonly Diagnostic[]) => ({ questions: 0, objects: 0, findings: [], diagnostics });
  return orExplained<Conformance>(async () => {
    const project = await projectOrService(flags, system);
    if (hasErrors(project.diagnostics)) return without(project.diagnostics);
    const connection = await connectAlone(project, { root: project.root, system });
    try {
      const compared = await compareService(connection, system);
      return { ...compared, diagnostics: project.diagnostics };
    } finally {
      await connection.close();
    }
  }, without);
}

/** The same of an open connection. */
export async function compareService(
  { api, target, embedded }: Pick<Connection, "api" | "target" | "embedded">,
  system: Pick<System, "now" | "sleep">,
): Promise<Omit<Conformance, "diagnostics">> {
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
    service: { ...target, embedded },
    questions: questions.length,
    objects: new Set(questions.flatMap(({ subject }) => (subject ? [`${subject.kind} ${subject.id}`] : []))).size,
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
