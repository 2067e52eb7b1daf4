import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listenForInterrupts } from "../../src/cli/interrupt.ts";

function fakeProcess() {
  const exits: number[] = [];
  const killed: string[] = [];
  const signals = new EventEmitter();
  const host = {
    on: (name: string, listener: () => void) => signals.on(name, listener),
    exit: (code: number) => void exits.push(code),
    pid: 7,
    removeAllListeners: (name: string) => signals.removeAllListeners(name),
    kill: (pid: number, name: string) => void killed.push(`${pid} ${name} ${signals.listenerCount(name)}`),
  };
  return { exits, killed, send: (name: string) => signals.emit(name), interrupt: listenForInterrupts(host as never) };
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

  it("ends the process only after what is to be done before, but at once the second time", async () => {
    const { exits, send, interrupt } = fakeProcess();
    let finish = (): void => undefined;
    interrupt.beforeExit(() => new Promise((resolve) => (finish = resolve)));
    interrupt.beforeExit(async () => void exits.push(-1))();
    send("SIGINT");
    await vi.advanceTimersByTimeAsync(100);
    expect(exits).toEqual([]);
    finish();
    await vi.advanceTimersByTimeAsync(0);
    expect(exits).toEqual([130]);
    send("SIGTERM");
    expect(exits).toEqual([130, 143]);
    expect(interrupt.orCode(1)).toBe(130);
  });

  it("has its last words said when it ends the process, of a command that has taken over when its time is over", () => {
    const said = [false, true].map((isTakenOver) => {
      const { exits, send, interrupt } = fakeProcess();
      interrupt.lastWords((isCutOff) => exits.push(isCutOff ? -1 : 0));
      if (isTakenOver) interrupt.takeOver();
      send("SIGINT");
      vi.advanceTimersByTime(10_000);
      return exits.slice(0, 2);
    });
    expect(said).toEqual([
      [0, 130],
      [-1, 130],
    ]);
  });

  it("ends a command that has taken over without a word the second time", () => {
    const { exits, send, interrupt } = fakeProcess();
    interrupt.lastWords(() => exits.push(0));
    interrupt.takeOver();
    for (const name of ["SIGINT", "SIGINT"]) send(name);
    expect(exits).toEqual([130]);
  });

  it("names what is left when it ends the process, but not what was done before the exit", async () => {
    const { exits, send, interrupt } = fakeProcess();
    const said: string[] = [];
    interrupt.lastWords((_isCutOff, left) => said.push(left.join()));
    interrupt.beforeExit(
      async () => undefined,
      () => "released",
    );
    interrupt.beforeExit(
      () => Promise.reject(new Error("no answer")),
      () => "locked",
    );
    send("SIGINT");
    await vi.advanceTimersByTimeAsync(0);
    expect([exits, said]).toEqual([[130], ["locked"]]);
    interrupt.takeOver();
    send("SIGINT");
    expect([exits, said]).toEqual([
      [130, 130],
      ["locked", "locked"],
    ]);
  });

  it("does not change the code of a command that has taken over", () => {
    const { send, interrupt } = fakeProcess();
    interrupt.takeOver();
    expect(interrupt.orCode(6)).toBe(6);
    send("SIGINT");
    expect(interrupt.orCode(6)).toBe(6);
  });

  it("is only passed on once a command has handed signals over", () => {
    const { exits, send, interrupt } = fakeProcess();
    const passed: string[] = [];
    interrupt.handOver((name) => passed.push(name));
    for (const name of ["SIGINT", "SIGINT", "SIGTERM"]) send(name);
    vi.advanceTimersByTime(60_000);
    expect([exits, passed]).toEqual([[], ["SIGINT", "SIGINT", "SIGTERM"]]);
    expect(interrupt.signal.aborted).toBe(false);
    expect(interrupt.orCode(2)).toBe(2);
  });

  it("asks a command that has taken over to end, and waits for it less than 7 s", () => {
    const { exits, send, interrupt } = fakeProcess();
    interrupt.takeOver();
    send("SIGINT");
    expect([exits, interrupt.signal.aborted, interrupt.code()]).toEqual([[], true, 130]);
    vi.advanceTimersByTime(4_999);
    expect(interrupt.givenUp.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect([exits, interrupt.givenUp.aborted]).toEqual([[], true]);
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

  it("ends by its signal, which waits for no thread, where a command asks for it or allows it", () => {
    const first = fakeProcess();
    first.interrupt.takeOver();
    first.send("SIGINT");
    first.interrupt.endByForce();
    const second = fakeProcess();
    second.interrupt.takeOver();
    second.interrupt.allowForce();
    second.send("SIGINT");
    expect(second.killed).toEqual([]);
    second.send("SIGTERM");
    expect([first.killed, second.killed]).toEqual([["7 SIGINT 0"], ["7 SIGTERM 0"]]);
    expect([first.exits, second.exits]).toEqual([[], []]);
  });

  it("is nothing until it comes", () => {
    const { interrupt } = fakeProcess();
    expect([interrupt.signal.aborted, interrupt.code()]).toEqual([false, undefined]);
  });
});
