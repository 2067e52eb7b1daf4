import type { LockTalk, LockWaiting } from "../../project.ts";
import { cleanLine } from "../../report/clean-text.ts";
import type { CommandInput } from "../command.ts";
import type { LiveLine } from "./live-line.ts";
import { clearLine, startLiveLine } from "./live-line.ts";

/** Says who holds a lock while it is waited for: on a live line, or once for each holder where there is none. */
export function lockTalk({ terminal, interrupt }: Pick<CommandInput, "terminal" | "interrupt">): LockTalk {
  let line: LiveLine | undefined;
  let told = "";
  const notice = (text: string) => terminal.err(`${terminal.isLive ? clearLine : ""}${cleanLine(text)}\n`);
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
      if (told !== wait.heldBy) notice(noticeOf(wait));
      told = wait.heldBy;
      terminal.overlay.text = () => progressOf(wait);
      line ??= startLiveLine(terminal, () => undefined);
    },
  };
}

function noticeOf({ heldBy, wayOut, timeoutMs }: LockWaiting): string {
  return `Waiting up to ${timeoutMs / 1000} s for the lock: found ${heldBy}. If that command is surely dead: ${wayOut}`;
}

function progressOf({ since, timeoutMs }: LockWaiting): string {
  return `waiting for the lock … ${((Date.now() - since) / 1000).toFixed(1)} s of ${timeoutMs / 1000} s`;
}
