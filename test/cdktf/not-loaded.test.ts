import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProcess } from "../support/run-cli.ts";
import { repository } from "../support/source-files.ts";

/** Names what a process has loaded of either library when it ends. */
const listLoaded = `process.on("exit", () => {
  const loaded = Object.keys(require.cache).filter((path) => /node_modules.cdkt[fn].|gen.cdkt[fn]./.test(path));
  if (loaded.length > 0) process.stderr.write("LOADED " + loaded[0] + "\\n");
});
`;

const folder = mkdtempSync(join(tmpdir(), "loaded-"));
const hook = join(folder, "hook.cjs");
const env = { NODE_OPTIONS: `--require=${hook}` };

beforeAll(() => writeFileSync(hook, listLoaded));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("neither cdktf nor cdktn is loaded", () => {
  test.each([[["--help"]], [["validate", "examples/webshop"]], [["plan", "examples/typescript"]]])(
    "by %j",
    async (args) => {
      const { code, stderr } = await runProcess(args, { cwd: repository, env });
      expect(code).toBe(0);
      expect(stderr).not.toContain("LOADED");
    },
  );

  test("and a process that does load one is found out", async () => {
    const load = ["-e", 'import("loadform/cdktn")'];
    const { stderr } = await promisify(execFile)(process.execPath, load, {
      cwd: repository,
      env: { ...process.env, ...env },
    });
    expect(stderr).toContain("LOADED");
  });
});
