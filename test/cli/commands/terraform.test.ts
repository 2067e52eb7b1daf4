// slow: it starts processes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Service } from "../../../src/service/index.ts";
import { createService } from "../../../src/service/index.ts";
import { builtCli, freshFolder, runCli, startCli } from "../../support/run-cli.ts";
import { repository } from "../../support/source-files.ts";
import { hasTerraform, runToEnd, terraformEnv } from "../../support/terraform/real-terraform.ts";

describe("terraform", () => {
  it("says what to install where there is none", async () => {
    const { code, stdout, stderr } = await runCli(["terraform", "--bin", "no-such-terraform", "--", "plan"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("no-such-terraform cannot be started");
    expect(stderr).toMatch(/Install\s+Terraform 1\.11/);
  });

  it("refuses a TF_REATTACH_PROVIDERS that it cannot merge with", async () => {
    const env = { TF_REATTACH_PROVIDERS: "[1]" };
    const { code, stderr } = await runCli(["terraform", "--", "plan"], { env });
    expect(code).toBe(1);
    expect(stderr).toContain("TF_REATTACH_PROVIDERS cannot be read");
  });

  it("hands the program its arguments, the provider and the folder, and passes its exit code on", async () => {
    const cwd = freshFolder();
    const program = join(cwd, "program.sh");
    writeFileSync(program, `#!/bin/sh\necho "$@ in $PWD"\necho "$TF_REATTACH_PROVIDERS"\nexit 2\n`, { mode: 0o755 });
    const other = '{"example/other":{"Protocol":"grpc"}}';
    const child = await startCli(["terraform", "--bin", program, "--", "plan", "-out=x"], {
      cwd,
      env: { TF_REATTACH_PROVIDERS: other },
    });
    let stdout = "";
    child.stdout.on("data", (part) => {
      stdout += String(part);
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    const [first, second = "{}"] = stdout.split("\n");
    expect({ code, first }).toEqual({ code: 2, first: `plan -out=x in ${cwd}` });
    expect(JSON.parse(second)).toMatchObject({
      "example/other": { Protocol: "grpc" },
      "loadform/loadform": {
        Protocol: "grpc",
        ProtocolVersion: 6,
        Pid: child.pid,
        Test: true,
        Addr: { Network: "unix" },
      },
    });
  });

  it("passes SIGTERM on and takes no notice of SIGINT", async () => {
    const cwd = freshFolder();
    const program = join(cwd, "program.sh");
    const lines = ["#!/bin/sh", `trap 'echo ended; exit 1' TERM`, "echo ready", "while true; do sleep 0.1; done"];
    writeFileSync(program, `${lines.join("\n")}\n`, { mode: 0o755 });
    const child = await startCli(["terraform", "--bin", program], { cwd });
    let stdout = "";
    child.stdout.on("data", (part) => {
      stdout += String(part);
    });
    const code = new Promise((resolve) => child.once("close", resolve));
    await expect.poll(() => stdout, { timeout: 20_000 }).toContain("ready");
    child.kill("SIGINT");
    child.kill("SIGTERM");
    expect(await code).toBe(1);
    expect(stdout).toContain("ended");
  });
});

describe.skipIf(!hasTerraform)("the configuration of docs/terraform.md", () => {
  let service: Service;
  let env: Record<string, string>;
  const cwd = freshFolder();
  beforeAll(async () => {
    service = createService({ apiKey: "key" });
    const { url } = await service.listen(0);
    env = terraformEnv({ LOADFORM_URL: url, LOADFORM_API_KEY: "key" });
    const page = readFileSync(join(repository, "docs/terraform.md"), "utf8");
    const [, text = ""] = /<!-- file: main\.tf -->\s+```hcl\n([\s\S]*?)```/.exec(page) ?? [];
    writeFileSync(join(cwd, "main.tf"), text);
  });
  afterAll(() => service.close());

  const loadform = async (...args: readonly string[]) =>
    runToEnd([process.execPath, await builtCli(), "terraform", "--", ...args, "-no-color"], { cwd, env });

  it("is applied, unchanged, changed and destroyed", async () => {
    const applied = await loadform("apply", "-auto-approve");
    expect(applied.output).toContain("4 added, 0 changed, 0 destroyed");
    expect(await loadform("plan", "-detailed-exitcode")).toMatchObject({ code: 0 });
    const text = readFileSync(join(cwd, "main.tf"), "utf8");
    writeFileSync(join(cwd, "main.tf"), text.replace("= 20", "= 50"));
    expect(await loadform("plan", "-detailed-exitcode")).toMatchObject({ code: 2 });
    expect((await loadform("apply", "-auto-approve")).output).toContain("0 added, 1 changed, 0 destroyed");
    expect((await loadform("destroy", "-auto-approve")).output).toContain("4 destroyed");
  });

  it("tells a user who waits of an answer that is not clear, and sends no more than the provider block allows", async () => {
    const faults = [{ method: "POST", path: "/test-cases", status: 500 }];
    const headers = { "x-api-key": "key" };
    await service.handle({ method: "PUT", path: "/_loadform/faults", headers, body: faults });
    const text = readFileSync(join(cwd, "main.tf"), "utf8");
    writeFileSync(join(cwd, "main.tf"), `${text}\nprovider "loadform" {\n  max_retries = 0\n}\n`);
    const sent = () =>
      service.requests.filter(({ method, path }) => method === "POST" && path === "/test-cases").length;
    const before = sent();
    const { code, output } = await loadform("apply", "-auto-approve");
    expect([code, sent() - before]).toEqual([1, 1]);
    expect(output).toMatch(
      /^loadform_test_case "Checkout": the answer to its create was unclear \(status 500\); it is looked for$/m,
    );
  });
});
