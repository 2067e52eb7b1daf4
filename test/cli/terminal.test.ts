import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { adjustTerminal, processTerminal, type TerminalStreams } from "../../src/cli/terminal.ts";

function streams(env: TerminalStreams["env"], isTTY: boolean) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY, columns: 70 }),
  );
  return { stdin, stdout, stderr, env } as unknown as TerminalStreams & {
    stdin: PassThrough;
    stdout: PassThrough;
    stderr: PassThrough;
  };
}

describe("a terminal", () => {
  const cases: readonly [string, Record<string, string>, boolean, { color: boolean; live: boolean; ask: boolean }][] = [
    ["a person's", {}, true, { color: true, live: true, ask: true }],
    ["a pipe", {}, false, { color: false, live: false, ask: false }],
    ["NO_COLOR", { NO_COLOR: "1" }, true, { color: false, live: true, ask: true }],
    ["NO_COLOR=false", { NO_COLOR: "false" }, true, { color: false, live: true, ask: true }],
    ["an empty NO_COLOR", { NO_COLOR: "" }, true, { color: true, live: true, ask: true }],
    ["CI", { CI: "true" }, true, { color: false, live: false, ask: false }],
    ["CI=false", { CI: "false" }, true, { color: true, live: true, ask: true }],
    ["a dumb one", { TERM: "dumb" }, true, { color: false, live: false, ask: true }],
  ];
  it.each(cases)("of %s has the colours, the live line and the questions that fit", (_title, env, isTTY, expected) => {
    const terminal = processTerminal(streams(env, isTTY));
    const isColored = (text: string) => text !== "x";
    expect({ color: isColored(terminal.outPalette.red("x")), live: terminal.isLive, ask: terminal.canAsk }).toEqual(
      expected,
    );
    expect(isColored(terminal.errPalette.green("x"))).toBe(expected.color);
  });

  it("has no colours with --no-color, and neither progress nor a live line with --quiet", () => {
    const { stderr, ...rest } = streams({}, true);
    const terminal = processTerminal({ ...rest, stderr: stderr as never });
    expect(adjustTerminal(terminal, { color: false }).outPalette.red("x")).toBe("x");
    expect(adjustTerminal(terminal, { color: false }).errPalette.red("x")).toBe("x");
    expect(adjustTerminal(terminal, {}).outPalette.red("x")).not.toBe("x");
    const quiet = adjustTerminal(terminal, { quiet: true });
    quiet.note("progress");
    quiet.err("problem");
    expect([quiet.isLive, String(stderr.read())]).toEqual([false, "problem"]);
  });

  it("drops what a reader that went away would have read", async () => {
    const { stdout, ...rest } = streams({}, false);
    const terminal = processTerminal({ ...rest, stdout: stdout as unknown as NodeJS.WriteStream });
    terminal.out("before");
    stdout.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await new Promise((resolve) => setImmediate(resolve));
    terminal.out("after");
    await terminal.flush();
    expect([stdout.destroyed, terminal.lost()]).toEqual([true, undefined]);
  });

  it("knows what a full disk lost", async () => {
    const { stdout, ...rest } = streams({}, false);
    const terminal = processTerminal({ ...rest, stdout: stdout as unknown as NodeJS.WriteStream });
    stdout.destroy(Object.assign(new Error("no space left"), { code: "ENOSPC" }));
    await new Promise((resolve) => setImmediate(resolve));
    await terminal.flush();
    expect(terminal.lost()).toBe("no space left");
  });

  it("asks on stderr and takes one line for the answer", async () => {
    const { stdin, stderr, ...rest } = streams({}, true);
    const terminal = processTerminal({ ...rest, stdin: stdin as never, stderr: stderr as never });
    const answer = terminal.ask("Sure? ", new AbortController().signal);
    stdin.write("yes\n");
    expect(await answer).toBe("yes");
    expect(String(stderr.read())).toContain("Sure? ");
  });

  it("has no answer at the end of the input, nor when it is interrupted", async () => {
    const ended = streams({}, true);
    const question = processTerminal(ended).ask("Sure? ", new AbortController().signal);
    ended.stdin.end();
    expect(await question).toBeUndefined();
    expect(String(ended.stderr.read())).toMatch(/Sure\? .*\n$/);
    const controller = new AbortController();
    const asked = processTerminal(streams({}, true)).ask("Sure? ", controller.signal);
    controller.abort();
    expect(await asked).toBeUndefined();
  });

  it("reads all of its input", async () => {
    const piped = streams({}, false);
    const text = processTerminal(piped).readInput();
    piped.stdin.write("a");
    piped.stdin.end("ü");
    expect(await text).toBe("aü");
  });
});
