import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { roomFor } from "../../src/cli/prepare-engine.ts";
import { freshFolder, runProcess } from "../support/run-cli.ts";
import { projectFolder, smallProject } from "../support/small-project.ts";

const projectOf = (length: number) =>
  `${smallProject}${Array.from({ length }, (_, at) => `  case-${at}: { description: "${"x".repeat(2_600)}" }\n`).join("")}`;
const large = projectOf(400);

/** The traces that V8 prints under a flag while projects are validated. */
async function traced(flag: string, project: string, times = 1): Promise<string> {
  const trace = join(freshFolder(), "trace.cjs");
  writeFileSync(
    trace,
    `require("node:v8").setFlagsFromString("--trace-gc"); require("node:v8").setFlagsFromString("${flag}");\n`,
  );
  const folders = Array.from({ length: times }, () => projectFolder(project));
  const { code, stdout } = await runProcess(["validate", ...folders], { env: { NODE_OPTIONS: `--require=${trace}` } });
  expect(code).toBe(0);
  return stdout;
}

/** The reasons for which V8 looked through the whole memory. */
async function lookedThrough(project: string, times = 1): Promise<readonly string[]> {
  const stdout = await traced("--trace-gc", project, times);
  return [...stdout.matchAll(/Mark-Compact.*\) (.*)/g)].map(([, reason]) => reason!);
}

test("a large project gets its memory at once: V8 looks through it when it begins, and not while it is loaded", async () => {
  expect(await lookedThrough(large)).toEqual([expect.stringContaining("testing")]);
  const looked = await lookedThrough(large, 3);
  expect(looked.filter((reason) => reason.includes("testing"))).toHaveLength(1);
  expect(await lookedThrough(smallProject)).not.toContainEqual(expect.stringContaining("testing"));
});

test.each(["run", "watch", "serve", "lsp", "terraform"])(
  "%s lives longer than its project takes to load, and gets none",
  (name) => {
    expect(roomFor(name)).toEqual({});
    expect(roomFor("plan")).toEqual({ makeRoom: expect.any(Function) });
  },
);

test.skipIf(!process.versions.v8.startsWith("11."))("new objects get more memory in a huge project only", async () => {
  const lastOf = async (project: string) => {
    const stdout = await traced("--trace-gc-verbose", project);
    return Number([...stdout.matchAll(/New space,.*committed: *(\d+) KB/g)].at(-1)?.[1]);
  };
  expect(await lastOf(large)).toBeLessThan(4_000);
  expect(await lastOf(projectOf(4_000))).toBeGreaterThan(4_000);
});
