import { trigger } from "./configuration-cases.ts";
import { flat, makeShop, type Rig } from "./rig.ts";

const windows = [{ recurringInterval: "Day", startHour: 22, endHour: 2 }];

/** A shop with at least one object in every table, each with most of its fields set. */
export async function makeFullShop(): Promise<Rig> {
  const rig = await makeShop();
  await rig.ok("PUT", "/test-cases/1", { name: "Checkout" });
  await rig.ok("PUT", "/scripts/1", {
    paramsConfig: [{ name: "Url", required: false, defaultValue: "x" }],
    init: "1",
    teardown: "2",
  });
  const contents = Buffer.from("a,b\n1,2\n3,4\n").toString("base64");
  await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "rows.csv", contents });
  await rig.ok("GET", "/data-stores/1/rows/iterators/one?rows=1");
  const schedules = [
    { scheduleType: "Recurring", recurringInterval: "Hour", exclusions: windows },
    { scheduleType: "Single", nextScheduled: "2027-01-01T00:00:00Z" },
  ];
  await rig.ok("PUT", "/test-confs/1", { schedules, scriptParams: '{"Url":"y"}' });
  const breaking = { profileType: "BreakingPoint", triggers: [trigger] };
  await rig.ok("POST", "/test-cases/1/confs", { ...flat, ...breaking, concurrentClients: undefined });
  await rig.ok("POST", "/test-confs/1/executions");
  await rig.ok("POST", "/test-confs/1/share");
  await rig.ok("POST", "/gateways/1/recordings", { name: "Take" });
  await rig.ok("POST", "/orgs/1/vcs-roots", { name: "A", url: "https://g.test/a.git" });
  await rig.ok("POST", "/providers", { name: "P", providerType: "Shared", organizationId: 1, metadata: { a: "b" } });
  await rig.ok("POST", "/orgs/1/regions", { name: "own", providerId: 1 });
  const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
  const [{ createdAt, updatedAt }] = snapshot.tables.testCase;
  const agent = { name: "a", host: "h", instanceId: "i", active: true, running: false, version: "1", regionIds: [8] };
  snapshot.tables.agent = [{ id: 1, createdAt, updatedAt, organizationId: 1, ...agent }];
  snapshot.next.agent = 2;
  await rig.service.restore(snapshot);
  return rig;
}
