import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quickest, run } from "./measure.ts";
import { measureNoOpPlan } from "./no-op-plan.ts";
import type { Row } from "./table.ts";

const objects = 3_000;

/** The same number of objects, planned by Terraform (its built-in `terraform_data`) and by loadform, in one run. */
export async function measureTerraform(): Promise<readonly Row[]> {
  const [theirs, ours] = [await terraformPlan(), await measureNoOpPlan(objects)];
  if (theirs === undefined) return [];
  const ratio = theirs / ours.warm.wallMs;
  return [
    { what: "no-op plan of 3,000, Terraform, wall", value: theirs / 1000, unit: "s" },
    { what: "no-op plan of 3,000, loadform, wall", value: ours.warm.wallMs / 1000, unit: "s" },
    { what: "no-op plan of 3,000, Terraform over loadform", value: ratio, unit: "x", goal: { atLeast: 20 } },
  ];
}

/** Wall time of Terraform's plan; undefined where there is no Terraform. */
async function terraformPlan(): Promise<number | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "loadform-bench-"));
  const names = Array.from({ length: objects }, (_, index) => `o${index}`);
  const resources = Object.fromEntries(names.map((name) => [name, { input: name }]));
  writeFileSync(join(folder, "main.tf.json"), JSON.stringify({ resource: { terraform_data: resources } }));
  // Its apply of as many takes minutes, so the state is written as that would have left it.
  writeFileSync(join(folder, "terraform.tfstate"), JSON.stringify(stateOf(names)));
  try {
    const { wallMs, stdout } = await quickest(3, () => run("terraform", ["plan", "-no-color"], { cwd: folder }));
    if (!stdout.includes("No changes.")) throw new Error(`found changes; expected none:\n${stdout.slice(0, 2000)}`);
    return wallMs;
  } catch (problem) {
    if (problem instanceof Error && "code" in problem && problem.code === "ENOENT") return undefined;
    throw problem;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function stateOf(names: readonly string[]) {
  const resources = names.map((name) => {
    const value = { value: name, type: "string" };
    return {
      mode: "managed",
      type: "terraform_data",
      name,
      provider: 'provider["terraform.io/builtin/terraform"]',
      instances: [{ schema_version: 0, attributes: { id: name, input: value, output: value, triggers_replace: null } }],
    };
  });
  return { version: 4, terraform_version: "1.0.0", serial: 1, lineage: "bench", outputs: {}, resources };
}
