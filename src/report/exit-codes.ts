/** Exit codes of every command, with what they mean (contract, section 4). */
export const exitCodes = {
  0: "Done, or nothing to change.",
  1: "An error: bad input, usage, network, or a refusal of the service. The diagnostics say which.",
  2: "Changes or drift are present. Only `drift` and `plan --detailed-exitcode` answer so; everything else about the run is well.",
  3: "Blocked by a guard: something protected, a data-bearing delete, too many changes at once, or the wrong target or environment. Nothing was written.",
  4: "The state is locked by another command. Nothing was written.",
  5: "The saved plan is stale: something that it touches has changed since. Nothing was written; plan again.",
  6: "Applied in part: some objects failed or were not attempted, the rest is done and stored. Run apply again.",
  7: "A run missed its KPIs.",
  130: "Interrupted by SIGINT. What was in flight is saved; run the command again to go on.",
  143: "Stopped by SIGTERM. What was in flight is saved; run the command again to go on.",
} as const satisfies Readonly<Record<number, string>>;

/** An exit code of the contract. */
export type ExitCode = keyof typeof exitCodes;
