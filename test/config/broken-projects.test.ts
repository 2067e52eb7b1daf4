import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { loadProject, type ProjectInput } from "../../src/config/load-project.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { diskWorkspace } from "../../src/workspace/disk-workspace.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { memoryWorkspace, overlayWorkspace } from "../../src/workspace/memory-workspace.ts";
import { isHint } from "../support/load-files.ts";
import { loadProgram } from "../support/load-program.ts";
import { quickFix } from "../support/quick-fix.ts";

const folder = resolve(import.meta.dirname, "../fixtures/broken");
const names = readdirSync(folder).sort();

/** With UPDATE_BROKEN=1 the expectations are written anew, to be read in the diff. */
const isUpdate = process.env.UPDATE_BROKEN === "1";

describe("a broken project is refused with every problem, each at its line", () => {
  test("there are at least 45 of them", () => expect(names.length).toBeGreaterThanOrEqual(45));

  test.each(names)("%s", async (name) => {
    const root = join(folder, name);
    const { diagnostics } = await load(root);
    const text = diagnostics.map((diagnostic) => show(diagnostic, root)).join("");
    const expected = join(root, "expected.txt");
    if (isUpdate) writeFileSync(expected, text);
    expect(text).toBe(readFileSync(expected, "utf8"));
    expect(text).not.toContain("hunter2");
    for (const hint of diagnostics.filter(isHint)) await expectMended(hint, root);
  });
});

/** The quick fix of a problem that says what was meant leaves none of its words. */
async function expectMended(hint: Diagnostic, root: string): Promise<void> {
  const { file = "" } = hint;
  const fixed = quickFix(await diskWorkspace(root).readText(file), hint);
  expect(fixed, hint.summary).toBeDefined();
  const { diagnostics } = await load(root, { [file]: fixed?.text ?? "" });
  expect(diagnostics.map(({ summary }) => summary)).not.toContain(hint.summary);
}

async function load(root: string, instead: Readonly<Record<string, string>> = {}) {
  const file = join(root, "options.json");
  const options = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Partial<ProjectInput>) : {};
  return loadProject({
    workspace: overlayWorkspace(diskWorkspace(root), memoryWorkspace(instead, root), new Set()),
    kinds,
    env: {},
    vars: {},
    unsetEnv: "error",
    hash: sha256,
    loadModule: loadProgram,
    ...options,
  });
}

/** As a person reads it, with the folder taken out. */
function show({ severity, code, summary, detail, address, file, line, column }: Diagnostic, root: string): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const head = [severity, code, place, address && `(${address})`].filter(Boolean).join(" ");
  return `${head}\n  ${summary}\n  ${detail.replaceAll(root, "<root>")}\n`;
}
