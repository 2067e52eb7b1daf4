// Run by the bench in a bare node of its own: createService() and a run of load, each step's wall and CPU time as JSON.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const built = pathToFileURL(join(import.meta.dirname, "../../dist/service.js")).href;
const { createService } = await import(built);
const steps = { create: createSteps, million: millionSteps, hour: hourSteps, gets: getSteps };

const measured = await steps[process.argv[2]]();
process.stdout.write(JSON.stringify(measured));

/** Wall and CPU milliseconds of work. */
async function timeOf(work) {
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - before, cpuMs: (user + system) / 1000 };
}

async function createSteps() {
  const all = [];
  for (let index = 0; index < 21; index++) {
    let service;
    const time = await timeOf(() => {
      service = createService();
    });
    all.push(time);
    await service.close();
  }
  const [first, ...later] = all;
  return { first, repeated: later.sort((left, right) => left.wallMs - right.wallMs)[10] };
}

/** GETs of one object in process, with the text of each answer. */
async function getSteps() {
  const service = createService();
  const call = callerOf(service);
  await call("POST", "/test-cases", { name: "One", org: 1 });
  const count = 10_000;
  const gets = async () => {
    for (let index = 0; index < count; index++) await call("GET", "/test-cases/1");
  };
  await gets();
  return { count, gets: await timeOf(gets) };
}

/** A thousand users of one region, each a thousand iterations. */
async function millionSteps() {
  const configuration = { concurrentClients: 1000, iterations: 1000, rampupSecs: 0, iterationSleepSecs: 1 };
  const { service, call } = await serviceWithRun({ regions: 1, configuration });
  const million = await timeOf(() => service.advance(2 * 60 * 60 * 1000));
  const summary = await call("GET", "/executions/1/summary");
  return { million, iterations: summary.iterationsExecuted };
}

/** A thousand users in each of ten regions for an hour, with half a minute between iterations. */
async function hourSteps() {
  const configuration = { concurrentClients: 1000, durationSecs: 3600, rampupSecs: 0, iterationSleepSecs: 30 };
  const { service, call } = await serviceWithRun({ regions: 10, configuration });
  const hour = await timeOf(() => service.advance(3700 * 1000));
  const pages = {
    summary: "summary",
    metric: "metric?name=firstReceivedMs",
    intervals: "intervals",
    page: "suite-results?limit=1000&offset=50000",
    csv: "suite-results.csv?limit=1000&offset=50000",
    raw: "results.csv",
  };
  const read = {};
  for (const [name, page] of Object.entries(pages))
    read[name] = await timeOf(() => call("GET", `/executions/1/${page}`));
  // What was simulated is forgotten with a restart: the first to read simulates it again.
  await service.restore(service.snapshot());
  const again = await timeOf(() => call("GET", "/executions/1/intervals"));
  const { iterationsExecuted } = await call("GET", "/executions/1/summary");
  return { hour, read, again, iterations: iterationsExecuted };
}

async function serviceWithRun({ regions, configuration }) {
  const service = createService({ clock: "frozen", seed: 1 });
  const call = callerOf(service);
  await call("POST", "/test-cases", { name: "One", org: 1 });
  const main = 'describe("Shop", () => it("opens", () => http.get("http://shop.test/")))';
  await call("POST", "/test-cases/1/scripts", { name: "Browse", main });
  await call("POST", "/providers", { name: "Own", providerType: "Shared", organizationId: 1, metadata: {} });
  const names = Array.from({ length: regions }, (_, index) => `region-${index}`);
  for (const name of names) await call("POST", "/orgs/1/regions", { name, providerId: 1 });
  const providers = [{ providerId: 1, params: { regions: names.join(",") } }];
  await call("POST", "/test-cases/1/confs", { name: "Load", scriptId: 1, providers, ...configuration });
  await call("POST", "/test-confs/1/executions");
  return { service, call };
}

/** Calls the service's core, and writes the answer as it is sent. */
function callerOf(service) {
  return async (method, path, body) => {
    const answer = await service.handle({ method, path, body, headers: { "x-api-key": service.apiKey } });
    const text = answer.body();
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return answer.json;
  };
}
