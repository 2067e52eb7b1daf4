import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { diskWorkspace } from "../../src/workspace/disk-workspace.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { endWriting, writeTogether, writingFile } from "../../src/workspace/write-together.ts";

const names = ["a.yaml", "b.yaml", "c.bin"] as const;
const bytes = Buffer.from([0, 255, 13, 10]);
const before = { "a.yaml": "a: 1\n", "b.yaml": "b: 1\n", "c.bin": "old" };
const after = new Map<string, string | Uint8Array>([
  ["a.yaml", "a: 2\r\n"],
  ["b.yaml", "b: é\n"],
  ["c.bin", bytes],
]);

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), "loadform-together-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

function project(): string {
  const root = folder();
  for (const name of names) writeFileSync(join(root, name), before[name]);
  return root;
}

function contents(root: string): readonly string[] {
  return names.map((name) => readFileSync(join(root, name), "latin1"));
}

const old = names.map((name) => before[name]);
const fresh = names.map((name) => Buffer.from(after.get(name) ?? "").toString("latin1"));

/** The folder as a crash before and after each write would leave it. */
async function crashes(root: string): Promise<readonly string[]> {
  const left: string[] = [];
  const snap = () => {
    const copy = folder();
    cpSync(root, copy, { recursive: true });
    left.push(copy);
  };
  const disk = diskWorkspace(root);
  const watched: Workspace = {
    ...disk,
    writeAtomic: async (path, data) => {
      snap();
      await disk.writeAtomic(path, data);
      snap();
    },
  };
  await writeTogether(watched, after);
  snap();
  return left;
}

describe("files that are written together", () => {
  test("are all written, and nothing is left to do", async () => {
    const root = project();
    await writeTogether(diskWorkspace(root), after);
    expect(contents(root)).toEqual(fresh);
    expect(existsSync(join(root, writingFile))).toBe(false);
    expect(await endWriting(diskWorkspace(root))).toEqual({ is: "none" });
  });

  test("are all written or none once a crash at any point is ended", async () => {
    const left = await crashes(project());
    expect(left).toHaveLength(7);
    const ends = [];
    for (const copy of left) {
      ends.push((await endWriting(diskWorkspace(copy))).is);
      expect([old, fresh]).toContainEqual(contents(copy));
      expect(existsSync(join(copy, writingFile))).toBe(false);
    }
    expect(ends).toEqual(["none", "ended", "ended", "ended", "ended", "none", "none"]);
  });

  test("are put back when one of them cannot be written", async () => {
    const root = project();
    const disk = diskWorkspace(root);
    const failing: Workspace = {
      ...disk,
      writeAtomic: (path, data) =>
        path === "c.bin" && data !== before["c.bin"] ? Promise.reject(new Error("full")) : disk.writeAtomic(path, data),
    };
    await expect(writeTogether(failing, after)).rejects.toThrow("full");
    expect([contents(root), existsSync(join(root, writingFile))]).toEqual([old, false]);
  });

  test("stay as they are when somebody edited one of them after the crash", async () => {
    const copy = (await crashes(project()))[1] ?? "";
    writeFileSync(join(copy, "b.yaml"), "mine\n");
    const stuck = { is: "stuck", written: ["a.yaml"], missing: ["c.bin"] };
    expect(await endWriting(diskWorkspace(copy))).toEqual(stuck);
    expect(await endWriting(diskWorkspace(copy))).toEqual(stuck);
    expect(contents(copy)).toEqual([fresh[0], "mine\n", old[2]]);
  });

  test("are forgotten once they were all put back by hand", async () => {
    const copy = (await crashes(project()))[1] ?? "";
    writeFileSync(join(copy, "a.yaml"), before["a.yaml"]);
    expect(await endWriting(diskWorkspace(copy))).toEqual({ is: "none" });
    writeFileSync(join(copy, "a.yaml"), fresh[0] ?? "");
    expect(await endWriting(diskWorkspace(copy))).toEqual({ is: "none" });
  });

  test("have their copies where only their owner can read them", async () => {
    const copy = (await crashes(project()))[1] ?? "";
    expect(statSync(join(copy, writingFile)).mode & 0o077).toBe(0);
  });
});
