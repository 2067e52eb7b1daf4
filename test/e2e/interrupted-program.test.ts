import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder, startCli } from "../support/run-cli.ts";

const waits = 'require("node:fs").writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000);';

/** True of a process that is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ["loadform.config.ts", "SIGINT", 130],
  ["loadform.config.ts", "SIGTERM", 143],
] as const)("a program of %s ends with the command that %s ends, and is not blamed", async (entry, signal, code) => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, entry), `${waits} await new Promise(() => {});`);
  const child = await startCli(["plan", "."], { cwd });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await expect.poll(() => existsSync(join(cwd, "pid")) && readFileSync(join(cwd, "pid"), "utf8")).toMatch(/^\d+$/);
  const program = Number(readFileSync(join(cwd, "pid"), "utf8"));
  child.kill(signal);
  expect((await once(child, "close"))[0]).toBe(code);
  expect(said).not.toContain("LF1006");
  await expect.poll(() => isAlive(program)).toBe(false);
});
