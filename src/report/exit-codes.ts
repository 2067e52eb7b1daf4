/** Exit codes of every command, with what they mean. */
export const exitCodes = {
  0: "Done, or nothing to change.",
  1: "An error: bad input, usage, network, or a refusal of the service. The diagnostics say which; `loadform explain` takes their codes too.",
  2: "Changes or drift are present. Only `drift` and `plan --detailed-exitcode` answer so; everything else about the run is well.",
  3: "Blocked by a guard: something protected, a data-bearing delete, too many changes at once, or the wrong target or environment. Nothing was written. The diagnostics name each guard and what lifts it.",
  4: "The state is locked by another command. Nothing was written. The message says who holds the lock and since when. `--lock-timeout SECS` waits for it; `loadform state unlock` breaks it when its holder is gone for good.",
  5: "The saved plan is stale, or the plan is not the one with the reviewed digest: something that it touches has changed since. Nothing was written. Plan again, and read the new plan before you apply it.",
  6: "Applied in part: some objects failed or were not attempted, the rest is done and stored. The diagnostics say what stood in the way. Run apply again: it goes on with what is left.",
  7: "A run missed its KPIs. Reserved for `loadform run`, which comes with a later version.",
  130: "Interrupted by SIGINT. What was in flight is saved; run the command again to go on.",
  143: "Stopped by SIGTERM. What was in flight is saved; run the command again to go on.",
} as const satisfies Readonly<Record<number, string>>;

/** An exit code of the contract. */
export type ExitCode = keyof typeof exitCodes;
