import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import type { Provider } from "../provider-session.ts";
import { hostProvider } from "./host-provider.ts";

/** A run of Terraform to start. */
export interface HostedRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Is handed what passes SIGTERM on to Terraform, which then ends in good order. */
  readonly onStart: (terminate: () => void) => void;
  readonly threw?: (thrown: unknown) => void;
}

export type HostedEnd =
  | { readonly is: "exited"; readonly code: number }
  | { readonly is: "killed"; readonly signal: NodeJS.Signals }
  | { readonly is: "not started"; readonly reason: string };

/** Runs Terraform on the user's terminal with a provider that lives in this process. */
export async function runHosted(provider: Provider, run: HostedRun): Promise<HostedEnd> {
  const { program, args, env, cwd, threw } = run;
  const earlier = env["TF_REATTACH_PROVIDERS"];
  const hosted = await hostProvider(provider, {
    temporary: tmpdir(),
    ...(earlier !== undefined && { earlier }),
    ...(threw && { threw }),
  });
  try {
    const child = spawn(program, args, {
      cwd,
      // Terraform spends a quarter of its time on collecting; half as often takes a tenth of a plan and a fifth more memory.
      env: { GOGC: "200", ...env, TF_REATTACH_PROVIDERS: hosted.reattach },
      stdio: "inherit",
    });
    run.onStart(() => child.kill("SIGTERM"));
    return await new Promise((resolve) => {
      child.once("error", (error) => resolve({ is: "not started", reason: startFailure(error) }));
      child.once("exit", (code, signal) =>
        resolve(signal === null ? { is: "exited", code: code ?? 1 } : { is: "killed", signal }),
      );
    });
  } finally {
    hosted.stop();
    hosted.close();
  }
}

function startFailure(error: Error): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "There is no program of that name";
  return code === "EACCES" ? "It may not be executed" : error.message;
}
