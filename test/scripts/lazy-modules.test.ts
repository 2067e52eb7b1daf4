import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createService } from "../../src/service/index.ts";
import { freshFolder, runProcess } from "../support/run-cli.ts";
import { namedProject, projectFolder } from "../support/small-project.ts";

/** Prints the modules of Node that a process has loaded. */
const recorder = 'process.on("exit", () => console.error(`LOADED ${process.moduleLoadList.join()}`));';

test("a plan that is remembered loads no module of Node that it does not use", async () => {
  const service = createService({ clock: { mode: "real" } });
  onTestFinished(() => service.close());
  const cwd = projectFolder(namedProject("shop", (await service.listen()).url));
  const recording = join(freshFolder(), "recorder.cjs");
  writeFileSync(recording, recorder);
  const env = { XDG_CACHE_HOME: freshFolder(), LOADFORM_API_KEY: service.apiKey };
  const run = (...args: readonly string[]) =>
    runProcess(args, { cwd, env: { ...env, NODE_OPTIONS: `--require=${recording}` } });
  await run("apply", "--auto-approve");
  const whole = await run("plan");
  const remembered = await run("plan");
  expect([whole.code, remembered.code]).toEqual([0, 0]);
  const lazy = ["assert", "http", "perf_hooks", "zlib"].map((name) => `NativeModule ${name}`);
  const loadedBy = ({ stderr }: typeof whole) => {
    const names = /^LOADED (.*)$/m.exec(stderr)?.[1]?.split(",") ?? [];
    expect(names).toContain("NativeModule net");
    return lazy.filter((name) => names.includes(name));
  };
  expect([loadedBy(whole).includes("NativeModule zlib"), loadedBy(remembered)]).toEqual([true, []]);
});
