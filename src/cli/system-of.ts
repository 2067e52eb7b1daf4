import type { CallWatch } from "../client/index.ts";
import { redactSecrets } from "../project/known-secrets.ts";
import { type LockTalk, processSystem, type System } from "../project/system.ts";
import { cleanLine } from "../report/terminal-text.ts";
import type { CommandInput } from "./command.ts";
import { roomFor } from "./prepare-engine.ts";
import type { Terminal } from "./terminal.ts";
import { clearLine, type LiveLine, startLiveLine } from "./views/live-line.ts";

/** Digest of the bundle's sources, put in by the build; absent where the sources run by themselves. */
declare const buildDigest: string | undefined;

/** This very build on this version of Node, as caches know it. */
export function programName(): Pick<System, "program"> {
  return typeof buildDigest === "string" ? { program: `${buildDigest} ${process.version}` } : {};
}

/** The system of a command; its log shows no key. */
export function systemOf(input: CommandInput): System {
  const { version, log, env, cwd, flags, terminal } = input;
  const redact = redactSecrets(env);
  const locks = lockTalk(input);
  return {
    ...processSystem(version(), {
      locks,
      ...(terminal.isLive && { watch: watchAnswers(terminal) }),
      ...(flags.timeout !== undefined && { requestTimeoutMs: flags.timeout * 1000 }),
      ...programName(),
      ...roomFor(input.spec.name),
      ...(log && { log: (line) => log(redact(line)) }),
    }),
    env,
    cwd,
  };
}

/** Prints the lock holder while its lock is waited for: on a live line, or once for each holder where there is none. */
function lockTalk({ terminal, interrupt }: Pick<CommandInput, "terminal" | "interrupt">): LockTalk {
  let line: LiveLine | undefined;
  let printed = "";
  const notice = (text: string) => terminal.note(`${terminal.isLive ? clearLine : ""}${cleanLine(text)}\n`);
  const end = () => {
    terminal.overlay.text = undefined;
    line?.stop();
    line = undefined;
  };
  return {
    signal: interrupt.signal,
    hold: interrupt.beforeExit,
    notice,
    waiting(wait) {
      if (wait === undefined) return end();
      const { heldBy, wayOut, since, timeoutMs } = wait;
      const most = `${timeoutMs / 1000} s`;
      const way = `If you are sure that the command no longer runs: ${wayOut}`;
      if (printed !== heldBy) notice(`Waiting up to ${most} for the lock, ${heldBy}. ${way}`);
      printed = heldBy;
      terminal.overlay.text = () => `waiting for the lock … ${((Date.now() - since) / 1000).toFixed(1)} s of ${most}`;
      line ??= startLiveLine(terminal, () => undefined);
    },
  };
}

/** Time without an answer after which a person wants to know the reason. */
const patienceMs = 2_000;

/** Shows on a live line what the command waits for while the service does not answer, and which try it is. */
export function watchAnswers(terminal: Terminal): CallWatch {
  const underWay = new Map<object, { readonly attempt: number; readonly tries: number }>();
  let line: LiveLine | undefined;
  let lastAnswer = Date.now();
  terminal.overlay.unanswered = () => {
    const waited = Date.now() - lastAnswer;
    const furthest = [...underWay.values()].reduce((a, b) => (b.attempt > a.attempt ? b : a), { attempt: 0, tries: 0 });
    if (furthest.attempt === 0 || waited < patienceMs) return undefined;
    return `waiting for the service (try ${furthest.attempt} of ${furthest.tries}) … ${(waited / 1000).toFixed(1)} s`;
  };
  return {
    trying(call, attempt, tries) {
      if (underWay.size === 0) lastAnswer = Date.now();
      underWay.set(call, { attempt, tries });
      line ??= startLiveLine(terminal, () => undefined);
    },
    ended(call) {
      underWay.delete(call);
      lastAnswer = Date.now();
      if (underWay.size > 0) return;
      line?.stop();
      line = undefined;
    },
  };
}
