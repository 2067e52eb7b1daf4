import type { Api, CallInput, RouteKey } from "../../api/routes.ts";
import type { Answered } from "../../conformance/compare-answers.ts";
import type { KnownObjects, Question } from "../../conformance/question.ts";
import { type Survey, sampled } from "../../conformance/survey.ts";
import { idIn, wireIn, wiresBelow, wiresIn } from "../../conformance/wire-values.ts";
import { ServiceError } from "../../model/service-error.ts";
import { organizationsOf } from "../../remote/find-organization.ts";

/** Answers a question. */
export type Asker = (question: Question) => Promise<Answered>;

/** The same question is sent once. */
export function rememberingAsker(api: Api): Asker {
  const answers = new Map<string, Promise<Answered>>();
  return (question) => {
    const { route, params, query } = question;
    const key = JSON.stringify([route, params, query]);
    const answer = answers.get(key) ?? askOnce(api, question);
    answers.set(key, answer);
    return answer;
  };
}

/** Asks; a refusal is an answer. Throws where none came. */
export async function askOnce(api: Api, { route, params, query }: Question): Promise<Answered> {
  try {
    return { status: 200, value: await api.call(route, { params, query } as CallInput<RouteKey>) };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.status === undefined) throw thrown;
    if (thrown.status === 401) throw thrown;
    return thrown.status < 300 ? { status: thrown.status, isUnreadable: true } : { status: thrown.status };
  }
}

/** Lists everything of an organization, and reads some objects one by one. */
export async function surveyService(live: Asker, organization: number): Promise<Survey> {
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
export async function knownObjects(live: Asker, survey: Survey): Promise<KnownObjects> {
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
