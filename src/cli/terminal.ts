import picocolors from "picocolors";
import { type Palette, plainPalette } from "../report/terminal-text.ts";

/** Where a command's words go: results to stdout, everything else to stderr. */
export interface Terminal {
  readonly out: (text: string) => void;
  /** Warnings, errors, and what belongs to them. */
  readonly err: (text: string) => void;
  /** Progress and notices on stderr, which --quiet takes away. */
  readonly note: (text: string) => void;
  readonly outPalette: Palette;
  readonly errPalette: Palette;
  readonly canAsk: boolean;
  /** A line on stderr may be overwritten. */
  readonly isLive: boolean;
  /** Replaces the text of the live line while the whole command waits for something. */
  readonly overlay: {
    text: (() => string) | undefined;
    /** Its text while the service does not answer, behind anything else; undefined where it does. */
    unanswered?: () => string | undefined;
  };
  /** Columns of stderr. */
  readonly width: number;
  /** The folder of the checkout, where GitHub Actions reads the log and shows problems at their lines. */
  readonly checkout?: string;
  /** Resolves to undefined when there is no answer: end of input, or interrupted. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string | undefined>;
  readonly readInput: () => Promise<string>;
  /** Resolves when everything written has left the process. */
  readonly flush: () => Promise<void>;
  /** Why results could not be written; undefined when they were, and when their reader went away. */
  readonly lost: () => string | undefined;
}

/** The streams of a process and what its environment says about them. */
export interface TerminalStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The terminal of a process. `NO_COLOR` takes the colours, `CI` the colours, the live line and the questions. */
export function processTerminal({ stdin, stdout, stderr, env }: TerminalStreams): Terminal {
  const isAttended = isUnset(env["CI"]) && env["TERM"] !== "dumb";
  const palette = (stream: NodeJS.WriteStream) =>
    stream.isTTY && isAttended && !env["NO_COLOR"] ? (picocolors.createColors(true) as Palette) : plainPalette;
  const out = writerOf(stdout);
  const err = writerOf(stderr);
  return {
    out: out.write,
    err: err.write,
    note: err.write,
    outPalette: palette(stdout),
    errPalette: palette(stderr),
    canAsk: stdin.isTTY === true && stderr.isTTY === true && isUnset(env["CI"]),
    isLive: stderr.isTTY === true && isAttended,
    overlay: { text: undefined },
    // A terminal of unknown size says 0; one that is resized says its new size.
    get width() {
      return stderr.columns || 100;
    },
    ...(env["GITHUB_ACTIONS"] === "true" && { checkout: env["GITHUB_WORKSPACE"] ?? "" }),
    ask: (question, signal) => ask({ stdin, stderr }, question, signal),
    readInput: async () => (await import("node:stream/consumers")).text(stdin),
    flush: async () => {
      await Promise.all([out.flush(), err.flush()]);
    },
    lost: out.lost,
  };
}

/** A terminal as `--quiet` and `--no-color` make it. */
export function adjustTerminal(
  terminal: Terminal,
  { quiet, color }: { readonly quiet?: boolean; readonly color?: boolean },
): Terminal {
  const silent = { note: () => undefined, isLive: false };
  const plain = { outPalette: plainPalette, errPalette: plainPalette };
  return { ...terminal, ...(quiet && silent), ...(color === false && plain) };
}

/** A variable that is set to nothing counts as not set; so does CI=false. NO_COLOR knows no false (no-color.org). */
function isUnset(value: string | undefined): boolean {
  return value === undefined || value === "" || value === "false";
}

/**
 * Sends to stderr what else in this process prints to stdout, such as a `console.log` in a project's program: stdout is for
 * results, and with `--json` one document. Terminals made before go on as they were.
 */
export function keepForResults({ stdout, stderr }: Pick<TerminalStreams, "stdout" | "stderr">): void {
  stdout.write = stderr.write.bind(stderr);
}

/** A reader that has exited (`| head`) must not end an apply half way: further output is dropped. */
function writerOf(stream: NodeJS.WriteStream) {
  let isOpen = true;
  let lost: string | undefined;
  const write = stream.write.bind(stream);
  stream.on("error", (problem: NodeJS.ErrnoException) => {
    isOpen = false;
    if (problem.code !== "EPIPE") lost ??= problem.message;
  });
  return {
    write: (text: string) => {
      if (isOpen) write(text);
    },
    lost: () => lost,
    flush: () => (isOpen ? new Promise<void>((resolve) => write("", () => resolve())) : Promise.resolve()),
  };
}

async function ask(
  { stdin, stderr }: Pick<TerminalStreams, "stdin" | "stderr">,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: stdin, output: stderr });
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = await Promise.race([lines.question(question, { signal }).catch(() => undefined), ended]);
    // The end of input leaves the cursor behind the question; an interrupt does not.
    if (answer === undefined && !signal.aborted) stderr.write("\n");
    return answer;
  } finally {
    lines.close();
  }
}
