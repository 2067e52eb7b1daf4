// Loaded into a measured process: its clock begins at BENCH_NOW and runs BENCH_SPEED times as fast as the real one, timers included, so
// that an hour is followed in minutes with every poll that it has. At its end it tells its greatest resident memory on descriptor 3.
const speed = Number(process.env.BENCH_SPEED ?? 1);
const begun = Date.now();
const from = Number(process.env.BENCH_NOW ?? begun);
const [realNow, later] = [Date.now, globalThis.setTimeout];
Date.now = () => Math.round(from + (realNow() - begun) * speed);
globalThis.setTimeout = (work, ms, ...more) => later(work, ms / speed, ...more);
process.once("exit", () => {
  const fs = require("node:fs");
  // Of this program alone: what getrusage tells begins with the memory of the process that started it.
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(fs.readFileSync("/proc/self/status", "utf8"));
  fs.writeSync(3, JSON.stringify({ residentMb: Number(kilobytes) / 1024 }));
});
