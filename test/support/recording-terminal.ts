import { EventEmitter } from "node:events";
import type { CommandInput } from "../../src/cli/command.ts";
import type { FlagValues } from "../../src/cli/flag-table.ts";
import { listenForInterrupts } from "../../src/cli/interrupt.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import { plainPalette } from "../../src/report/terminal-text.ts";

/** A terminal that keeps what is written to it. */
export interface RecordingTerminal extends Terminal {
  readonly stdout: () => string;
  readonly stderr: () => string;
}

/** A terminal of a pipe, or of a person when `isLive`. */
export function recordingTerminal(parts: Partial<Terminal> = {}): RecordingTerminal {
  const written = { out: "", err: "" };
  return {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    note: (text) => {
      written.err += text;
    },
    outPalette: plainPalette,
    errPalette: plainPalette,
    canAsk: false,
    isLive: false,
    overlay: { text: undefined },
    width: 100,
    ask: async () => undefined,
    readInput: async () => "",
    flush: async () => undefined,
    lost: () => undefined,
    stdout: () => written.out,
    stderr: () => written.err,
    ...parts,
  };
}

/** What a view needs of a command's input. */
export function viewInput(terminal: Terminal, flags: FlagValues = {}): CommandInput {
  return {
    spec: { name: "apply", summary: "", flags: [], examples: [] },
    args: [],
    flags,
    argv: ["apply"],
    terminal,
    interrupt: listenForInterrupts(new EventEmitter() as unknown as NodeJS.Process),
    env: { LOADFORM_API_KEY: "the-secret-key" },
    cwd: "/",
    version: () => "0.0.0",
    home: new URL("file:///"),
  };
}
