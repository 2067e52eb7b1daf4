import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, servedProject, startService } from "../support/served-project.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service?.stop("SIGKILL");
});

test("a create is noted with the timeout that it is sent under, where that is long", async () => {
  let journal = "";
  let noted = "";
  const proxy = await startCuttingProxy(service.ready.url, {
    async arrived(line) {
      if (line === "POST /test-cases") noted = readFileSync(journal, "utf8");
      return true;
    },
  });
  const text = 'project: p\nservice: { url: "http://elsewhere.test" }\ntestCases: { t: {} }\n';
  const at = servedProject(service, text, { LOADFORM_URL: proxy.url });
  journal = join(at.cwd, ".loadform/state.json.journal");
  expect((await at.run("apply", ".", "--auto-approve", "--timeout", "100")).code).toBe(0);
  expect(noted).toContain('"timeoutMs":100000');
  await proxy.close();
});
