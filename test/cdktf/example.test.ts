import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { repository } from "../support/source-files.ts";

/** As \`cdktf synth\` does it: the program of cdktf.json, in its folder, writes where CDKTF_OUTDIR says. */
test("the program that cdktf.json names synthesizes the example", async () => {
  const { app } = JSON.parse(readFileSync(join(repository, "cdktf.json"), "utf8"));
  const folder = mkdtempSync(join(tmpdir(), "example-cdktf-"));
  try {
    await promisify(execFile)("sh", ["-c", app], { cwd: repository, env: { ...process.env, CDKTF_OUTDIR: folder } });
    const { resource, data } = JSON.parse(readFileSync(join(folder, "stacks/webshop/cdk.tf.json"), "utf8"));
    expect(Object.keys(data)).toEqual(["loadform_provider"]);
    expect(Object.entries(resource).map(([type, objects]) => [type, Object.keys(objects as object)])).toEqual([
      ["loadform_configuration", ["smoke"]],
      ["loadform_data_store", ["users"]],
      ["loadform_scenario", ["browse"]],
      ["loadform_schedule", ["night"]],
      ["loadform_tag", ["nightly"]],
      ["loadform_test_case", ["checkout"]],
    ]);
    const script = readFileSync(join(repository, "examples/cdktf/scripts/browse.js"), "utf8");
    expect(resource.loadform_scenario.browse.script).toBe(script.replaceAll("${", () => "$${"));
    expect(resource.loadform_configuration.smoke.scenario_id).toBe("${loadform_scenario.browse.id}");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
