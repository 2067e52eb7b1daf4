import { createHash } from "node:crypto";
import type { JsonValue } from "../../../src/api/routes.ts";
import { createService, type Service, type ServiceOptions } from "../../../src/service/index.ts";
import { grid, start } from "./rig.ts";

/** What became of a story: the sha256 of everything that it read, by what that was. */
export type Digests = Readonly<Record<string, string>>;

/** The life of one service: objects, a schedule, runs that a script is probed for, all that can be read of them. */
export interface Story {
  readonly service: Service;
  /** Makes the objects, and starts a run that is under way at the end. */
  readonly begin: () => Promise<Digests>;
  /** Lets the run end and the schedule fire, and reads everything. */
  readonly finish: () => Promise<Digests>;
}

const dayMs = 24 * 60 * 60 * 1000;

const script = `
  describe("Shop", () => {
    it("opens", async () => { await http.get("http://shop.test/" + params["Path"]); });
    it("pays", () => { if (Math.random() < 0.5) throw new Error("declined"); });
  });
  results().counter("orders", 2);
  results().timing("think", Math.round(Math.random() * 100));
  log.info("drawn", Math.random(), new Date().toISOString());
  require("fs").writeFileSync(info.outputDir + "/page.txt", "drawn " + Math.random());
`;

/** Stories of other numbers have other settings, clocks, seeds, objects and runs; of one number all are the same. */
export function tellStory(number: number): Story {
  const service = createService(optionsOf(number));
  const call = callerOf(service);
  const json = (method: string, path: string, body?: unknown) => call(method, path, body).then(({ text }) => text);
  return {
    service,
    async begin() {
      await json("POST", "/test-cases", { name: `Checkout ${number}`, org: 1 });
      const paramsConfig = [{ name: "Path", required: false, defaultValue: `page-${number}` }];
      await json("POST", "/test-cases/1/scripts", { name: "Browse", main: script, paramsConfig, tags: ["nightly"] });
      const contents = Buffer.from(`a,b\n${number},2\n`).toString("base64");
      await json("POST", "/scripts/1/data-stores/contents", { name: "rows.csv", contents });
      const validated = await json("POST", "/scripts/1/run");
      await json("POST", "/test-cases/1/confs", configurationOf(number));
      await json("POST", "/test-confs/1/executions");
      await service.advance(35_000);
      const intervals = await json("GET", "/executions/1/intervals");
      await json("POST", "/executions/1/add-users", { concurrentClients: 1 + (number % 3) });
      return digestsOf({ validated, intervals, snapshot: JSON.stringify(service.snapshot()) });
    },
    async finish() {
      await service.advance(16 * 60_000);
      const read: Record<string, string | Uint8Array> = {};
      for (const path of pages) read[path] = (await call("GET", path)).text;
      return digestsOf({ ...read, snapshot: JSON.stringify(service.snapshot()) });
    },
  };
}

/** Every kind of result: figures, lists, downloads, archives, pages. */
const pages = [
  "/test-cases?down=true",
  "/scripts/1/data-stores",
  "/executions/1",
  ...["summary", "intervals", "resources", "logs.txt", "metric?name=orders", "results.csv", "suite-results.csv"].map(
    (page) => `/executions/1/${page}`,
  ),
  ...["suite-summaries?includeErrors=true", "output-files", "output-files.zip", "traces.zip", "results.pdf"].map(
    (page) => `/executions/1/${page}`,
  ),
  "/executions/1/regions/1/results",
  "/test-confs/1/executions",
  "/_loadform/openapi.json",
];

function optionsOf(number: number): ServiceOptions {
  const latencyMs = { p50: 20 + number, p99: 200 + 10 * number };
  return {
    clock: { mode: "frozen", now: Date.parse(start) + number * dayMs },
    seed: `story ${number}`,
    apiKey: `key-${number}`,
    settings: {
      targets: [{ match: "*", latencyMs, errorRate: (number % 5) / 20, capacity: null }],
      nested: number % 2 === 0 ? "full" : "summary",
      ids: number % 3 === 0 ? "reuse" : "fresh",
      allocation: number % 4 === 0 ? { afterMs: 5_000 } : "immediate",
    },
  };
}

function configurationOf(number: number): JsonValue {
  const schedule = { scheduleType: "Recurring", recurringInterval: "Minute", minute: 15 };
  const load = { concurrentClients: 2 + (number % 4), durationSecs: 60, rampupSecs: 10, iterationSleepSecs: 2 };
  return { name: "Load", scriptId: 1, providers: grid, ...load, schedules: [schedule] };
}

function callerOf(service: Service) {
  return async (method: string, path: string, body?: unknown) => {
    const answer = await service.handle({
      method,
      path,
      body: body as JsonValue,
      headers: { "x-api-key": service.apiKey },
    });
    const text = answer.body();
    if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${String(text)}`);
    return { text };
  };
}

function digestsOf(read: Readonly<Record<string, string | Uint8Array>>): Digests {
  const entries = Object.entries(read);
  return Object.fromEntries(entries.map(([name, text]) => [name, createHash("sha256").update(text).digest("hex")]));
}
