// Loaded into a measured process: at its end it tells CPU time and greatest memory on descriptor 3.
process.once("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require("node:fs").writeSync(
    3,
    JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, rssMb: maxRSS / 1024 }),
  );
});
