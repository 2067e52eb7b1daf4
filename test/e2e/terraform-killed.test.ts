// merge: the provider's guarantees through the real Terraform and its process
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../../src/service/index.ts";
import { isDeep, seed } from "../support/deep.ts";
import { madeSince, objectsInState } from "../support/terraform/made-objects.ts";
import { buildProvider, ProcessProject, type Victim } from "../support/terraform/process-project.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";
import { changedResources, declaredResources, lives } from "../support/terraform/ten-lives.ts";

const victims: readonly Victim[] = ["both", "the provider", "terraform"];
const rounds = Number(process.env.LOADFORM_RUNS ?? (isDeep ? 102 : 3));

const replaced = changedResources(
  Object.fromEntries(Object.entries(lives).map(([address, { replace }]) => [address, replace?.members ?? {}])),
);

/** What is declared when the kill comes, and at which of its writes at the latest; the first makes, the second replaces. */
const steps = [
  { resources: declaredResources, most: 14 },
  { resources: replaced, most: 8 },
];

/** Routes whose answers are held, so that some writes are under way when the kill comes. */
const held = [
  "POST /test-cases",
  "POST /test-cases/:testCaseId/scripts",
  "POST /test-cases/:testCaseId/confs",
  "POST /test-cases/:testCaseId/gateways",
  "POST /scripts/:id/data-stores/contents",
  "POST /providers",
  "POST /orgs/:orgId/vcs-roots",
  "PUT /test-confs/:confId",
].map((route) => {
  const [method, path] = route.split(" ");
  return { method, path, delayMs: 60 };
});

describe.skipIf(!hasTerraform)("kill -9 in mid-apply", () => {
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

  const faults = (body: unknown) =>
    service.handle({
      method: "PUT",
      path: "/_loadform/faults",
      headers: { "x-api-key": service.apiKey },
      body: body as never,
    });

  const killedAt = async (project: ProcessProject, round: number, most: number) => {
    await faults(held);
    const isHit = await project.applyKilled(victims[round % victims.length]!, 1 + ((seed + 5 * round) % most));
    await faults([]);
    return isHit;
  };

  const mended = async (project: ProcessProject, made: () => readonly string[]) => {
    const applied = await project.apply();
    expect(applied).toMatchObject({ code: 0, errors: [] });
    expect(await project.plan()).toMatchObject({ code: 0, actions: {}, errors: [] });
    expect(made()).toEqual(objectsInState(project));
  };

  it(`of Terraform, of the provider and of both, ${rounds} times: applied again nothing is there twice`, async () => {
    console.log(`kill -9 of Terraform: ${rounds} rounds, seed ${seed}`);
    let [hits, kills] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      await service.reset();
      const made = madeSince(service);
      const project = new ProcessProject(service, { url, folder: program.folder });
      for (const { resources, most } of isDeep ? steps : steps.slice(0, 1)) {
        project.declare(resources);
        if (await killedAt(project, round, most)) hits++;
        await mended(project, made);
        kills++;
      }
      project.remove();
    }
    console.log(`kill -9 of Terraform: ${hits} of ${kills} kills met a running apply`);
    expect(hits).toBeGreaterThan(isDeep ? kills / 2 : 0);
  });
});
