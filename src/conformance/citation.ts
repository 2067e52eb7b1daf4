import { type RouteDescriptor, routes } from "../api/routes.ts";
import type { Finding } from "./difference.ts";

/** The source that a finding contradicts: a section of the API's documents, or our decision where they are silent. */
export interface Citation {
  /** "API 1, Test configuration". */
  readonly section: string;
  /** The id of a row of docs/service-decisions.md. */
  readonly decision?: string;
}

/** The section that describes a shape. */
const sections: Readonly<Record<string, readonly string[]>> = {
  "API 1, Test case": ["testCase", "metricDef", "summaryListing"],
  "API 1, Test configuration": [
    ...["configuration", "providerConfiguration", "trigger", "condition", "action", "scheduledEntry"],
  ],
  "API 1, Schedule": ["schedule", "exclusion"],
  "API 1, Scenario (script)": ["scenario", "scenarioSummary", "scriptParameter"],
  "API 1, Data store": ["dataStore", "dataStoreFiles", "dataRow"],
  "API 1, Gateway and gateway key": ["gateway", "gatewayKey"],
  "API 1, Recording": ["recording", "trafficPacket"],
  "API 1, Repository (version-control root)": ["vcsRoot"],
  "API 1, Metric summary and metric": ["metricSummary", "metric"],
  "API 1, Share link": ["shareLink"],
  "API 1, Authentication": ["login"],
  "API 2, Provider": ["provider"],
  "API 2, Region": ["region", "location", "successHour"],
  "API 2, Agent": ["runningAgent", "regionAgents", "runningAgents", "agent", "cloudImage", "imageIds"],
  "API 2, Organization": [
    ...["organization", "organizationData", "organizationLink", "organizationReference", "plan", "account"],
  ],
  "API 2, User": ["user", "membership"],
  "API 2, Tag": ["tag", "tagInfo", "matchCounts"],
  "API 2, Execution": ["execution", "executionRegion", "chunk", "interval", "resource", "outputFile", "aiModel"],
};

const bodyNotShown = "1-scenarios-body-not-shown-what-reads-back-is";

/** Members of which the documents say nothing or not all, with the decision that does. */
const decisions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "scenario.language": bodyNotShown,
    "scenario.nodeVersion": bodyNotShown,
    "scenario.init": bodyNotShown,
    "scenario.teardown": bodyNotShown,
    "condition.operator": "1-trigger-metric-operator-and-threshold",
    "condition.timePeriod": "1-trigger-metric-operator-and-threshold",
    "condition.valueType": "1-trigger-metric-operator-and-threshold",
    "schedule.day": "1-schedule-ranges-defaults-and-day",
    "vcsRoot.vcsType": "1-repositories-vcstype-taken-in-any-case",
    "providerConfiguration.params": "1-provider-configuration-params-are-strings-other",
  }),
);

/** API 1, conventions 2. */
const everywhere: ReadonlySet<string> = new Set(["id", "createdAt", "updatedAt"]);

const foreignFields = "1-create-body-fields-which-fields-belong-to";

/** The line of the documents, or the decision, that a finding contradicts. */
export function citationOf(finding: Pick<Finding, "kind" | "at" | "routes" | "expected">): Citation {
  const { kind, at, routes: asked } = finding;
  const [route] = asked;
  const [shape = "", member = ""] = at.split(".");
  const described: RouteDescriptor | undefined = route && routes[route];
  const ofRoute = described ? routeSection(described.section) : "API 1, conventions";
  if (at === "answer") return answerCitation(finding, ofRoute);
  const section = Object.keys(sections).find((name) => sections[name]?.includes(shape)) ?? ofRoute;
  const decision =
    kind === "unasked" && shape === "configuration" && isLoad(member) ? foreignFields : decisions.get(at);
  if (decision !== undefined) return { section, decision };
  if (shape === "login") return { section, decision: "get-login" };
  return { section: kind === "form" || everywhere.has(member) ? "API 1, conventions 2" : section };
}

/** Of a whole answer: which error it is where there is no such object is our decision, that it is none is the route's. */
function answerCitation(
  { kind, expected, routes: [route] }: Pick<Finding, "kind" | "expected" | "routes">,
  section: string,
): Citation {
  if (kind !== "status") return { section };
  if (route?.startsWith("HEAD ")) return { section: "API 1, conventions 4" };
  return expected === "status 200" ? { section } : { section: "API 1, Errors", decision: missingRecord };
}

const missingRecord = "1-errors-missing-records-on-other-404-and-403-where";

function isLoad(member: string): boolean {
  return /Secs$|Clients$|^iterations$|^step$/.test(member);
}

/** A section of the route table as the documents' readers know it. */
function routeSection(section: string): string {
  return `API ${section.replace(" ", ", ")}`;
}
