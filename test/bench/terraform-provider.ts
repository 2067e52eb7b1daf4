import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../support/source-files.ts";
import { startProvider } from "../support/terraform/start-provider.ts";
import { writeProject } from "./bench-project.ts";
import { type BenchService, startService } from "./bench-service.ts";
import { program, quickest, run } from "./measure.ts";
import type { Row } from "./table.ts";

/** Wall time of a plan of everything, of its apply, and of a plan that finds nothing to do. */
interface Times {
  readonly plan: number;
  readonly apply: number;
  readonly again: number;
}

/** Our provider, hosted, beside what Terraform has built in, and our own engine on as many objects, all in one run. */
export async function measureProvider(): Promise<readonly Row[]> {
  const rows: Row[] = await handshake();
  for (const objects of [100, 1_000]) {
    const builtIn = await timesOf(["terraform"], { document: plainResources(objects) });
    const service = await startService();
    try {
      const document = ourResources(objects);
      const ours = await timesOf([process.execPath, program, "terraform", "--"], { document, url: service.url });
      await service.call("POST", "/_loadform/reset");
      rows.push(...rowsOf(objects, { builtIn, ours, engine: await engineTimes(objects, service) }));
    } finally {
      await service.stop();
    }
  }
  return rows;
}

/** Goals of our provider at 1,000 objects, over terraform_data. */
const goals: Readonly<Partial<Record<keyof Times, number>>> = { plan: 2.8, again: 2.2 };

function rowsOf(
  objects: number,
  times: { readonly builtIn: Times; readonly ours: Times; readonly engine: Times },
): readonly Row[] {
  const { builtIn, ours, engine } = times;
  const of = `of ${objects.toLocaleString("en")}`;
  return (["plan", "apply", "again"] as const).flatMap((step): Row[] => {
    const what = step === "again" ? `no-op plan ${of}` : `${step} ${of} creates`;
    return [
      { what: `${what}, terraform_data, wall`, value: builtIn[step] / 1000, unit: "s" },
      {
        what: `${what}, our provider over terraform_data`,
        value: ours[step] / builtIn[step],
        unit: "x",
        ...(objects === 1_000 && goals[step] !== undefined && { goal: { atMost: goals[step] } }),
      },
      { what: `${what}, our own engine over terraform_data`, value: engine[step] / builtIn[step], unit: "x" },
    ];
  });
}

/** Start of the provider's program until Terraform can read where it listens. */
async function handshake(): Promise<Row[]> {
  const path = join(repository, "dist", "provider", "terraform-provider-loadform");
  const node = await quickest(15, () => run(process.execPath, ["-e", "0"]));
  const started = await quickest(15, async () => {
    const before = performance.now();
    const { child, exited } = await startProvider(path);
    const wallMs = performance.now() - before;
    child.kill("SIGKILL");
    await exited;
    return { wallMs, stdout: "" };
  });
  return [
    {
      what: "provider to handshake, over node",
      value: started.wallMs - node.wallMs,
      unit: "ms",
      goal: { atMost: 100 },
    },
  ];
}

async function timesOf(
  command: readonly string[],
  of: { readonly document: object; readonly url?: string },
): Promise<Times> {
  const folder = mkdtempSync(join(tmpdir(), "loadform-bench-"));
  writeFileSync(join(folder, "main.tf.json"), JSON.stringify(of.document));
  const env = { CHECKPOINT_DISABLE: "1", ...(of.url !== undefined && { LOADFORM_URL: of.url }) };
  const [bin = "", ...first] = command;
  const timed = async (...args: string[]) =>
    (await run(bin, [...first, ...args, "-no-color"], { cwd: folder, env })).wallMs;
  try {
    const plan = await timed("plan");
    const apply = await timed("apply", "-auto-approve");
    return { plan, apply, again: await timed("plan", "-detailed-exitcode") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function engineTimes(objects: number, { url }: BenchService): Promise<Times> {
  const folder = writeProject(objects, url);
  const timed = async (...args: string[]) => (await run(process.execPath, [program, ...args])).wallMs;
  try {
    const plan = await timed("plan", folder);
    const apply = await timed("apply", folder, "--auto-approve");
    return { plan, apply, again: await timed("plan", folder, "--detailed-exitcode") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function plainResources(objects: number): object {
  return { resource: { terraform_data: Object.fromEntries(names(objects).map((name) => [name, { input: name }])) } };
}

/** Test cases with scenarios and gateways, ten objects each, with references as projects have them. */
function ourResources(objects: number): object {
  const testCases = names(objects / 10);
  const below = (count: number, members: (name: string) => object) =>
    Object.fromEntries(
      testCases.flatMap((parent) =>
        names(count).map((name) => [
          `${parent}_${name}`,
          { test_case_id: `\${loadform_test_case.${parent}.id}`, name, ...members(name) },
        ]),
      ),
    );
  return {
    terraform: { required_providers: { loadform: { source: "loadform/loadform" } } },
    resource: {
      loadform_test_case: Object.fromEntries(testCases.map((name) => [name, { name }])),
      loadform_scenario: below(4, (name) => ({ script: `run("${name}")\n` })),
      loadform_gateway: below(5, () => ({ url: "https://shop.example.com" })),
    },
  };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `o${index}`);
