import { Agent, get } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { createService as CreateService } from "../../src/service/index.ts";
import { repository } from "../support/source-files.ts";
import { type BenchService, startService } from "./bench-service.ts";
import { quickest } from "./measure.ts";
import { measureCreating, measureDirectGets, measureHour, measureMillion } from "./service-steps.ts";
import type { Row } from "./table.ts";

/** The bundled service: how soon it is there, how much it answers, and how fast it runs load. CPU is told beside wall, for a busy machine. */
export async function measureService(): Promise<readonly Row[]> {
  const { wallMs, cpuMs } = await quickest(7, startOnce);
  return [
    { what: "serve, ready, wall", value: wallMs, unit: "ms", goal: { atMost: 300 } },
    { what: "the same, CPU, with its end", value: cpuMs, unit: "ms" },
    ...(await measureCreating()),
    ...(await measureTree()),
    ...(await measureGets(cpuMs)),
    ...(await measureMillion()),
    ...(await measureHour()),
  ];
}

async function startOnce() {
  const before = performance.now();
  const service = await startService();
  const wallMs = performance.now() - before;
  const { cpuMs } = await service.stop();
  return { wallMs, cpuMs, stdout: "" };
}

async function measureTree(): Promise<readonly Row[]> {
  const built = pathToFileURL(join(repository, "dist", "service.js")).href;
  const { createService } = (await import(built)) as { createService: typeof CreateService };
  const service = createService();
  await fill(service);
  const request = () => service.fetch("/test-cases?down=true", { headers: { "X-Api-Key": service.apiKey } });
  const tree = await quickest(7, async () => {
    const [before, cpu] = [performance.now(), process.cpuUsage()];
    await (await request()).text();
    const { user, system } = process.cpuUsage(cpu);
    return { wallMs: performance.now() - before, cpuMs: (user + system) / 1000, stdout: "" };
  });
  await service.close();
  return [
    { what: "tree of 10,000, in process, wall", value: tree.wallMs, unit: "ms", goal: { atMost: 150 } },
    { what: "the same, CPU", value: tree.cpuMs, unit: "ms" },
  ];
}

/** 1,000 test cases of 3 scenarios, 1 gateway and 5 configurations. */
async function fill(service: ReturnType<typeof CreateService>): Promise<void> {
  const headers = { "X-Api-Key": service.apiKey, "Content-Type": "application/json" };
  const post = async (path: string, body: unknown) => {
    const answer = await service.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    const made = (await answer.json()) as { id: number };
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(made)}`);
    return made.id;
  };
  for (let index = 0; index < 1000; index++) {
    const below = `/test-cases/${await post("/test-cases", { name: `Case ${index}`, org: 1 })}`;
    const scripts = [];
    for (const name of ["a", "b", "c"]) scripts.push(await post(`${below}/scripts`, { name, main: "// nothing yet" }));
    await post(`${below}/gateways`, { name: "Shop", url: "https://shop.example.com" });
    for (let each = 0; each < 5; each++) await post(`${below}/confs`, configuration(each, scripts[each % 3]));
  }
}

function configuration(index: number, scriptId: number | undefined) {
  const providers = [{ providerId: 0, numRegions: 1, params: { regions: "cloud-us-east-1" } }];
  return { name: `Load ${index}`, scriptId, providers, concurrentClients: 10, durationSecs: 60 };
}

const seconds = 3;

/** GETs of one object per second of the service's one process, over 16 connections; what its start costs is left out of its CPU. */
async function measureGets(startCpuMs: number): Promise<readonly Row[]> {
  const service = await startService();
  const { id } = (await service.call("POST", "/test-cases", { name: "One", org: 1 })) as { id: number };
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const until = performance.now() + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: 16 }, async () => {
      let count = 0;
      for (; performance.now() < until; count++) await getOnce(service, `/test-cases/${id}`, agent);
      return count;
    }),
  );
  agent.destroy();
  const { cpuMs } = await service.stop();
  const all = counts.reduce((sum, count) => sum + count, 0);
  const perCpu = (all / Math.max(1, cpuMs - startCpuMs)) * 1000;
  return [
    { what: "GETs over HTTP, wall", value: all / seconds, unit: "per s", goal: { atLeast: 5000 } },
    { what: "the same, per second of the service's CPU", value: perCpu, unit: "per s" },
    ...(await measureDirectGets()),
  ];
}

function getOnce({ url }: BenchService, path: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url + path, { agent, headers: { "X-Api-Key": "local" } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`));
      answer.resume().once("end", resolve);
    });
    request.once("error", reject);
  });
}
