import { expect, test } from "vitest";
import { servedProject } from "../../support/served-project.ts";
import { sharedService } from "../../support/shared-service.ts";

const service = sharedService();

const before = `project: shop
testCases:
  z: { name: Zed, scenarios: { q: { script: "q()" } } }
  other: { scenarios: { s: { script: "a()" } } }
`;
const after = `project: shop
testCases:
  y: { name: Zed, description: new one, scenarios: { p: { script: "p()" } } }
  other: { scenarios: { s: { script: "a()" }, unrelated: { script: "u()" } } }
`;

test("what takes the name of an object that is not deleted waits for it, and the rest is healed", async () => {
  const { run, write } = servedProject(service, before);
  expect((await run("apply", "--auto-approve")).code).toBe(0);
  write(after);
  const watch = (...more: string[]) => run("watch", ".", "--once", "--heal", "git", ...more);
  const first = await watch();
  expect([first.code, first.stdout + first.stderr]).toEqual([2, expect.stringContaining("out-of-sync (prune, ")]);
  const cases = async () =>
    (
      (await service.call("GET", "/test-cases?down=true")).body as readonly {
        id: number;
        name: string;

        scenarios: readonly { name: string }[];
      }[]
    )
      .map(({ name, scenarios }) => `${name}: ${scenarios.map((each) => each.name).sort()}`)
      .sort();
  expect(await cases()).toEqual(["Zed: q", "other: s,unrelated"]);
  expect((await watch("--prune")).code).toBe(0);
  expect(await cases()).toEqual(["Zed: p", "other: s,unrelated"]);
});

test("objects that get another address, and those that are forgotten, are healed: the state says so, and nothing is sent", async () => {
  const { run, write } = servedProject(service, "project: keys\ntestCases: { a: { name: A }, b: { name: B } }\n");
  expect((await run("apply", "--auto-approve")).code).toBe(0);
  write(
    "project: keys\ntestCases: { c: { name: A } }\nmoved: [{ from: testCase.a, to: testCase.c }]\nremoved: [{ address: testCase.b, destroy: false }]\n",
  );
  const { code, stdout } = await run("watch", ".", "--once", "--heal", "git");
  expect([code, stdout]).toEqual([0, expect.stringContaining("in-sync (healed 2 objects")]);
  expect((await run("watch", ".", "--once", "--heal", "git")).stdout).not.toContain("healed");
});

test("a schedule that git adds to a configuration which is as declared is created, and one that moves is at its new one alone", async () => {
  const schedule = "schedules: { n: { scheduleType: Recurring, recurringInterval: Day, hour: 3 } }";
  const project = (c: string, d: string, more = "") => `project: hours
testCases:
  t:
    scenarios: { s: { script: "s()" } }
    configurations:
      c: { scenario: s, durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 } }], ${c} }
      d: { scenario: s, durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 } }], ${d} }
${more}`;
  const { run, write } = servedProject(service, project("", ""));
  expect((await run("apply", "--auto-approve")).code).toBe(0);
  const hours = async () => {
    const { body } = await service.call("GET", "/test-cases?down=true");
    const found = body as readonly {
      name: string;
      configurations: readonly { schedules: readonly unknown[] | null }[];
    }[];
    return found.find(({ name }) => name === "t")?.configurations.map(({ schedules }) => schedules?.length ?? 0);
  };
  const watch = async (...more: string[]) => (await run("watch", ".", "--once", "--heal", "git", ...more)).code;
  write(project(schedule, ""));
  expect([await watch(), await hours()]).toEqual([0, [1, 0]]);
  const [c, d] = ["c", "d"].map((key) => `testCase.t/configuration.${key}/schedule.n`);
  write(project("", schedule, `moved: [{ from: ${c}, to: ${d} }]\n`));
  expect([await watch(), await hours()]).toEqual([2, [1, 0]]);
  expect([await watch("--prune"), await hours()]).toEqual([0, [0, 1]]);
});

test("a schedule that moves remains where it was while its new configuration is about to start", async () => {
  const configuration = (key: string, schedules: string) =>
    `      ${key}: { scenario: s, durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 } }], schedules: { ${schedules} } }\n`;
  const project = (c: string, d: string) => `project: busy
testCases:
  busy:
    scenarios: { s: { script: "s()" } }
    configurations:
${configuration("c", c)}${configuration("d", `k: { scheduleType: Recurring, recurringInterval: Minute, minute: 1 }${d}`)}`;
  const n = "n: { scheduleType: Recurring, recurringInterval: Day, hour: 22 }";
  const { run, write } = servedProject(service, project(n, ""));
  expect((await run("apply", "--auto-approve")).code).toBe(0);
  const [c, d] = ["c", "d"].map((key) => `testCase.busy/configuration.${key}/schedule.n`);
  write(`${project("", `, ${n}`)}moved: [{ from: ${c}, to: ${d} }]\n`);
  expect((await run("watch", ".", "--once", "--heal", "git", "--prune")).stdout).not.toContain("healed");
});
