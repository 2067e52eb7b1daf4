import type { Diagnostic } from "../../model/diagnostic.ts";
import { type ExitCode, exitCodes } from "../../report/exit-codes.ts";
import { ReattachProblem } from "../../terraform/plugin/host-provider.ts";
import { type HostedEnd, runHosted } from "../../terraform/plugin/run-hosted.ts";
import { loadformProvider } from "../../terraform/provider.ts";
import type { Command } from "../command.ts";
import { usageProblem } from "../flag-table.ts";
import { reportRefusal } from "../views/report-refusal.ts";

/** `loadform terraform -- plan`: runs Terraform, or what --bin names, with the provider in this process; its exit code is ours, and 1 where ours have none like it. */
export const terraform: Command = async ({ args, flags, env, cwd, terminal, argv, interrupt, log }) => {
  const program = flags.bin ?? "terraform";
  // Ctrl-C reaches Terraform by itself, as it is in the same process group.
  const onStart = (terminate: () => void) => interrupt.handOver((signal) => signal === "SIGTERM" && terminate());
  const threw = log && ((thrown: unknown) => log(thrown instanceof Error ? (thrown.stack ?? "") : String(thrown)));
  try {
    const end = await runHosted(
      loadformProvider({ env, tell: (line) => terminal.note(`${line}\n`), ...(log && { log }) }),
      { program, args, env, cwd, onStart, ...(threw && { threw }) },
    );
    if (end.is === "not started") return reportRefusal(terminal, argv, [notStarted(program, end.reason)]);
    const code = exitCodeOf(end);
    const words = end.is === "killed" ? `was ended by ${end.signal}` : `ended with exit code ${end.code}`;
    if (code === undefined) terminal.note(`${program} ${words}\n`);
    return code ?? 1;
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

type Ended = Exclude<HostedEnd, { is: "not started" }>;

const signalCodes: Partial<Record<NodeJS.Signals, ExitCode>> = { SIGINT: 130, SIGTERM: 143 };

/** Undefined for an end that has no code of ours. */
function exitCodeOf(end: Ended): ExitCode | undefined {
  if (end.is === "killed") return signalCodes[end.signal];
  return Object.hasOwn(exitCodes, end.code) ? (end.code as ExitCode) : undefined;
}
