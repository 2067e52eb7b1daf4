// merge: the real Terraform as a second user of a state server; test/stores/http has the protocol.
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StateUnusable } from "../../src/state/state-text.ts";
import { LockLost } from "../../src/state/store.ts";
import { startHttpRig } from "../support/http-rig.ts";
import { fresh } from "../support/state-samples.ts";
import type { StateServerFlavour } from "../support/state-server.ts";

/** Terraform itself is the other user of the same servers: it proves that the test's server speaks its protocol. */
const terraform = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((path) => join(path, "terraform"))
  .find(canRun);
if (terraform === undefined)
  console.log("SKIPPED: no terraform in PATH, so the state server was not tried with the real client");

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const flavours: readonly { flavour: StateServerFlavour; suffix: string; lock: string; unlock: string }[] = [
  { flavour: "plain", suffix: "", lock: "LOCK", unlock: "UNLOCK" },
  { flavour: "gitlab", suffix: "/lock", lock: "POST", unlock: "DELETE" },
];

describe.runIf(terraform !== undefined).each(flavours)(
  "beside Terraform ($flavour)",
  ({ flavour, suffix, lock, unlock }) => {
    let rig: Awaited<ReturnType<typeof startHttpRig>>;
    let folder = "";
    beforeEach(async () => {
      rig = await startHttpRig(flavour);
      folder = await mkdtemp(join(tmpdir(), "loadform-terraform-"));
      await writeFile(
        join(folder, "main.tf"),
        'terraform {\n  backend "http" {}\n}\nresource "terraform_data" "a" {}\n',
      );
      expect((await run("init", "-input=false")).code).toBe(0);
    });
    afterEach(async () => {
      await rig.server.close();
      await rm(folder, { recursive: true, force: true });
    });

    function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
      const { address } = rig.server;
      const env = {
        PATH: process.env["PATH"],
        HOME: folder,
        CHECKPOINT_DISABLE: "1",
        TF_HTTP_ADDRESS: address,
        TF_HTTP_LOCK_ADDRESS: address + suffix,
        TF_HTTP_UNLOCK_ADDRESS: address + suffix,
        TF_HTTP_LOCK_METHOD: lock,
        TF_HTTP_UNLOCK_METHOD: unlock,
      };
      return new Promise((resolve) => {
        execFile(terraform ?? "", [...args, "-no-color"], { cwd: folder, env }, (problem, stdout, stderr) =>
          resolve({ code: problem ? Number(problem.code) : 0, text: stdout + stderr }),
        );
      });
    }

    test("the server keeps Terraform's state, and we refuse to take it for ours", async () => {
      expect(await run("apply", "-auto-approve")).toMatchObject({ code: 0 });
      const document = rig.server.document;
      expect(document).toContain('"terraform_version"');
      expect(rig.server.lock()).toBeUndefined();
      await expect(rig.open().read()).rejects.toBeInstanceOf(StateUnusable);
      await expect(rig.lock()).rejects.toBeInstanceOf(StateUnusable);
      expect([rig.server.document, rig.server.lock()]).toEqual([document, undefined]);
    });

    test("Terraform respects our lock, names it, and can break it: then we write nothing more", async () => {
      const session = await rig.lock();
      const refused = await run("apply", "-auto-approve");
      expect(refused.code).toBe(1);
      expect(refused.text).toContain(session.info.id);
      expect((await run("force-unlock", "-force", session.info.id)).code).toBe(0);
      await expect(session.save(fresh(), [])).rejects.toBeInstanceOf(LockLost);
      expect(rig.server.document).toBeUndefined();
      await session.release();
    });
  },
);
