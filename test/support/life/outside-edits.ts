import type { Json } from "../../../src/model/json.ts";
import type { Rig } from "../rig.ts";
import type { OutsideAct } from "./life-commands.ts";
import { pick } from "./wish-edits.ts";

/** One object as the service stores it. */
export type Row = Readonly<Record<string, Json>> & { readonly id: number };

/** The tables of a service, by name. */
export function tablesOf({ service }: Rig): Readonly<Record<string, readonly Row[]>> {
  return service.snapshot().tables as unknown as Readonly<Record<string, readonly Row[]>>;
}

type Body = Readonly<Record<string, unknown>>;
type Request = readonly [method: string, path: string, body?: Body];

const renames: Readonly<Record<string, (row: Row) => readonly [string, string]>> = {
  testCase: ({ id }) => ["PUT", `/test-cases/${id}`],
  scenario: ({ id }) => ["PUT", `/scripts/${id}`],
  dataStore: ({ id }) => ["PUT", `/data-stores/${id}`],
  configuration: ({ id }) => ["PUT", `/test-confs/${id}`],
  gateway: ({ id }) => ["PATCH", `/gateways/${id}`],
  vcsRoot: ({ id }) => ["PUT", `/vcs-roots/${id}`],
  provider: ({ id }) => ["PUT", `/providers/${id}`],
};

const changes: Readonly<Record<string, (row: Row, text: string) => Request>> = {
  testCase: ({ name }, description) => ["POST", "/test-cases", { name, description, org: 1 }],
  scenario: ({ id }, main) => ["PUT", `/scripts/${id}`, { main: `// ${main}` }],
  configuration: ({ id }, text) => ["PUT", `/test-confs/${id}`, { iterationSleepSecs: 31 + text.length }],
  vcsRoot: ({ id }, branch) => ["PUT", `/vcs-roots/${id}`, { branch }],
};

const runner = { providerId: 0, numRegions: 1, params: { regions: "cloud-us-east-1" } };
const theirSchedule = { scheduleType: "Recurring", recurringInterval: "Minute", minute: 97 };

/** What somebody else sends; undefined when there is nothing to do it to. */
function requestOf(rig: Rig, act: OutsideAct, at: number, name: string): Request | undefined {
  const tables = tablesOf(rig);
  const of = (table: string) => pick(tables[table] ?? [], at);
  const any = pick(ordinary(tables), at);
  const [testCase, configuration, script] = [of("testCase"), of("configuration"), of("scenario")];
  switch (act) {
    case "rename":
      return any && [...renames[any.kind]!(any.row), { name }];
    case "change":
      return any && changes[any.kind]?.(any.row, name);
    case "delete":
      return any && ["DELETE", renames[any.kind]!(any.row)[1]];
    case "create a test case":
      return ["POST", "/test-cases", { name, org: 1 }];
    case "create a repository":
      return ["POST", "/orgs/1/vcs-roots", { name, url: "https://theirs.test/a.git" }];
    case "create a scenario":
      return testCase && ["POST", `/test-cases/${testCase.id}/scripts`, { name, main: "// theirs" }];
    case "create a gateway":
      return testCase && ["POST", `/test-cases/${testCase.id}/gateways`, { name, url: "https://theirs.test" }];
    case "create a configuration":
      return testCase && script && ["POST", `/test-cases/${testCase.id}/confs`, { name, scriptId: script.id, ...load }];
    case "run":
      return configuration && ["POST", `/test-confs/${configuration.id}/executions`, {}];
    case "record":
      return testCase && recording(tables, at, name);
    case "add a schedule":
      return configuration && withSchedules(configuration, tables, (each) => [...each, theirSchedule]);
    case "delete a schedule":
      return configuration && withSchedules(configuration, tables, (each) => each.slice(1));
    case "pause a schedule": {
      const schedule = of("schedule");
      return schedule && ["PUT", `/test-schedules/${schedule.id}`, { active: schedule["active"] !== true }];
    }
  }
}

const load = { concurrentClients: 1, durationSecs: 9, providers: [runner] };

function recording(tables: Readonly<Record<string, readonly Row[]>>, at: number, name: string): Request | undefined {
  const gateway = pick(tables["gateway"] ?? [], at);
  return gateway && ["POST", `/gateways/${gateway.id}/recordings`, { name }];
}

/** Objects that can be renamed and deleted, but for the provider that every service has. */
function ordinary(
  tables: Readonly<Record<string, readonly Row[]>>,
): readonly { readonly kind: string; readonly row: Row }[] {
  return Object.keys(renames)
    .flatMap((kind) => (tables[kind] ?? []).map((row) => ({ kind, row })))
    .filter(({ kind, row }) => kind !== "provider" || row.id !== 0);
}

function withSchedules(
  { id }: Row,
  tables: Readonly<Record<string, readonly Row[]>>,
  change: (own: readonly Body[]) => readonly Body[],
): Request {
  const own = (tables["schedule"] ?? []).filter((row) => row["configurationId"] === id);
  const schedules = change(own.map(asSent));
  return ["PUT", `/test-confs/${id}`, schedules.length === 0 ? { deleteSchedule: true } : { schedules }];
}

const stored = new Set(["configurationId", "createdAt", "updatedAt", "active", "nextScheduled", "lastScheduled"]);

function asSent(row: Row): Body {
  const isSingle = row["scheduleType"] === "Single";
  return Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => value !== null && (!stored.has(name) || (isSingle && name === "nextScheduled")),
    ),
  );
}

/** Does it; a refusal is a refusal. */
export async function actOutside(rig: Rig, act: OutsideAct, at: number, name: string): Promise<void> {
  const request = requestOf(rig, act, at, name);
  if (request === undefined) return;
  const [method, path, body] = request;
  const headers = { "x-api-key": rig.service.apiKey };
  await rig.service.handle({ method, path, headers, ...(body && { body: body as never }) });
}
