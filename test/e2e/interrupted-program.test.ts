import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder, startCli } from "../support/run-cli.ts";

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends a command whose program is being loaded, and the program is not blamed", async (signal, code) => {
  const cwd = freshFolder();
  const text =
    'require("node:fs").writeFileSync("begun", ""); setInterval(() => {}, 1000); await new Promise(() => {});';
  writeFileSync(join(cwd, "loadform.config.ts"), text);
  const child = await startCli(["plan", "."], { cwd });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await expect.poll(() => existsSync(join(cwd, "begun"))).toBe(true);
  child.kill(signal);
  expect((await once(child, "close"))[0]).toBe(code);
  expect(said).not.toContain("LF1006");
});
