/** The code behind commands on runs, loaded when one runs. */
export const runLoaders = {
  run: async () => (await import("../commands/run.ts")).run,
  report: async () => (await import("../commands/report.ts")).report,
};
