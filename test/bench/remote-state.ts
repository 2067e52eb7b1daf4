import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startStateServer } from "../support/state-server.ts";
import { objectsPerTestCase, writeProject } from "./bench-project.ts";
import { startService } from "./bench-service.ts";
import { runLoadform } from "./measure.ts";
import type { Row } from "./table.ts";

const testCases = 25;
/** Test cases; scenarios and gateways; configurations. */
const waves = 3;
const latencyMs = 50;

/** What the http store costs an apply: how often it is written, when each write takes 50 ms. */
export async function measureRemoteState(): Promise<readonly Row[]> {
  const service = await startService();
  const server = await startStateServer("plain");
  server.latencyMs = latencyMs;
  const objects = testCases * objectsPerTestCase;
  const folder = writeProject(objects, service.url);
  appendFileSync(join(folder, "loadform.yaml"), `state: { backend: http, address: "${server.address}" }\n`);
  try {
    const { wallMs } = await runLoadform(["apply", folder, "--auto-approve"]);
    const writes = server.log.filter((line) => line.startsWith("POST ")).length;
    const atMost = 2 * waves + Math.floor(wallMs / 5_000);
    return [
      {
        what: `apply of ${objects} creates, state over HTTP at ${latencyMs} ms, wall`,
        value: wallMs / 1000,
        unit: "s",
      },
      { what: "the same, writes of the state", value: writes, unit: "", goal: { atMost } },
    ];
  } finally {
    await server.close();
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}
