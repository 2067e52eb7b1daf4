import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Service } from "../../../src/service/index.ts";
import { repository } from "../source-files.ts";
import { developerEnv, runToEnd } from "./real-terraform.ts";
import { TerraformProject } from "./terraform-project.ts";

/** Who dies: Terraform, the provider that it has started, or both. */
export type Victim = "terraform" | "the provider" | "both";

/** The provider as the program that users have, in a folder as dev_overrides takes it. */
export async function buildProvider(): Promise<{ readonly folder: string; readonly remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), "loadform-provider-"));
  const { bundleProvider } = (await import("../../../scripts/bundle-provider.js" as string)) as {
    bundleProvider: (root: string, to: { target: string }) => Promise<void>;
  };
  await bundleProvider(repository, { target: folder });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Where the service and the provider's program are, and what else is in the environment. */
interface Started {
  readonly url: string;
  readonly folder: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** A project whose provider is a process of its own, and a way to kill it. */
export class ProcessProject extends TerraformProject {
  readonly #service: Service;
  readonly #env: Readonly<Record<string, string>>;

  constructor(service: Service, { url, folder, more = {} }: Started) {
    const env = { ...developerEnv(folder), ...more };
    const block = { url, api_key: service.apiKey, organization: "1", adopt_existing: "created_recently" };
    super(block, (args, cwd) => runToEnd(["terraform", ...args], { cwd, env }));
    this.#service = service;
    this.#env = env;
  }

  /** Applies, and kills when that many writes have reached the service; answers whether anybody was there to be killed. */
  async applyKilled(victim: Victim, writes: number): Promise<boolean> {
    const before = this.#writes();
    const args = ["apply", "-auto-approve", "-no-color"];
    const child = spawn("terraform", args, { cwd: this.path, env: this.#env, stdio: "ignore", detached: true });
    const pid = child.pid ?? 0;
    let isHit = false;
    const watch = setInterval(() => {
      if (isHit || this.#writes() - before < writes) return;
      isHit = true;
      for (const each of victimsOf(victim, pid)) kill(each);
    }, 1);
    await new Promise((resolve) => child.once("close", resolve));
    clearInterval(watch);
    // Without Terraform the provider ends by itself.
    if (victim === "terraform") kill(-pid);
    this.#mendState();
    return isHit;
  }

  /** Terraform empties the file of its state before it writes: one that was killed there leaves its backup to the user. */
  #mendState(): void {
    try {
      JSON.parse(this.state ?? "{}");
    } catch {
      const backup = join(this.path, "terraform.tfstate.backup");
      this.state = existsSync(backup) ? readFileSync(backup, "utf8") : undefined;
    }
  }

  #writes(): number {
    return this.#service.requests.filter(({ method }) => method !== "GET" && method !== "HEAD").length;
  }
}

/** The process group is Terraform's own, and its providers are its children. */
function victimsOf(victim: Victim, pid: number): readonly number[] {
  if (victim === "terraform") return [pid];
  return victim === "both" ? [-pid] : childrenOf(pid);
}

function childrenOf(pid: number): readonly number[] {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([own = 0, parent]) => (parent === pid ? [own] : []));
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
