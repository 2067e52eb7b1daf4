import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allocatorVariables } from "../../../src/cli/prepare-engine.ts";

/** Whether this machine has Terraform; tests that need it say so when it has not. */
export const hasTerraform = spawnSync("terraform", ["version"], { stdio: "ignore" }).status === 0;
if (!hasTerraform) process.stderr.write("SKIPPED: tests with the real terraform, which is not installed here\n");

/** A run that has ended. */
export interface TerraformRun {
  readonly code: number | null;
  readonly output: string;
}

/** A folder with a configuration, and how Terraform is started in it. */
export interface TerraformFolder {
  readonly path: string;
  readonly write: (resources: string) => void;
  /** Attributes of the only instance of a resource of the state. */
  readonly attributes: (address: string) => Readonly<Record<string, unknown>>;
  readonly state: () => { readonly resources: readonly StateResource[] };
  readonly remove: () => void;
}

interface StateResource {
  readonly type: string;
  readonly name: string;
  readonly instances: readonly { readonly status?: string; readonly attributes: Readonly<Record<string, unknown>> }[];
}

const required = `terraform {
  required_providers {
    loadform = {
      source = "loadform/loadform"
    }
  }
}
`;

/** A fresh folder for one configuration. */
export function terraformFolder(): TerraformFolder {
  const path = mkdtempSync(join(tmpdir(), "loadform-tf-"));
  const state = () => JSON.parse(readFileSync(join(path, "terraform.tfstate"), "utf8"));
  return {
    path,
    write: (resources) => writeFileSync(join(path, "main.tf"), `${required}${resources}`),
    state,
    attributes: (address) => {
      const [type, name] = address.split(".");
      const found = state().resources.find((each: StateResource) => each.type === type && each.name === name);
      return found?.instances[0]?.attributes ?? {};
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** The environment of a Terraform that asks nobody for anything. */
export function terraformEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return {
    PATH,
    HOME,
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
    TF_CLI_CONFIG_FILE: "/dev/null",
    ...allocatorVariables,
    ...more,
  };
}

/** The environment of one that starts the provider's program in a folder by itself. */
export function developerEnv(folder: string): Record<string, string> {
  const rc = join(folder, "terraform.rc");
  mkdirSync(folder, { recursive: true });
  const overrides = `dev_overrides {\n    "loadform/loadform" = ${JSON.stringify(folder)}\n  }\n  direct {}`;
  writeFileSync(rc, `provider_installation {\n  ${overrides}\n}\n`);
  return terraformEnv({ TF_CLI_CONFIG_FILE: rc });
}

/** How a program is run. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Is handed the process group's signals once the output holds this text. */
  readonly interruptAt?: string;
}

/** Runs a program to its end, in a process group of its own as a terminal does. */
export function runToEnd(
  [program = "", ...args]: readonly string[],
  { cwd, env, interruptAt }: RunOptions,
): Promise<TerraformRun> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  let isInterrupted = interruptAt === undefined;
  const collect = (part: unknown) => {
    output += String(part);
    if (isInterrupted || !output.includes(interruptAt ?? "") || child.pid === undefined) return;
    isInterrupted = true;
    process.kill(-child.pid, "SIGINT");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}
