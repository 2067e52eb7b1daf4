import type { Api, CallInput, RouteKey } from "../api/routes.ts";
import { orExplained } from "../apply/explain-failure.ts";
import { createClient } from "../client/index.ts";
import type { Answered } from "../conformance/compare-answers.ts";
import { compareAnswers } from "../conformance/compare-answers.ts";
import type { Finding } from "../conformance/difference.ts";
import { gatherFindings } from "../conformance/difference.ts";
import type { KnownObjects, Question } from "../conformance/question.ts";
import { listQuestions } from "../conformance/question.ts";
import { replicaState } from "../conformance/replica.ts";
import type { Survey } from "../conformance/survey.ts";
import { sampled } from "../conformance/survey.ts";
import { idIn, wireIn, wiresBelow, wiresIn } from "../conformance/wire-values.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import { ServiceError } from "../model/service-error.ts";
import { organizationsOf } from "../remote/find-organization.ts";
import type { Connection } from "./connect.ts";
import { connectAlone } from "./connect.ts";
import { serviceTransport } from "./open-client.ts";
import type { System } from "./system.ts";
import type { ProjectFlags } from "./system.ts";
import { projectOrService } from "./whoami.ts";

/** The comparison of a service with the bundled one. */
export interface Conformance {
  readonly service?: { readonly url: string; readonly organization: number; readonly embedded: boolean };
  /** Questions that were asked, each of which was answered. */
  readonly questions: number;
  /** Objects that they were about. */
  readonly objects: number;
  readonly findings: readonly Finding[];
  readonly diagnostics: readonly Diagnostic[];
}

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
      const [answer, ours] = await Promise.all([live(question), question.shapeOnly ? undefined : ask(replica, question)]);
      return compareAnswers(question, answer, ours);
    }),
  );
  return {
    service: { ...target, embedded },
    questions: questions.length,
    objects: new Set(questions.flatMap(({ subject }) => (subject ? [`${subject.kind} ${subject.id}`] : []))).size,
    findings: gatherFindings(differences),
  };
}

type Asker = (question: Question) => Promise<Answered>;

/** The same question is sent once. */
function rememberingAsker(api: Api): Asker {
  const answers = new Map<string, Promise<Answered>>();
  return (question) => {
    const { route, params, query } = question;
    const key = JSON.stringify([route, params, query]);
    const answer = answers.get(key) ?? ask(api, question);
    answers.set(key, answer);
    return answer;
  };
}

/** Asks; a refusal is an answer. Throws where none came. */
async function ask(api: Api, { route, params, query }: Question): Promise<Answered> {
  try {
    return { status: 200, value: await api.call(route, { params, query } as CallInput<RouteKey>) };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.status === undefined) throw thrown;
    if (thrown.status === 401) throw thrown;
    return thrown.status < 300 ? { status: thrown.status, isUnreadable: true } : { status: thrown.status };
  }
}

/** A bundled service with the surveyed objects. */
async function openReplica(survey: Survey, { now, sleep }: Pick<System, "now" | "sleep">): Promise<Api> {
  const { createService } = await import("../service/index.ts");
  const service = createService({ clock: { mode: "frozen", now: now() }, state: replicaState(survey) });
  const transport = serviceTransport(service);
  return createClient({ url: "http://bundled", apiKey: service.apiKey, transport, clock: { now, sleep } });
}

/** Lists everything of an organization, and reads some objects one by one. */
async function surveyService(live: Asker, organization: number): Promise<Survey> {
  const value = async (route: RouteKey, params: Question["params"] = {}, query: Question["query"] = {}) =>
    (await live({ route, params, query })).value;
  const inOrganization = { orgId: organization };
  const [login, organizationData, testCases, providers, vcsRoots, tags] = await Promise.all([
    value("GET /login"),
    value("GET /orgs/:orgId", inOrganization),
    value("GET /orgs/:orgId/test-cases", inOrganization, { down: true }),
    value("GET /orgs/:orgId/providers", inOrganization, { down: true, activeRegionsOnly: false }),
    value("GET /orgs/:orgId/vcs-roots", inOrganization),
    value("GET /orgs/:orgId/tags", inOrganization),
  ]);
  const listed = wiresIn(testCases);
  const scenarios = sampled(listed.flatMap((testCase) => wiresBelow(testCase, "scenarios")));
  const gateways = listed.flatMap((testCase) => wiresBelow(testCase, "gateways"));
  const recordings = sampled(gateways).map(async (gateway) => {
    const list = await value("GET /gateways/:gatewayId/recordings", { gatewayId: idIn(gateway) });
    return wiresIn(list).map((wire) => ({ gatewayId: idIn(gateway), wire }));
  });
  const whole = await Promise.all(scenarios.map((wire) => value("GET /scripts/:id", { id: idIn(wire) })));
  return {
    ...{ organization, login, organizationData, testCases: listed },
    ...{ providers: wiresIn(providers), vcsRoots: wiresIn(vcsRoots), tags: wiresIn(tags) },
    scenarios: wiresIn(whole),
    recordings: (await Promise.all(recordings)).flat(),
  };
}

/** The objects that questions are asked about. */
async function knownObjects(live: Asker, survey: Survey): Promise<KnownObjects> {
  const { testCases, providers, vcsRoots, recordings, login, organization } = survey;
  const below = (member: string) => testCases.flatMap((testCase) => wiresBelow(testCase, member));
  const configurations = sampled(below("configurations"));
  const runs = await Promise.all(
    configurations.map((wire) =>
      live({ route: "GET /test-confs/:confId/executions", params: { confId: idIn(wire) }, query: { limit: 3 } }),
    ),
  );
  const user = idIn(wireIn(login, "user"));
  const sampledIds: Readonly<Record<string, readonly unknown[]>> = {
    "test-cases": testCases,
    "test-confs": configurations,
    scripts: below("scenarios"),
    "data-stores": below("dataStores"),
    gateways: below("gateways"),
    recordings: recordings.map(({ wire }) => wire),
    "vcs-roots": vcsRoots,
    providers,
    regions: providers.flatMap((provider) => wiresBelow(provider, "regions")),
    executions: runs.flatMap(({ value }) => wiresIn(value).slice(0, 1)),
    users: user < 0 ? [] : [{ id: user }],
  };
  const bySegment = Object.entries(sampledIds).map(([name, wires]) => [name, sampled(wires).map(idIn)] as const);
  return {
    organizations: [organization],
    bySegment: Object.fromEntries(bySegment),
    seesMore: organizationsOf(login).length > 1,
  };
}
