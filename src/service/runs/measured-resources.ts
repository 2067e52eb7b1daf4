import type { MeasuredRequest } from "./measured-data.ts";
import type { ModelRequest } from "./run-plan.ts";

/** DECISION (API 2, GET /executions/:id/resources: how many a run that is really made has): 500 kinds of answers; those of further ones are counted under "other". */
const most = 500;

/** What a run met: each resource by how it answered, in the order in which they were met. */
export class MeasuredResources {
  #requests: readonly ModelRequest[];
  readonly #indexes = new Map<string, number>();

  constructor(known: readonly ModelRequest[]) {
    this.#requests = known;
    for (const [index, each] of known.entries()) this.#indexes.set(keyOf(each), index);
  }

  get requests(): readonly ModelRequest[] {
    return this.#requests;
  }

  /** The number of such a request. */
  indexOf(request: MeasuredRequest): number {
    const isFull = this.#requests.length >= most;
    const met = isFull && !this.#indexes.has(keyOf(request)) ? other : request;
    const known = this.#indexes.get(keyOf(met));
    if (known !== undefined) return known;
    this.#requests = [...this.#requests, modelOf(met)];
    this.#indexes.set(keyOf(met), this.#requests.length - 1);
    return this.#requests.length - 1;
  }
}

type Met = Pick<MeasuredRequest, "resource" | "url" | "status" | "contentType">;

const other: Met = { resource: "other", url: "", status: 0, contentType: "" };

function keyOf({ resource, status, contentType }: Omit<Met, "url">): string {
  return JSON.stringify([resource, status, contentType]);
}

function modelOf({ resource, url, status, contentType }: Met): ModelRequest {
  const shares = { pauseMs: 0, dnsShare: 0, openShare: 0, closeShare: 1 };
  const none = { bytesSent: 0, bytesReceived: 0, latencyMs: { p50: 0, p99: 0 }, errorRate: 0, capacity: null };
  return { resource, url: url.split(/[?#]/)[0] ?? "", status, contentType, ...shares, ...none, measured: true };
}
