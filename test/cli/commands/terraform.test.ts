// slow: it starts processes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshFolder, runCli, runProcess, startCli } from "../../support/run-cli.ts";

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

  it.each([
    ["exit 42", 1, "ended with exit code 42\n"],
    ["kill -KILL $$", 1, "was ended by SIGKILL\n"],
    ["kill -TERM $$", 143, ""],
  ])("says how the program ended where no exit code says it: %s", async (line, code, words) => {
    const cwd = freshFolder();
    const program = join(cwd, "program.sh");
    writeFileSync(program, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    const ended = await runProcess(["terraform", "--bin", program], { cwd });
    expect([ended.code, ended.stderr]).toEqual([code, words && `${program} ${words}`]);
  });
});
