import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { seed } from "../support/deep.ts";

const testCase = (more: { readonly name?: string; readonly edit?: number; readonly without?: string } = {}) => {
  const { name, edit = 1, without = "" } = more;
  const scenarios = {
    a: { script: `a(${edit})` },
    b: { script: `b(${edit})`, dataStores: { "d.csv": { contents: `x\n${edit}\n` } } },
  };
  return {
    ...(name === undefined ? {} : { name }),
    scenarios: Object.fromEntries(Object.entries(scenarios).filter(([key]) => key !== without)),
    gateways: { g: { url: `https://g${edit}.test` } },
    configurations: {
      c: {
        scenario: "a",
        concurrentClients: edit,
        durationSecs: 1,
        providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
        schedules: { s: { scheduleType: "Recurring", recurringInterval: "Day", hour: edit } },
      },
    },
  };
};

/** A project before and after an edit with every kind of change, with how many objects each declares; t4 is t3 under another key. */
export const versions = [
  { testCases: { t0: testCase(), t1: testCase(), t2: testCase(), t3: testCase() }, objects: 28 },
  {
    testCases: {
      t0: testCase({ edit: 2 }),
      t1: testCase({ name: "t1 renamed" }),
      t2: testCase({ without: "b" }),
      t4: testCase(),
    },
    objects: 26,
  },
] as const;

/** The text of one of the versions; without a url the service is the one of $LOADFORM_URL, without a state it is kept beside. */
export function textOf(
  { testCases }: (typeof versions)[number],
  { url, state }: { readonly url?: string; readonly state?: unknown } = {},
): string {
  const service = url === undefined ? {} : { service: { url } };
  return JSON.stringify({ project: "crash", ...service, ...(state === undefined ? {} : { state }), testCases });
}

let drawn = seed;

/** A whole number from 0 up to but without `limit`, the same ones for the same LOADFORM_SEED. */
export function random(limit: number): number {
  drawn = (drawn * 48_271) % 2_147_483_647;
  return drawn % limit;
}

/** Signals a process some ms after it has told of so many objects, or after its start when none is asked for. */
export async function signalAfter(
  child: ChildProcess & { readonly stderr: Readable },
  at: { readonly objects: number; readonly ms: number; readonly signal: NodeJS.Signals; readonly times?: number },
): Promise<{ readonly code: number | null; readonly isHit: boolean; readonly tookMs: number }> {
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  let told = 0;
  const reached = new Promise<void>((resolve) => {
    if (at.objects === 0) resolve();
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (/^(created|updated|deleted|replaced) /.test(line) && ++told >= at.objects) resolve();
    });
  });
  await Promise.race([reached, closed]);
  await pause(at.ms);
  const isHit = child.exitCode === null;
  const signalledAt = Date.now();
  for (let time = 0; time < (at.times ?? 1); time++) {
    child.kill(at.signal);
    await pause(time + 1 < (at.times ?? 1) ? 50 : 0);
  }
  const [own, signal] = await closed;
  // A process that ends by a signal before it listens to it ends for a shell as one that does.
  const code = own ?? (signal === null ? null : 128 + constants.signals[signal]);
  return { code, isHit, tookMs: Date.now() - signalledAt };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
