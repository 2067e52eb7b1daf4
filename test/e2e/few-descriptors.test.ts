import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { timesOf } from "../support/deep.ts";
import { mergeTest } from "../support/merge-test.ts";
import { freshFolder } from "../support/run-cli.ts";

/** Runs the command line with so many file descriptors. */
async function runWith(descriptors: number, cwd: string) {
  const words = `ulimit -n ${descriptors}; exec "$0" "$1" validate`;
  return spawnSync("sh", ["-c", words, process.execPath, await builtCli()], { cwd, encoding: "utf8" });
}

function largeProject(files: number): string {
  const cwd = freshFolder();
  mkdirSync(join(cwd, "load"));
  writeFileSync(join(cwd, "loadform.yaml"), 'project: p\nservice: { url: "memory:" }\ninclude: [load/*.yaml]\n');
  for (let index = 0; index < files; index++) {
    const part = `testCases: { t${index}: { scenarios: { s: { script: "\${file:${index}.js}" } } } }\n`;
    writeFileSync(join(cwd, "load", `${index}.yaml`), part);
    writeFileSync(join(cwd, "load", `${index}.js`), `run(${index})`);
  }
  return cwd;
}

describe("few file descriptors", () => {
  test("are enough for a project of many files", async () => {
    // More than there are descriptors, also in `npm test`.
    const files = timesOf({ few: 400 });
    const cwd = largeProject(files);
    for (const descriptors of [48, 64].slice(0, timesOf({ few: 2 }))) {
      const { status, stdout, stderr } = await runWith(descriptors, cwd);
      expect([status, stdout, stderr]).toEqual([0, `p: ${2 * files} objects, no problems.\n`, ""]);
    }
  });

  mergeTest("that are not even enough for our own files end in a message, without a stack", async () => {
    const cwd = largeProject(1);
    let descriptors = 26;
    let ended = await runWith(descriptors, cwd);
    while (ended.status === 0) ended = await runWith(--descriptors, cwd);
    const { status, stdout, stderr } = ended;
    expect([status, stdout, stderr]).toEqual([
      1,
      "",
      expect.stringMatching(/^error LF1002: .*\n {2}The system .*EMFILE.*\n$/),
    ]);
  });
});
