import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** How a block of commands went. */
export interface BlockRun {
  readonly output: string;
  /** 0, or the code of the first command that failed. */
  readonly code: number;
  /** The line of that command within the block, from 1. */
  readonly line: number;
  /** Where the shell stands afterwards. */
  readonly cwd: string;
}

const timeoutMs = 120_000;

/** One bash that runs blocks one after another: folder, variables and background jobs stay. `scratch` is for its own files. */
export function openShell(scratch: string, cwd: string, env: Readonly<Record<string, string>>) {
  const stdio = ["pipe", "ignore", "ignore", "pipe"] as const;
  const bash = spawn("bash", ["--noprofile", "--norc"], { cwd, env, stdio: [...stdio], detached: true });
  const answers = bash.stdio[3] as Readable;
  const ended = once(bash, "exit").then(() => "1:0:");
  let count = 0;
  // The first failing command ends its block, as a reader would stop there; outside a block there is no line.
  bash.stdin?.write(
    `trap 'code=$?; [ -z "$failed" ] && failed="$code:\${BASH_SOURCE:+$LINENO}" && return $code 2>/dev/null' ERR\n`,
  );
  return {
    async run(commands: string): Promise<BlockRun> {
      const file = join(scratch, `block-${++count}`);
      writeFileSync(`${file}.sh`, commands);
      bash.stdin?.write(
        `failed=; { . '${file}.sh'; } </dev/null >'${file}.out' 2>&1\necho "\${failed:-0:0}:$PWD" >&3\n`,
      );
      const answer = await Promise.race([
        once(answers, "data").then(([data]) => String(data)),
        ended,
        new Promise<string>((resolve) => setTimeout(resolve, timeoutMs, "124:0:").unref()),
      ]);
      const [code = "", line = "", ...path] = answer.trim().split(":");
      return {
        output: readFileSync(`${file}.out`, "utf8"),
        code: Number(code),
        line: Number(line),
        cwd: path.join(":"),
      };
    },
    /** Ends it with all that it left running. */
    close(): void {
      bash.stdin?.end();
      try {
        if (bash.pid !== undefined) process.kill(-bash.pid, "SIGKILL");
      } catch {
        // It is gone already.
      }
    },
  };
}
