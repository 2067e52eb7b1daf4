import { type Target, targetOf } from "../../../settings.ts";
import { randomOf } from "../random.ts";
import { type Destination, urlOf } from "./exchange.ts";

/** A target's answer to one request. */
export interface SimulatedAnswer {
  /** Milliseconds until the connection is open, part of the latency. */
  readonly openMs: number;
  /** Milliseconds from the start until the first byte of the answer. */
  readonly latencyMs: number;
  readonly status: 200 | 500;
}

/** 99th percentile of the normal distribution. */
const z99 = 2.326_347_9;

/**
 * DECISION (API 1, Scenarios: POST /scripts/:id/run): in a simulated run a request takes a log-normal time with the p50 and
 * p99 of its target (50 and 200 ms where none matches), a fifth of it to connect, and answers 200, or 500 in the target's share.
 */
export function drawAnswer(destination: Destination, targets: readonly Target[], seed: string): SimulatedAnswer {
  const { latencyMs: latency, errorRate } = targetOf(`${destination.method} ${urlOf(destination)}`, targets);
  const { p50, p99 } = latency;
  const random = randomOf(seed);
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const spread = p50 > 0 && p99 > p50 ? Math.log(p99 / p50) / z99 : 0;
  const latencyMs = Math.round(p50 * Math.exp(normal * spread));
  const fails = random() < errorRate;
  return { openMs: Math.round(latencyMs / 5), latencyMs, status: fails ? 500 : 200 };
}
