import type { RouteDescriptor } from "../../api/routes.ts";
import type { Mounted } from "../core/router.ts";

/** Nouns of path segments, singular and plural. Other segments are used as they are. */
const nouns: Readonly<Record<string, readonly [one: string, several: string]>> = {
  _loadform: ["Service", "Service"],
  orgs: ["Organization", "Organizations"],
  confs: ["Configuration", "Configurations"],
  "test-confs": ["Configuration", "Configurations"],
  "test-schedules": ["Schedule", "Schedules"],
  scripts: ["Scenario", "Scenarios"],
  scheduled: ["ScheduledTest", "ScheduledTests"],
  "vcs-root": ["Repository", "Repositories"],
  "vcs-roots": ["Repository", "Repositories"],
  amis: ["Image", "Images"],
  p: ["SharedRun", "SharedRuns"],
};

/** Last segments that say what is done with the object before them. */
const actions: ReadonlySet<string> = new Set(["advance", "copy", "download", "reset", "run", "share", "stop"]);

/** Answers that hold a list under a name. */
const lists: ReadonlySet<unknown> = new Set(["@dataStoreFiles", "@runningAgents"]);

/** Where the rule says something else than what a route does. */
const exceptions: Readonly<Record<string, string>> = {
  "GET /data-stores/:id/rows/iterators/:iterator": "nextDataStoreRows",
  "POST /scripts/:id/data-stores": "uploadDataStores",
  "POST /scripts/:id/data-stores/contents": "createDataStore",
  "GET /recordings/:id/traffic/:connectionId": "listRecordingConnectionTraffic",
  "GET /recordings/:id/load": "loadThroughRecording",
  "POST /vcs-root/refs": "testNewRepository",
  "POST /vcs-root/:vcsRootId/refs": "testRepository",
  "POST /agents": "registerAgents",
  "GET /providers/all/agents": "listRunningAgents",
  "GET /orgs/:orgId/providers/all/agents": "listOrganizationRunningAgents",
  "POST /orgs/:org/users/:user": "grantOrganizationUser",
  "POST /users/:user/orgs/:org": "grantUserOrganization",
  "DELETE /orgs/:org/users/:user": "revokeOrganizationUser",
  "DELETE /users/:user/orgs/:org": "revokeUserOrganization",
  "DELETE /orgs/:orgId/tags-byname/:tagName": "deleteOrganizationTagByName",
  "DELETE /orgs/:orgId/tags-byname": "deleteOrganizationTagsByName",
  "POST /start": "startRun",
  "POST /setup": "setUpRun",
  "POST /search": "searchExecutions",
  "PUT /executions/:id/manual-start": "startExecution",
  "POST /executions/:id/live-extension": "extendExecution",
  "POST /executions/:id/add-users": "addExecutionUsers",
  "POST /executions/:id/send-event": "sendExecutionEvent",
  "POST /executions/:id/tags": "addExecutionTags",
  "POST /executions/:id/evaluate-kpis": "evaluateExecutionKpis",
  "POST /orgs/:orgId/tokens": "shareExecution",
};

/**
 * The name of an operation, from which generated clients make the name of a function: verb, parents, object; another spelling of a
 * route has the route's name with what differs behind it.
 */
export function operationIdOf({ key, route, method, path, alias }: Mounted): string {
  const name = exceptions[key] ?? nameByRule(key, route);
  return alias ? name + difference(key, method, path) : name;
}

function nameByRule(key: string, { answer }: RouteDescriptor): string {
  const [method = "", path = ""] = key.split(" ");
  const segments = path.split("/").slice(1);
  const isOne = segments.at(-1)?.startsWith(":") === true;
  const last = segments.findLast((segment) => !segment.startsWith(":")) ?? "";
  const isList = lists.has(answer) || (typeof answer === "string" && answer.replace(/!$/, "").endsWith("[]"));
  const above = parentsOf(segments, last);
  if (actions.has(last)) return last + above;
  const isCollection = method === "POST" && last.endsWith("s");
  const object = isOne || isCollection || method === "HEAD" ? one(last) : several(last);
  // A create names its kind alone: its parents are in the path.
  return verbOf(method, isList && !isOne) + (isCollection ? "" : above) + object;
}

function verbOf(method: string, isList: boolean): string {
  const verbs: Readonly<Record<string, string>> = {
    HEAD: "has",
    POST: "create",
    PUT: "update",
    PATCH: "update",
    DELETE: "delete",
  };
  return verbs[method] ?? (isList ? "list" : "get");
}

function parentsOf(segments: readonly string[], last: string): string {
  const end = segments.lastIndexOf(last);
  return segments
    .slice(0, end)
    .filter((segment) => !segment.startsWith(":"))
    .map(one)
    .join("");
}

function one(segment: string): string {
  return nouns[segment]?.[0] ?? pascal(segment.replace(/ies$/, "y").replace(/([^s])s$/, "$1"));
}

function several(segment: string): string {
  return nouns[segment]?.[1] ?? pascal(segment);
}

function pascal(segment: string): string {
  return segment
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** `ByPatch` for another method, `AtScript` for another segment. */
function difference(key: string, method: string, path: string): string {
  const [ownMethod = "", ownPath = ""] = key.split(" ");
  const own = ownPath.split("/");
  const other = path.split("/").find((segment, index) => !segment.startsWith(":") && segment !== own[index]);
  const by = method === ownMethod ? "" : `By${pascal(method.toLowerCase())}`;
  return by + (other === undefined ? "" : `At${pascal(other)}`);
}
