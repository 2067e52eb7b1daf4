import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";
import { reaching } from "./example-folder.ts";

const text = `project: small
testCases:
  checkout:
    scenarios:
      browse: { script: "run();" }
      other: { script: "more();" }
`;
const service = sharedService();

interface Pulled {
  readonly serial: number;
  readonly resources: Readonly<Record<string, { readonly createdAt: string }>>;
  readonly pending: readonly { readonly address: string; readonly parent?: string }[];
}

const [browse, other] = ["testCase.checkout/scenario.browse", "testCase.checkout/scenario.other"];

/** A project as an apply left it that was killed before it had confirmed a create, and had paused a schedule. */
async function interrupted() {
  const project = servedProject(service, text);
  expect((await project.run("apply", "--auto-approve")).code).toBe(0);
  const pull = async () => JSON.parse((await project.run("state", "pull")).stdout) as Pulled;
  const state = await pull();
  const create = { address: other, kind: "scenario", parent: "testCase.checkout", preIds: [1], name: "other" };
  const pause = { op: "pause", address: "testCase.checkout/configuration.c/schedule.s", kind: "schedule", id: 7 };
  const pending = [
    { ...create, sent: {}, t: Date.now(), createdAt: state.resources[other]?.createdAt },
    { ...pause, t: Date.now() },
  ];
  const input = JSON.stringify({ ...state, serial: state.serial + 1, pending });
  expect((await runCli(["state", "push"], { cwd: project.cwd, env: reaching(service), input })).code).toBe(0);
  return { ...project, pull };
}

test("what an interrupted apply began follows state mv", async () => {
  const { run, pull } = await interrupted();
  expect((await run("state", "mv", "testCase.checkout", "testCase.shop")).code).toBe(0);
  expect((await pull()).pending).toMatchObject([
    { address: "testCase.shop/scenario.other", parent: "testCase.shop" },
    { address: "testCase.shop/configuration.c/schedule.s" },
  ]);
});

test("what state rm forgot is not bound again by the next apply, and not deleted", async () => {
  const { run, pull, write } = await interrupted();
  expect((await run("state", "rm", browse)).code).toBe(0);
  expect((await pull()).pending).toHaveLength(2);
  expect((await run("state", "rm", other)).code).toBe(0);
  expect((await pull()).pending).toMatchObject([{ op: "pause" }]);
  write(text.replace(/ {6}(?:other|browse): .*\n/g, "").replace("    scenarios:\n", "    description: none\n"));
  const applied = await run("apply", "--auto-approve");
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("0 deleted")]);
  expect((await service.call("GET", "/test-cases/1/scripts")).body).toHaveLength(2);
});
