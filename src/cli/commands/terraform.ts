import type { Diagnostic } from "../../model/diagnostic.ts";
import { type ExitCode, exitCodes } from "../../report/exit-codes.ts";
import { ReattachProblem } from "../../terraform/plugin/host-provider.ts";
import { type HostedEnd, runHosted } from "../../terraform/plugin/run-hosted.ts";
import { loadformProvider } from "../../terraform/provider.ts";
import type { Command } from "../command.ts";
import { usageProblem } from "../flag-table.ts";
import { reportRefusal } from "../views/report-refusal.ts";

/** `loadform terraform -- plan`: runs Terraform, or what --bin names, with the provider in this process; its exit code is ours. */
export const terraform: Command = async ({ args, flags, env, cwd, terminal, argv, interrupt, log }) => {
  const program = flags.bin ?? "terraform";
  // Ctrl-C reaches Terraform by itself, as it is in the same process group.
  const onStart = (terminate: () => void) => interrupt.handOver((signal) => signal === "SIGTERM" && terminate());
  const threw = log && ((thrown: unknown) => log(thrown instanceof Error ? (thrown.stack ?? "") : String(thrown)));
  try {
    const end = await runHosted(
      loadformProvider({ env, tell: (line) => terminal.note(`${line}\n`), ...(log && { log }) }),
      {
        program,
        args,
        env,
        cwd,
        onStart,
        ...(threw && { threw }),
      },
    );
    if (end.is === "not started") return reportRefusal(terminal, argv, [notStarted(program, end.reason)]);
    return exitCodeOf(end);
  } catch (thrown) {
    if (!(thrown instanceof ReattachProblem)) throw thrown;
    return reportRefusal(terminal, argv, [usageProblem("TF_REATTACH_PROVIDERS cannot be read", thrown.message)]);
  }
};

function notStarted(program: string, reason: string): Diagnostic {
  const wayOut =
    "Install Terraform 1.11 or newer, or OpenTofu, or name the program with --bin, as in: loadform terraform --bin tofu -- plan";
  return usageProblem(`${program} cannot be started`, `${reason}. ${wayOut}`);
}

function exitCodeOf(end: Exclude<HostedEnd, { is: "not started" }>): ExitCode {
  if (end.is === "killed") return end.signal === "SIGTERM" ? 143 : 130;
  return Object.hasOwn(exitCodes, end.code) ? (end.code as ExitCode) : 1;
}
