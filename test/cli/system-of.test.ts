import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchAnswers } from "../../src/cli/system-of.ts";
import { startLiveLine } from "../../src/cli/views/live-line.ts";
import { recordingTerminal } from "../support/recording-terminal.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("says after two seconds without an answer what is waited for and which try it is, above any other progress", () => {
  const terminal = recordingTerminal({ isLive: true });
  const progress = startLiveLine(terminal, () => "reading");
  const watch = watchAnswers(terminal);
  const call = {};
  watch.trying(call, 1, 5);
  vi.advanceTimersByTime(1_900);
  expect(terminal.stderr()).not.toContain("waiting");
  vi.advanceTimersByTime(300);
  expect(terminal.stderr()).toContain("waiting for the service (try 1 of 5) … 2.");
  watch.trying(call, 2, 5);
  vi.advanceTimersByTime(100);
  expect(terminal.stderr()).toContain("waiting for the service (try 2 of 5)");
  const before = terminal.stderr().length;
  watch.ended(call);
  vi.advanceTimersByTime(5_000);
  expect(terminal.stderr().slice(before)).not.toContain("waiting");
  progress.stop();
});

it("is silent while other calls are answered", () => {
  const terminal = recordingTerminal({ isLive: true });
  const watch = watchAnswers(terminal);
  watch.trying({}, 1, 5);
  for (let call = 0; call < 5; call++) {
    const other = {};
    watch.trying(other, 1, 5);
    vi.advanceTimersByTime(1_500);
    watch.ended(other);
  }
  expect(terminal.stderr()).not.toContain("waiting");
});

it("leaves nothing on the line when the answer comes", () => {
  const terminal = recordingTerminal({ isLive: true });
  const watch = watchAnswers(terminal);
  const call = {};
  watch.trying(call, 1, 5);
  vi.advanceTimersByTime(3_000);
  watch.ended(call);
  expect(terminal.stderr().endsWith("\u001b[2K")).toBe(true);
});
