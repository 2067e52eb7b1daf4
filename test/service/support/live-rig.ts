import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect } from "vitest";
import { createService } from "../../../src/service/index.ts";
import { grid, type Rig, rigOf } from "./rig.ts";

/** Asks for real load. */
export const live = { "x-loadform-engine": "live" };
/** What is closed after each test. */
const open: { close: () => unknown }[] = [];

/** Closes it once the test has ended. */
export function closeAfter<T extends { close: () => unknown }>(closed: T): T {
  open.push(closed);
  return closed;
}

/** Closes what the tests of a file opened. */
export function closeAfterEach(): void {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });
}

export interface Target {
  readonly url: string;
  /** Paths in the order of their coming. */
  readonly paths: readonly string[];
}

/** A server on loopback that answers after a while. */
export async function makeTarget(delayMs = 0): Promise<Target> {
  const paths: string[] = [];
  const server: Server = createServer((request, response) => {
    paths.push(request.url ?? "");
    response.statusCode = request.url === "/broken" ? 503 : 200;
    setTimeout(() => response.setHeader("content-type", "text/plain").end("hello"), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  closeAfter({ close });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

interface Shop {
  readonly main: string;
  readonly init?: string;
  readonly teardown?: string;
  readonly conf?: object;
  readonly language?: string;
  readonly paramsConfig?: readonly object[];
}

/** A service that makes real load, with configuration 1 of a scenario. */
export async function makeLiveShop(shop: Shop): Promise<Rig> {
  return await fillLiveShop(await rigOf(createService({ live: true, seed: "live" })), shop);
}

/** The same in a service of one's own. */
export async function fillLiveShop(rig: Rig, { conf, ...scenario }: Shop): Promise<Rig> {
  closeAfter(rig);
  await rig.ok("POST", "/test-cases", { name: "Live", org: 1 });
  await rig.ok("POST", "/test-cases/1/scripts", { name: "Load", ...scenario });
  const body = { name: "Some", scriptId: 1, concurrentClients: 3, iterations: 2, iterationSleepSecs: 1, rampupSecs: 0 };
  await rig.ok("POST", "/test-cases/1/confs", { ...body, providers: grid, ...conf });
  return rig;
}

/** Reads execution 1 until it has completed, or until something else holds. */
export async function until(
  rig: Rig,
  isEnough: (execution: Execution) => boolean = ({ completed }) => completed,
): Promise<Execution> {
  for (;;) {
    const execution = (await rig.ok("GET", "/executions/1")) as Execution;
    if (isEnough(execution)) return execution;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Execution {
  readonly running: boolean;
  readonly completed: boolean;
  readonly success: boolean | null;
  readonly cancelledByUser: boolean;
  readonly concurrentClients: number;
  readonly actualConcurrentClients: number;
  readonly summary: {
    readonly count: number;
    readonly iterationsExecuted: number;
    readonly maxConcurrentClients: number;
  };
}

/** Starts execution 1. */
export async function start(rig: Rig, body?: unknown): Promise<void> {
  expect(await rig.call("POST", "/test-confs/1/executions", body, live)).toMatchObject({ status: 200 });
}

/** The buckets or figures of a metric of execution 1. */
export async function metric(rig: Rig, name: string): Promise<Readonly<Record<string, number>>> {
  const found = await rig.ok("GET", `/executions/1/metric?name=${name}`);
  return found.metricValueMap ?? { value: found.metricValue };
}

/** Messages of the log of execution 1. */
export async function logs(rig: Rig): Promise<readonly string[]> {
  return (await rig.ok("GET", "/executions/1/logs")).map((line: { message: string }) => line.message);
}
