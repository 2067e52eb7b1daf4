import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isDeep } from "../support/deep.ts";
import { startEditor } from "../support/editor-client.ts";
import { freshFolder } from "../support/run-cli.ts";
import { slownessNow } from "../support/slowness-now.ts";

/** A project of `cases` test cases with a scenario and a configuration each, and the rest of 1,000 objects as tags. */
function largeProject(cases: number): { readonly path: string; readonly text: string } {
  const head =
    'project: large\nservice: { url: "memory:" }\nproviders:\n  grid: { name: Grid, providerType: Shared }\n';
  const bodies = Array.from(
    { length: cases },
    (_, at) =>
      `  case-${at}:\n    scenarios:\n      browse:\n        script: log.info("${at}");\n    configurations:\n      load:\n        scenario: browse\n        concurrentClients: ${at + 1}\n        durationSecs: 60\n        providers:\n          - { provider: grid }\n`,
  );
  const text = `${head}testCases:\n${bodies.join("")}`;
  const path = join(freshFolder(), "loadform.yaml");
  writeFileSync(path, text);
  return { path, text };
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const from = performance.now();
  return [await work(), performance.now() - from];
}

it("completes within 50 ms and shows problems within 300 ms in a project of 1,000 objects", async () => {
  const { path, text } = largeProject(333);
  const editor = await startEditor([]);
  await editor.open(path, text);
  await editor.edit(path, 0, 0, "projekt: x\n");
  await editor.problemsWith(path, "unknown key projekt");
  await editor.edit(path, 0, "projekt: x\n".length, "");
  await editor.noProblems(path);
  const completions: number[] = [];
  const checks: number[] = [];
  for (let round = 0; round < 10; round++) {
    const at = editor.textOf(path).lastIndexOf("scenario: browse") + "scenario: ".length;
    const [, shown] = await timed(async () => {
      await editor.edit(path, at, at, "x");
      await editor.problemsWith(path, "no scenario xbrowse");
    });
    checks.push(shown);
    const [items, ms] = await timed(() => editor.complete(path, "scenario: |xbrowse"));
    expect(items.find(({ label }) => label === "browse")?.sortText).toBe("1 browse");
    completions.push(ms);
    await editor.edit(path, at, at + 1, "");
    await editor.noProblems(path);
  }
  await editor.stop();
  // The quickest of several: other work on the machine adds to the rest.
  const slowness = await slownessNow();
  expect(Math.min(...completions)).toBeLessThan(50 * slowness);
  expect(Math.min(...checks)).toBeLessThan(300 * slowness);
});

/** Numbers below `below` that a seed determines. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const pieces = [
  "\n",
  "  ",
  "- ",
  "key: ",
  "{ ",
  "[",
  "}",
  '"',
  "'",
  "$" + "{var:",
  "#",
  "|\n",
  "🛒",
  "\r\n",
  "&a ",
  "*a",
  "\t",
  "scenario: browse",
];

type Editor = Awaited<ReturnType<typeof startEditor>>;

/** One edit at a random place; a text that has grown too long is replaced by the first one. */
async function editRandomly(
  editor: Editor,
  path: string,
  { below, text }: { readonly below: (below: number) => number; readonly text: string },
): Promise<void> {
  const { length } = editor.textOf(path);
  if (length > text.length * 2) return editor.edit(path, 0, length, text);
  const from = below(length + 1);
  const to = Math.min(length, from + (below(3) === 0 ? below(30) : 0));
  return editor.edit(path, from, to, pieces[below(pieces.length)] ?? "");
}

async function askAll(editor: Editor, path: string, offset: number): Promise<void> {
  await editor.complete(path, offset);
  await editor.hover(path, offset);
  await editor.symbols(path);
}

it("survives random edits in a text of any state, with bounded memory", async () => {
  const edits = isDeep ? 10_000 : 300;
  const { path, text } = largeProject(20);
  const editor = await startEditor([]);
  const below = randomNumbers(Number(process.env["LOADFORM_SEED"] ?? 1));
  await editor.open(path, text);
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${editor.pid}/status`, "utf8"))?.[1]) / 1024;
  let settled = 0;
  for (let done = 0; done < edits; done++) {
    await editRandomly(editor, path, { below, text });
    if (done % 5 === 0) await askAll(editor, path, below(editor.textOf(path).length));
    if (done === Math.floor(edits / 2)) settled = memory();
  }
  await editor.edit(path, 0, editor.textOf(path).length, "projekt: x\n");
  await editor.problemsWith(path, "unknown key projekt");
  expect(memory()).toBeLessThan(settled + 150);
  expect(memory()).toBeLessThan(500);
  expect(await editor.stop()).toBe(0);
});
