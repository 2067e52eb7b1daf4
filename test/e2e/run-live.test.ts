import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

test("run --live of memory:FILE really makes the load, in real time", async () => {
  let requests = 0;
  const shop = createServer((_, response) => {
    requests++;
    response.end("ok");
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const cwd = mkdtempSync(join(tmpdir(), "loadform-run-live-"));
  const { port } = shop.address() as AddressInfo;
  const script = `const http = require("http"); http.get("http://127.0.0.1:${port}/", (r) => r.resume());`;
  const placed = { concurrentClients: 2, durationSecs: 2, rampupSecs: 0, providers: [{ provider: { id: 0 } }] };
  const project = {
    project: "live",
    service: { url: "memory:.loadform/service.json" },
    testCases: { t: { scenarios: { s: { script } }, configurations: { c: { scenario: "s", ...placed } } } },
    gates: { g: { configuration: "t/c", kpis: ["Outcome[success] > 95%"], endedEarly: "allow" } },
  };
  writeFileSync(join(cwd, "loadform.yaml"), JSON.stringify(project));
  expect((await runCli(["apply", "--auto-approve"], { cwd })).code).toBe(0);
  expect(requests).toBe(0);
  const { code, stdout } = await runCli(["run", "--live", "--json"], { cwd });
  shop.close();
  expect(code, stdout).toBe(0);
  const [run] = (JSON.parse(stdout) as { runs: { simulated: boolean; summary: { requests: number } }[] }).runs;
  expect([run?.simulated, run?.summary.requests]).toEqual([false, requests]);
  expect(requests).toBeGreaterThan(0);
});
