import { rmSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";

const service = sharedService();

const text = `project: shop
service: { url: "http://replaced.invalid" }
testCases:
  checkout:
    name: It's "ours"
    description: Buying path
    gateways: { shop: { url: "https://shop.example.com" } }
`;

function project() {
  const made = servedProject(service, text);
  onTestFinished(() => rmSync(made.cwd, { recursive: true, force: true }));
  return made;
}

async function makeLive(description: string): Promise<number> {
  const { body } = await service.call("POST", "/test-cases", { name: `It's "ours"`, description, org: 1 });
  const { id } = body as { id: number };
  await service.call("POST", `/test-cases/${id}/gateways`, { name: "shop", url: "https://shop.example.com" });
  return id;
}

/** The words of a command as a shell reads them. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

interface Planned {
  readonly resource_changes: readonly {
    readonly address: string;
    readonly change: { readonly actions: readonly string[]; readonly importing?: { readonly id: string } };
  }[];
  readonly summary: { readonly import: number };
}

describe("taking over what is there already", () => {
  test.each([
    ["exact", "Buying path", ["no-op"]],
    ["name", "another", ["update"]],
  ] as const)("with --adopt %s is shown in the plan as an import", async (mode, description, actions) => {
    const id = await makeLive(description);
    const { run } = project();
    const planned = await run("plan", "--json", "--adopt", mode, "--detailed-exitcode");
    const { resource_changes: changes, summary } = JSON.parse(planned.stdout) as Planned;
    expect(planned.code).toBe(2);
    expect(summary.import).toBe(2);
    expect(changes.map(({ address, change }) => [address, change.actions, change.importing])).toEqual([
      ["testCase.checkout", actions, { id: String(id) }],
      ["testCase.checkout/gateway.shop", ["no-op"], { id: "1" }],
    ]);
    const shown = await run("plan", "--adopt", mode);
    expect(shown.stdout).toMatch(/2 to import/);
  });

  test("is refused without the flag, with a command that does it, for all below too, when it is pasted", async () => {
    const id = await makeLive("another");
    const { run } = project();
    const refused = await run("plan");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("LF3001")]);
    const [, command = ""] =
      /take\s+it\s+over\s+and\s+apply\s+what\s+is\s+declared:\n {4}(loadform .*)/.exec(refused.stderr) ?? [];
    const [program, ...args] = wordsOf(command);
    expect(program).toBe("loadform");
    const pasted = await run(...args, "--auto-approve");
    expect([pasted.code, pasted.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    expect((await service.call("GET", `/test-cases/${id}`)).body).toMatchObject({ id, description: "Buying path" });
  });

  test("shows the schedules of what is taken over as imports too, in the plan and in what was done", async () => {
    const id = await makeLive("Buying path");
    const script = await service.call("POST", `/test-cases/${id}/scripts`, { name: "s", main: "x" });
    const hourly = { scheduleType: "Recurring", recurringInterval: "Hour", hour: 2, minute: 5 };
    await service.call("POST", `/test-cases/${id}/confs`, {
      name: "c",
      scriptId: (script.body as { id: number }).id,
      providers: [{ providerId: 0, params: { regions: "cloud-us-east-1" } }],
      durationSecs: 60,
      concurrentClients: 1,
      schedules: [hourly],
    });
    const runners = "[{ provider: { id: 0 }, regions: [cloud-us-east-1] }]";
    const schedules = "{ odd: { scheduleType: Recurring, recurringInterval: Hour, hour: 2, minute: 5 } }";
    const { run } = servedProject(
      service,
      `${text}    scenarios: { s: { script: x } }\n    configurations: { c: { scenario: s, durationSecs: 60, concurrentClients: 1, providers: ${runners}, schedules: ${schedules} } }\n`,
    );
    const { stdout } = await run("plan", "--json", "--adopt", "exact");
    const { resource_changes: changes, summary } = JSON.parse(stdout) as Planned;
    expect(summary.import).toBe(5);
    expect(changes.map(({ address, change }) => [address, change.importing])).toContainEqual([
      "testCase.checkout/configuration.c/schedule.odd",
      { id: "1" },
    ]);
    expect(await run("apply", "--adopt", "exact", "--auto-approve")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Applied: 0 created, 0 updated, 0 deleted, 5 taken over."),
    });
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("is refused with a command that sets the same variables", async () => {
    const id = await makeLive("another");
    const { run } = servedProject(
      service,
      `variables: { path: { default: "" } }\n${text.replace("Buying path", '"${var:path}"')}`,
    );
    const refused = await run("plan", "--var", "path=it's new");
    // The hint that a state is missing has a command of its own, before that of the collision.
    const [, command = ""] = [...refused.stderr.matchAll(/declared:\n {4}loadform (.*)/g)].at(-1) ?? [];
    expect(command).toBe(`apply --var 'path=it'\\''s new' --adopt name --target 'testCase.checkout/**'`);
    const rest = wordsOf(command.slice(command.indexOf(" --adopt")));
    const pasted = await run("apply", "--var", "path=it's new", ...rest, "--auto-approve");
    expect([pasted.code, pasted.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect((await service.call("GET", `/test-cases/${id}`)).body).toMatchObject({ description: "it's new" });
  });

  test("is refused when several could be meant, with their ids", async () => {
    const id = await makeLive("Buying path");
    await service.call("POST", `/test-cases/${id}/gateways`, { name: "shop", url: "https://other.example.com" });
    const { run } = project();
    for (const mode of ["exact", "name"]) {
      const { code, stderr } = await run("plan", "--adopt", mode);
      expect([code, stderr]).toEqual([1, expect.stringContaining("LF3002")]);
      expect(stderr).toContain("gateway#1, gateway#2");
    }
  });
});
