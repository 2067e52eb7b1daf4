import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isDeep, isVerify } from "../../support/deep.ts";
import { mergeTest } from "../../support/merge-test.ts";
import {
  developerEnv,
  hasTerraform,
  runToEnd,
  type TerraformFolder,
  terraformEnv,
  terraformFolder,
} from "../../support/terraform/real-terraform.ts";
import { buildToyPrograms, type ToyPrograms } from "../../support/terraform/toy-programs.ts";

let programs: ToyPrograms;
beforeAll(async () => {
  programs = await buildToyPrograms();
});
afterAll(() => programs.remove());

let folder: TerraformFolder;
beforeEach(() => {
  folder = terraformFolder();
});
afterEach(() => folder.remove());

/** Terraform with the toy in the process that starts it. */
const hosted = (args: readonly string[], more: { env?: Record<string, string>; interruptAt?: string } = {}) =>
  runToEnd([process.execPath, programs.hosted, "terraform", ...args, "-no-color"], {
    cwd: folder.path,
    env: { ...terraformEnv(), ...more.env },
    ...(more.interruptAt !== undefined && { interruptAt: more.interruptAt }),
  });

/** Terraform that starts the toy's program. */
const asProcess = (args: readonly string[], env: Record<string, string> = {}) =>
  runToEnd(["terraform", ...args, "-no-color"], {
    cwd: folder.path,
    env: { ...developerEnv(programs.folder), ...env },
  });

const toy = `
resource "loadform_toy" "a" {
  count     = 2
  name      = "n\${count.index}"
  size      = 0.1
  labels    = { __proto__ = "x", b = "é" }
  tags      = ["b", "a"]
  secret_wo = "s3cret"
  parts     = [{ weight = 1000000000000000000000000000000 }, { weight = 9223372036854775807 }]
}
data "loadform_echo" "e" {
  say = loadform_toy.a[0].id
}
`;

const ways = [
  ["hosted", hosted],
  ["as a process", asProcess],
] as const;

describe.skipIf(!hasTerraform).each(ways)("%s", (_, terraform) => {
  // As a process Terraform starts the program anew for each of them.
  const isWhole = isDeep || isVerify || terraform === hosted;
  it(`apply, an empty second plan${isWhole ? ", an update, destroy" : ""}`, async () => {
    folder.write(toy);
    const applied = await terraform(["apply", "-auto-approve"]);
    expect(applied.output).toContain("2 added");
    expect(folder.attributes("loadform_toy.a")).toMatchObject({
      name: "n0",
      size: 0.1,
      labels: { b: "é" },
      secret_wo: null,
    });
    expect(await terraform(["plan", "-detailed-exitcode"])).toMatchObject({ code: 0 });
    if (!isWhole) return;
    folder.write(toy.replace("0.1", "0.2"));
    expect((await terraform(["apply", "-auto-approve"])).output).toContain("2 changed");
    expect((await terraform(["destroy", "-auto-approve"])).output).toContain("2 destroyed");
  });
});

/** The life above shows that both ways carry every call; what is said through them is asked of both before a merge. */
describe.skipIf(!hasTerraform).each(isDeep || isVerify ? ways : ways.slice(0, 1))("%s", (_, terraform) => {
  mergeTest("an import, with the configuration that Terraform writes for it", async () => {
    folder.write(`import {\n  to = loadform_toy.b\n  id = "7"\n}\n`);
    const planned = await terraform(["plan", "-generate-config-out=generated.tf"]);
    expect(planned.output).toContain("1 to import, 0 to add, 0 to change");
    expect(planned.code).toBe(0);
  });

  it("a problem has its line and its text", async () => {
    folder.write(`resource "loadform_toy" "a" {\n  name  = "a"\n  parts = [{ weight = 13 }]\n}\n`);
    const { code, output } = await terraform(["validate"]);
    expect(code).toBe(1);
    expect(output).toMatch(/with loadform_toy\.a,\s+on main\.tf line \d+, in resource/);
    expect(output).toContain("parts[0].weight: no weight is 13");
  });

  mergeTest("aliases have a session each", async () => {
    folder.write(`
      provider "loadform" {
        flavour = "plum"
      }
      provider "loadform" {
        alias   = "other"
        flavour = "fig"
      }
      resource "loadform_toy" "a" {
        name = "a"
      }
      resource "loadform_toy" "b" {
        provider = loadform.other
        name     = "b"
      }
    `);
    expect((await terraform(["apply", "-auto-approve"])).code).toBe(0);
    expect(folder.attributes("loadform_toy.a")).toMatchObject({ flavour: "plum" });
    expect(folder.attributes("loadform_toy.b")).toMatchObject({ flavour: "fig" });
  });

  mergeTest("works in a temporary folder whose name is too long for a socket", async () => {
    const deep = join(tmpdir(), "u".repeat(110 - tmpdir().length - 1));
    mkdirSync(deep, { recursive: true });
    folder.write(toy);
    const terraformInDeep =
      terraform === hosted ? hosted(["plan"], { env: { TMPDIR: deep } }) : asProcess(["plan"], { TMPDIR: deep });
    expect((await terraformInDeep).output).toContain("2 to add");
    rmSync(deep, { recursive: true });
  });
});

describe.skipIf(!hasTerraform)("hosted", () => {
  mergeTest("needs no init, keeps other providers that are attached, and passes the exit code on", async () => {
    folder.write(toy);
    const other = {
      Protocol: "grpc",
      ProtocolVersion: 6,
      Pid: 1,
      Test: true,
      Addr: { Network: "unix", String: "/none" },
    };
    const env = { TF_REATTACH_PROVIDERS: JSON.stringify({ "example/other": other }) };
    expect(await hosted(["plan", "-detailed-exitcode"], { env })).toMatchObject({ code: 2 });
    expect((await hosted(["plan", "-nonsense"])).code).toBe(1);
  });

  it("Ctrl-C lets a running apply save what exists", async () => {
    folder.write(`resource "loadform_toy" "a" {\n  name = "waits"\n}\n`);
    const { code, output } = await hosted(["apply", "-auto-approve"], { interruptAt: "toy: waiting" });
    expect(output).toContain("Interrupt received");
    expect(output).toContain("it was interrupted");
    expect(code).toBe(1);
    expect(folder.state().resources[0]?.instances).toMatchObject([
      { status: "tainted", attributes: { name: "waits" } },
    ]);
  });
});

describe.skipIf(!hasTerraform)("as a process", () => {
  mergeTest("speaks plainly where Terraform was told to do without TLS", async () => {
    folder.write(toy);
    expect((await asProcess(["plan"], { TF_DISABLE_PLUGIN_TLS: "1" })).output).toContain("2 to add");
  });

  it("a crash is shown with its reason", async () => {
    folder.write(`resource "loadform_toy" "a" {\n  name = "crashes"\n}\n`);
    const { output } = await asProcess(["apply", "-auto-approve"]);
    expect(output).toContain("Stack trace from the terraform-provider-loadform plugin");
    expect(output).toContain("panic: Error: the toy crashed");
  });
});
