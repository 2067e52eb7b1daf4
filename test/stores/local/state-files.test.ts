import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { processHolder } from "../../../src/state/lock-holder.ts";
import { randomHex } from "../../../src/state/secret-fingerprint.ts";
import { newState } from "../../../src/state/state.ts";
import { localStore } from "../../../src/stores/local/local-store.ts";
import { diskFiles } from "../../../src/stores/local/state-files.ts";

const folder = await mkdtemp(join(tmpdir(), "loadform-state-files-"));
const path = join(folder, "deep", "state.json");
afterAll(() => rm(folder, { recursive: true, force: true }));

const holder = processHolder({ now: Date.now, sleep: async () => undefined });

test("follows no link that stands where its temporary files or its journal could, and removes what killed runs left", async () => {
  const victim = join(folder, "victim");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(victim, "precious");
  for (const end of ["tmp", "bak.tmp", "journal", `${randomUUID()}.tmp`, `bak.${randomUUID()}.tmp`])
    await symlink(victim, `${path}.${end}`);
  await writeFile(`${path}.${randomUUID()}.tmp`, "half a state");
  const session = await localStore({ path, files: diskFiles, holder }).lock({ operation: "apply", timeoutMs: 0 });
  const first = await session.save(newState("p", undefined, randomHex), []);
  // A link that is put there by somebody who can read the lock.
  await symlink(victim, `${path}.${session.info.id}.tmp`);
  await symlink(victim, `${path}.bak.${session.info.id}.tmp`);
  await session.save(first, []);
  await symlink(victim, `${path}.journal`);
  await expect(session.record([{ phase: "gone", address: "toy.a" }])).rejects.toThrow(/ELOOP/);
  await session.release();
  expect(await readFile(victim, "utf8")).toBe("precious");
  expect((await readdir(dirname(path))).sort()).toEqual(["state.json", "state.json.bak", "state.json.journal"]);
});
