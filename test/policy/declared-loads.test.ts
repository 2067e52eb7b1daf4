import { expect, it } from "vitest";
import { declaredLoads } from "../../src/policy/declared-loads.ts";
import { loadFiles } from "../support/load-files.ts";

const project = (providers: string, more = "") => `providers: { private: { name: Our grid, providerType: Shared } }
regions: { dc1: { name: dc-1, provider: private } }
testCases:
  t:
    scenarios: { s: { script: "run();" } }
    configurations:
      a: { scenario: s, concurrentClients: 10, durationSecs: 60, providers: ${providers}${more} }
`;

it("a declared region is the one of its name at the service, whatever its key", async () => {
  const { tree, diagnostics } = await loadFiles(project("[{ provider: private, regions: [dc1] }]"));
  expect(diagnostics).toEqual([]);
  expect(declaredLoads(tree)).toEqual([
    {
      address: "testCase.t/configuration.a",
      regions: [{ name: "dc-1", users: 10, count: 1 }],
      seconds: 120,
      userHours: (10 * 60 + 60 * 5.5) / 3600,
      schedules: [],
    },
  ]);
});

it("a load whose users are not known yet, for want of a variable, is left out", async () => {
  const yaml = project("[{ provider: private, regions: [dc1] }]").replace("Clients: 10", 'Clients: "${env:USERS}"');
  const { tree, diagnostics } = await loadFiles(yaml, { unsetEnv: "warning" });
  expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([["warning", "LF1303"]]);
  expect(declaredLoads(tree)).toEqual([]);
});

it("schedules belong to their configuration", async () => {
  const schedules = ", schedules: { x: { scheduleType: Recurring, recurringInterval: Day, hour: 2 } }";
  const { tree } = await loadFiles(project("[{ provider: private, numRegions: 3 }]", schedules));
  expect(declaredLoads(tree)).toMatchObject([
    {
      regions: [{ users: 10, count: 3 }],
      schedules: [{ address: "testCase.t/configuration.a/schedule.x", fields: { recurringInterval: "Day", hour: 2 } }],
    },
  ]);
});
