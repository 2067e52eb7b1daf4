import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StateSettings } from "../../src/model/state-settings.ts";
import { openState } from "../../src/project/open-state.ts";
import type { System } from "../../src/project/system.ts";
import { type BareRepository, bareRepository, plainGit } from "../support/git-server.ts";
import { awsVariables, bucketName, startS3Server } from "../support/s3-server.ts";
import { fresh, realHolder } from "../support/state-samples.ts";

let repository: BareRepository;
let folder = "";
beforeEach(async () => {
  repository = bareRepository();
  folder = await mkdtemp(join(tmpdir(), "loadform-elsewhere-"));
});
afterEach(async () => {
  repository.remove();
  await rm(folder, { recursive: true, force: true });
});

const system = (): System => ({
  env: plainGit,
  cwd: folder,
  now: Date.now,
  sleep: realHolder.sleep,
  version: "1.2.3",
  deriveKey: () => new Uint8Array(32),
});
const storeOf = (state: StateSettings, name: string, environment?: string) =>
  openState({ name, root: folder, state, ...(environment === undefined ? {} : { environment }) }, system());

async function write(...place: Parameters<typeof storeOf>): Promise<void> {
  const session = await storeOf(...place).lock({ operation: "apply", timeoutMs: 0 });
  await session.save(fresh(), []);
  await session.release();
}

describe("the state of a project on a branch", () => {
  test("has a file for each project and each environment, whatever they are called", async () => {
    const state = { backend: "git", remote: repository.folder } as const;
    await write(state, "shop");
    await write(state, "shop", "staging");
    await write(state, "a/b ../c");
    await write({ ...state, branch: "states", path: "teams/load.json" }, "shop");
    expect(repository.git("ls-tree", "-r", "--name-only", "loadform-state").split("\n")).toEqual([
      "a%2Fb%20..%2Fc.json",
      "shop.json",
      "shop.staging.json",
    ]);
    expect(repository.git("ls-tree", "-r", "--name-only", "states")).toBe("teams/load.json");
  });

  test("that is damaged is left alone, with the way back", async () => {
    repository.commit("loadform-state", "shop.json", "torn");
    const read = storeOf({ backend: "git", remote: repository.folder }, "shop").read();
    await expect(read).rejects.toMatchObject({
      diagnostics: [{ code: "LF5002", detail: expect.stringContaining("earlier versions of it in the history") }],
    });
  });
});

describe("the state of a project in a bucket", () => {
  test("is at its key; an endpoint that is no URL is told", async () => {
    Object.assign(process.env, awsVariables);
    const server = await startS3Server();
    const place = { backend: "s3", bucket: bucketName, key: "load/shop.json" } as const;
    await write({ ...place, endpoint: server.endpoint }, "shop");
    expect([...server.objects.keys()].sort()).toEqual(["load/shop.json", "load/shop.json.lock"]);
    await server.close();
    expect(() => storeOf({ ...place, endpoint: "minio:9000" }, "shop")).toThrow();
  });
});
