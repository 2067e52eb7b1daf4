import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listenForInterrupts } from "../../src/cli/interrupt.ts";

function fakeProcess() {
  const exits: number[] = [];
  const signals = new EventEmitter();
  const host = {
    on: (name: string, listener: () => void) => signals.on(name, listener),
    exit: (code: number) => void exits.push(code),
  };
  return { exits, send: (name: string) => signals.emit(name), interrupt: listenForInterrupts(host as never) };
}

describe("an interrupt", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("ends a command that does not care at once", () => {
    const { exits, send } = fakeProcess();
    send("SIGTERM");
    expect(exits).toEqual([143]);
  });

  it("asks a command that has taken over to end, and waits for it less than 7 s", () => {
    const { exits, send, interrupt } = fakeProcess();
    interrupt.takeOver();
    send("SIGINT");
    expect([exits, interrupt.signal.aborted, interrupt.code()]).toEqual([[], true, 130]);
    vi.advanceTimersByTime(5_000);
    expect(exits).toEqual([]);
    vi.advanceTimersByTime(1_999);
    expect(exits).toEqual([130]);
  });

  it("ends the process at once the second time, whichever signal it is", () => {
    const { exits, send, interrupt } = fakeProcess();
    interrupt.takeOver();
    send("SIGINT");
    send("SIGTERM");
    expect(exits).toEqual([143]);
    expect(interrupt.code()).toBe(130);
  });

  it("is nothing until it comes", () => {
    const { interrupt } = fakeProcess();
    expect([interrupt.signal.aborted, interrupt.code()]).toEqual([false, undefined]);
  });
});
