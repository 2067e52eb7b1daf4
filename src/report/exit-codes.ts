/** Exit codes of every command with their meanings. */
export const exitCodes = {
  0: "Done, or nothing to change.",
  1: "An error: bad input, usage, network, or a refusal of the service. The messages say which; `loadform explain CODE` says more about each.",
  2: "There are changes, drift, or differences. Only `drift`, `plan --detailed-exitcode` and `conformance` use this code; nothing went wrong.",
  3: "Blocked by a guard: something protected, a data-bearing delete, too many changes at once, or the wrong target or environment. Nothing was written. The messages name each guard, and how to override it.",
  4: "The state is locked by another command. Nothing was written. The message says who holds the lock and since when. `--lock-timeout SECS` waits for it; `loadform state unlock` breaks the lock if its holder no longer runs.",
  5: "The saved plan is stale, or the plan is not the one with the reviewed digest: something in it has changed since. Nothing was written. Plan again, and read the new plan before you apply it.",
  6: "Applied in part: some objects failed or were not attempted; the rest is done. The messages say why. Run apply again: it does what is left.",
  7: "A run missed its KPIs, was worse than its baseline, measured too little or ended early. Only `run`, and `report` with --gate or --kpi, use this code; the messages say which run, and why.",
  130: "Interrupted by SIGINT. Everything that was done is saved; run the command again to continue.",
  143: "Stopped by SIGTERM. Everything that was done is saved; run the command again to continue.",
} as const satisfies Readonly<Record<number, string>>;

export type ExitCode = keyof typeof exitCodes;
