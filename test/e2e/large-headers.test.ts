import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sampleOf } from "../support/deep.ts";
import { runProcess } from "../support/run-cli.ts";

const login = { user: { id: 1, name: "Ann", email: "ann@example.com" }, orgs: [{ data: { id: 1, name: "Shop" } }] };
const server = createServer((_, response) => {
  response.setHeader("Content-Type", "application/json");
  response.setHeader("X-Large", "x".repeat(30_000));
  response.end(JSON.stringify(login));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => server.close());

const limits = [
  ["are refused by default, as Node does", {}, 1],
  ["are read as far as Node's --max-http-header-size allows", { NODE_OPTIONS: "--max-http-header-size=65536" }, 0],
] as const;

it.each(sampleOf(limits, 1))("headers of 30 kB %s", async (_, more, code) => {
  const { port } = server.address() as AddressInfo;
  const env = { LOADFORM_URL: `http://127.0.0.1:${port}`, LOADFORM_API_KEY: "key", ...more };
  const done = await runProcess(["whoami", "--timeout", "2"], { env });
  expect([done.code === 0 ? 0 : 1, done.stdout.includes("Shop")]).toEqual([code, code === 0]);
});
