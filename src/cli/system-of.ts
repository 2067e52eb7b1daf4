import type { LockTalk, LockWaiting, System } from "../project/system.ts";
import { processSystem } from "../project/system.ts";
import { cleanLine } from "../report/terminal-text.ts";
import type { CommandInput } from "./command.ts";
import type { LiveLine } from "./views/live-line.ts";
import { clearLine, startLiveLine } from "./views/live-line.ts";
import { redactSecrets } from "./views/redact-output.ts";
import { watchAnswers } from "./views/unanswered.ts";

/** Digest of what the bundle was built from, put in by the build; absent where the sources run by themselves. */
declare const buildDigest: string | undefined;

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
      ...(typeof buildDigest === "string" && { program: `${buildDigest} ${process.version}` }),
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
      if (printed !== wait.heldBy) notice(noticeOf(wait));
      printed = wait.heldBy;
      terminal.overlay.text = () => progressOf(wait);
      line ??= startLiveLine(terminal, () => undefined);
    },
  };
}

function noticeOf({ heldBy, wayOut, timeoutMs }: LockWaiting): string {
  return `Waiting up to ${timeoutMs / 1000} s for the lock, ${heldBy}. If you are sure that the command no longer runs: ${wayOut}`;
}

function progressOf({ since, timeoutMs }: LockWaiting): string {
  return `waiting for the lock … ${((Date.now() - since) / 1000).toFixed(1)} s of ${timeoutMs / 1000} s`;
}
