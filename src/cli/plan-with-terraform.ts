import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import type { PlanTerraform, TerraformPlan } from "../import/import-terraform.ts";
import type { JsonObject } from "../model/json.ts";
import { hostProvider } from "../terraform/plugin/host-provider.ts";
import { loadformProvider } from "../terraform/provider.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Plans with the `terraform` of the path and the provider in this process, without a word on the user's terminal. */
export function planWithTerraform(environment: Environment, signal?: AbortSignal): PlanTerraform {
  return async (folder, more) => {
    const env: Environment = { ...environment, ...more, TF_IN_AUTOMATION: "1", TF_WORKSPACE: "default" };
    const earlier = env["TF_REATTACH_PROVIDERS"];
    const hosted = await hostProvider(loadformProvider({ env }), {
      temporary: tmpdir(),
      ...(earlier !== undefined && { earlier }),
    });
    const run: Run = { cwd: folder, env: { ...env, TF_REATTACH_PROVIDERS: hosted.reattach }, signal };
    try {
      return await planned(run);
    } finally {
      hosted.stop();
      hosted.close();
    }
  };
}

interface Run {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal | undefined;
}

const planFile = "import.tfplan";

async function planned(run: Run): Promise<TerraformPlan> {
  const plan = await terraform(["plan", "-input=false", "-no-color", "-lock=false", `-out=${planFile}`], run);
  if (plan.is === "not started") return { is: "absent", why: "terraform is not on the PATH" };
  if (plan.code !== 0) return { is: "refused", words: plan.stderr };
  const shown = await terraform(["show", "-json", planFile], run);
  if (shown.is === "not started" || shown.code !== 0)
    return { is: "refused", words: "stderr" in shown ? shown.stderr : "" };
  return { is: "planned", plan: JSON.parse(shown.stdout) as JsonObject };
}

type Ended =
  | { readonly is: "not started" }
  | { readonly is: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string };

function terraform(args: readonly string[], { cwd, env, signal }: Run): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn("terraform", args, { cwd, env: env as NodeJS.ProcessEnv, stdio: ["ignore", "pipe", "pipe"] });
    const end = () => child.kill("SIGTERM");
    signal?.addEventListener("abort", end, { once: true });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (part: Buffer) => stdout.push(part));
    child.stderr.on("data", (part: Buffer) => stderr.push(part));
    child.once("error", () => resolve({ is: "not started" }));
    child.once("close", (code) => {
      signal?.removeEventListener("abort", end);
      const text = (parts: readonly Buffer[]) => Buffer.concat(parts).toString("utf8");
      resolve({ is: "ended", code: code ?? 1, stdout: text(stdout), stderr: text(stderr) });
    });
  });
}
