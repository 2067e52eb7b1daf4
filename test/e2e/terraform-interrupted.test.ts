// merge: the provider's guarantees through the real Terraform and its process
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../../src/service/index.ts";
import { builtCli } from "../support/built-cli.ts";
import { madeSince, objectsInState } from "../support/terraform/made-objects.ts";
import { buildProvider } from "../support/terraform/process-project.ts";
import { developerEnv, hasTerraform, runToEnd, terraformEnv } from "../support/terraform/real-terraform.ts";
import { TerraformProject } from "../support/terraform/terraform-project.ts";

/** One after the other; Ctrl-C comes while the second is created. */
const [first, held] = ["loadform_test_case.shop", "loadform_scenario.browse"];
const resources = {
  [first]: { name: "Shop" },
  [held]: { test_case_id: "${loadform_test_case.shop.id}", name: "Browse", script: "run()" },
  "loadform_configuration.smoke": {
    test_case_id: "${loadform_test_case.shop.id}",
    scenario_id: "${loadform_scenario.browse.id}",
    name: "Smoke",
    concurrent_clients: 1,
    duration_secs: 60,
    providers: [{ provider_id: "0", regions: ["cloud-us-east-1"] }],
  },
};

describe.skipIf(!hasTerraform)("Ctrl-C in an apply", () => {
  let program: Awaited<ReturnType<typeof buildProvider>>;
  let service: Service;
  let url: string;
  beforeAll(async () => {
    program = await buildProvider();
    service = createService();
    url = (await service.listen(0)).url;
  });
  afterAll(async () => {
    await service.close();
    program.remove();
  });

  const doors = {
    "terraform apply": async () => ({ command: ["terraform"], env: developerEnv(program.folder) }),
    "loadform terraform -- apply": async () => ({
      command: [process.execPath, await builtCli(), "terraform", "--"],
      env: terraformEnv(),
    }),
  };

  /** An apply whose create of a scenario is answered late; Ctrl-C comes when it has begun. */
  const interrupted = async (door: keyof typeof doors, { delayMs, adopt }: { delayMs: number; adopt: string }) => {
    await service.reset();
    const made = madeSince(service);
    const { command, env } = await doors[door]();
    const block = { url, api_key: service.apiKey, organization: "1", adopt_existing: adopt };
    const project = new TerraformProject(block, (args, cwd) => runToEnd([...command, ...args], { cwd, env }));
    project.declare(resources);
    await faults([{ method: "POST", path: "/test-cases/:testCaseId/scripts", delayMs }]);
    const interruptAt = `${held}: Creating`;
    const args = ["apply", "-auto-approve", "-no-color"];
    const { code, output } = await runToEnd([...command, ...args], { cwd: project.path, env, interruptAt });
    await faults([]);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("Interrupt received") });
    expect(Object.keys(project.attributes())).toContain(first);
    expect(made().filter((each) => each.startsWith("configuration"))).toEqual([]);
    return { project, made, output };
  };

  const isMended = async ({ project, made }: Awaited<ReturnType<typeof interrupted>>) => {
    expect(await project.apply()).toMatchObject({ code: 0, errors: [] });
    expect(await project.plan()).toMatchObject({ code: 0, actions: {}, errors: [] });
    expect(made()).toEqual(objectsInState(project));
    project.remove();
  };

  const faults = (body: unknown) => {
    const headers = { "x-api-key": service.apiKey };
    return service.handle({ method: "PUT", path: "/_loadform/faults", headers, body: body as never });
  };

  it.each(Object.keys(doors) as (keyof typeof doors)[])(
    "%s: waits for the answer under way and starts nothing more; what exists is in the state, and the next apply makes the rest",
    async (door) => {
      const life = await interrupted(door, { delayMs: 1_000, adopt: "never" });
      expect(Object.keys(life.project.attributes())).toContain(held);
      expect(life.made()).toEqual(objectsInState(life.project));
      await isMended(life);
    },
  );

  it.each(Object.keys(doors) as (keyof typeof doors)[])(
    "%s: is gone although an answer does not come, and the next apply binds what was made by adopt_existing",
    async (door) => {
      const life = await interrupted(door, { delayMs: 60_000, adopt: "created_recently" });
      expect(Object.keys(life.project.attributes())).not.toContain(held);
      expect(life.output).toContain('adopt_existing = "created_recently"');
      expect(life.made()).toContain("scenario#1");
      await isMended(life);
    },
  );
});
