import { defineConfig } from "vitest/config";

// A certificate bundle named here costs every child process about 50 ms of start-up.
delete process.env.NODE_EXTRA_CA_CERTS;

// A developer's own service settings must not reach the tests.
const ours = ["LOADFORM_DEEP", "LOADFORM_RUNS", "LOADFORM_SEED"];
for (const name of Object.keys(process.env))
  if (name.startsWith("LOADFORM_") && !ours.includes(name)) delete process.env[name];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: process.env.LOADFORM_DEEP === "1" || process.env.LOADFORM_RUNS !== undefined ? 6 * 3_600_000 : 30_000,
    hookTimeout: 60_000,
    // A snapshot is on record or the test fails; `vitest run -u` records it.
    update: "none",
    reporters: ["default", "./test/support/count-reporter.ts"],
    coverage: { provider: "v8", include: ["src/**/*.ts"] },
  },
});
