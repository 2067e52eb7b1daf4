import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchRuns } from "../../../src/cli/runs/watch-runs.ts";
import type { RunProgress } from "../../../src/run/follow-run.ts";
import type { RunRequest } from "../../../src/run/run-gate.ts";
import { recordingTerminal } from "../../support/recording-terminal.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const request = { gate: { name: "release", address: "testCase.a/configuration.b" } } as unknown as RunRequest;
const progress = (elapsedSecs: number, expr = "Outcome[success] > 95%"): RunProgress =>
  ({
    ...{ state: { running: true, completed: false, startedAt: "x" }, elapsedSecs, planned: { secs: 70 } },
    kpis: [{ expr, value: 100, unit: "%", ok: true }],
  }) as unknown as RunProgress;
const up = (text: string) => [...text.matchAll(/\[(\d+)A/g)].map(([, rows]) => Number(rows));

test("on a terminal the block is drawn over itself, where something changed", () => {
  const terminal = recordingTerminal({ isLive: true, width: 80 });
  const view = watchRuns(terminal);
  view.progress(request, progress(5));
  vi.advanceTimersByTime(5_000);
  expect(up(terminal.stderr())).toEqual([]);
  view.progress(request, progress(10));
  vi.advanceTimersByTime(1_000);
  view.stop();
  expect(up(terminal.stderr())).toEqual([2, 2]);
});

test("a block that wraps since the terminal became narrower is erased as a whole", () => {
  const size = { width: 80 };
  const terminal = recordingTerminal({ isLive: true });
  Object.defineProperty(terminal, "width", { get: () => size.width });
  const view = watchRuns(terminal);
  view.progress(request, progress(5, "firstReceivedMs[p95] < 300ms and more"));
  vi.advanceTimersByTime(1_000);
  size.width = 30;
  view.progress(request, progress(10, "firstReceivedMs[p95] < 300ms and more"));
  vi.advanceTimersByTime(1_000);
  expect(up(terminal.stderr())).toEqual([3]);
  view.stop();
});

test("elsewhere there is a line every 30 s of the reader's clock", () => {
  let now = 0;
  const terminal = recordingTerminal();
  const view = watchRuns(terminal, () => now);
  for (let second = 0; second <= 65; second += 5) {
    now = second * 1_000;
    view.progress(request, progress(second));
  }
  expect(terminal.stderr().trim().split("\n")).toEqual([
    "release running, 30 s of 70 s; ✓ Outcome[success] > 95%: 100 %",
    "release running, 60 s of 70 s; ✓ Outcome[success] > 95%: 100 %",
  ]);
});
