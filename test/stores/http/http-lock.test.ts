import { createHash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { StateLocked, StoreFailed, wayOutOf } from "../../../src/state/store.ts";
import { type HttpStoreOptions, httpStore } from "../../../src/stores/http/http-store.ts";
import { hasty, startHttpRig } from "../../support/http-rig.ts";
import { fresh } from "../../support/state-samples.ts";
import type { FakeStateServer, StateServerFlavour } from "../../support/state-server.ts";

let server: FakeStateServer | undefined;
afterEach(() => server?.close());

async function start(flavour: StateServerFlavour = "plain", options: Partial<HttpStoreOptions> = {}) {
  const rig = await startHttpRig(flavour, options);
  server = rig.server;
  return rig;
}

describe("http store, lock", () => {
  test("sends Terraform's lock info, all members as text", async () => {
    const { server, lock } = await start();
    const session = await lock();
    expect(server.lock()).toEqual({
      ID: session.info.id,
      Operation: "apply",
      Info: `pid ${process.pid}, lock ${session.info.id}`,
      Who: session.info.who,
      Version: "1.2.3",
      Created: session.info.created,
      Path: "",
    });
    await session.release();
    expect(server.lock()).toBeUndefined();
  });

  test("GitLab's echo of the asker's own command is not taken for the holder's", async () => {
    const { lock, open } = await start("gitlab");
    const session = await lock();
    const refused = await open()
      .lock({ operation: "destroy", timeoutMs: 0 })
      .catch((thrown: unknown) => thrown);
    expect((refused as StateLocked).holder).toMatchObject({
      id: session.info.id,
      operation: "another command",
      who: "ci-bot",
    });
    expect((refused as StateLocked).holder?.pid).toBeUndefined();
    await session.release();
  });

  test.each([
    { status: 423, body: "" },
    { status: 409, body: "<html>locked</html>" },
    { status: 423, body: "[]" },
    { status: 409, body: '{"ID":7}' },
  ])("a refusal that names nobody ($status $body) is still a lock", async ({ status, body }) => {
    const { server, lock } = await start();
    server.fail({ method: "LOCK", times: 1, status, body });
    const refused = await lock().catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(StateLocked);
    expect((refused as StateLocked).holder).toBeUndefined();
  });

  test.each(["plain", "gitlab"] as const)("is ours when the answer to it was lost (%s)", async (flavour) => {
    const { server, lock } = await start(flavour);
    server.fail({ method: flavour === "plain" ? "LOCK" : "POST", times: 1, after: true });
    const session = await lock();
    await session.save(fresh(), []);
    await session.release();
    expect(server.lock()).toBeUndefined();
  });

  test("a server without locks is refused, and nothing is written", async () => {
    const { server, lock } = await start("plain", { lockMethod: "PATCH" });
    await expect(lock()).rejects.toThrow(/could not lock the state: PATCH .* got status 405.*state\.lockAddress/);
    expect(server.document).toBeUndefined();
  });

  test("methods and addresses can be set", async () => {
    const { server } = await start("gitlab");
    const { address } = server;
    const lockAddress = `${address}/lock`;
    const store = httpStore({
      address,
      lockAddress,
      unlockAddress: `${lockAddress}?x=1`,
      holder: hasty,
      version: "",
      env: {},
    });
    const session = await store.lock({ operation: "apply", timeoutMs: 0 });
    await session.release();
    expect(server.log).toEqual(["POST 200", "GET 204", "DELETE 200"]);
  });

  test("is given back in 5 tries", async () => {
    const { server, lock } = await start();
    const session = await lock();
    server.fail({ method: "UNLOCK", times: 4, status: 500 });
    await session.release();
    expect(server.lock()).toBeUndefined();
  });

  test("that cannot be given back is told with the command that breaks it", async () => {
    const { server, lock } = await start();
    const session = await lock();
    server.fail({ method: "UNLOCK", times: 9, status: 500 });
    await expect(session.release()).rejects.toThrow(`loadform state unlock ${session.info.id}`);
    expect(server.log.filter((line) => line.startsWith("UNLOCK"))).toHaveLength(5);
  });

  test("given back twice, as the first answer was lost, is given back", async () => {
    const { server, lock } = await start();
    const session = await lock();
    server.fail({ method: "UNLOCK", times: 1, after: true });
    await session.release();
    expect(server.lock()).toBeUndefined();
  });

  test("is given back when the state cannot be read", async () => {
    const { server, lock } = await start();
    server.fail({ method: "GET", times: 1, status: 400 });
    await expect(lock()).rejects.toBeInstanceOf(StoreFailed);
    expect(server.lock()).toBeUndefined();
  });

  test("whose document has line breaks and blanks is shown in one line, with its id as one word", async () => {
    const { server, lock } = await start();
    const info = { ID: "a b; rm 'x'", Operation: "apply", Who: "ann\nerror: x", Created: "now" };
    const md5 = createHash("md5").update(JSON.stringify(info)).digest("base64");
    await fetch(server.address, { method: "LOCK", body: JSON.stringify(info), headers: { "content-md5": md5 } });
    const refused = (await lock().catch((thrown: unknown) => thrown)) as StateLocked;
    expect(refused.holder?.who).toBe("ann error: x");
    expect(wayOutOf(refused)).toBe("loadform state unlock 'a b; rm '\\''x'\\''" + "'");
  });

  test("of Terraform is respected, named and broken", async () => {
    const { server, open, lock } = await start();
    const info = {
      ID: "t-1",
      Operation: "OperationTypeApply",
      Info: "",
      Who: "ann@laptop",
      Version: "1.11.4",
      Created: "2026-01-01T00:00:00Z",
      Path: "",
    };
    const md5 = createHash("md5").update(JSON.stringify(info)).digest("base64");
    await fetch(server.address, {
      method: "LOCK",
      body: JSON.stringify(info),
      headers: { "content-md5": md5 },
    });
    const refused = await lock().catch((thrown: unknown) => thrown);
    expect((refused as StateLocked).holder).toEqual({
      id: "t-1",
      operation: "OperationTypeApply",
      who: "ann@laptop",
      created: info.Created,
    });
    expect(await open().unlock("t-1")).toMatchObject({ who: "ann@laptop" });
    await (await lock()).release();
  });
});

describe("a state server that never answers", () => {
  /** Takes the lock, and from then on says nothing; how long each step takes in the patience given. */
  async function silenced(patience: { readonly wholeMs: number; readonly shortMs: number }) {
    const rig = await start("plain", { patience });
    const session = await rig.lock();
    rig.server.latencyMs = 60_000;
    const timed = async (work: Promise<unknown>) => {
      const began = performance.now();
      const problem = await work.catch((thrown: unknown) => thrown);
      return { problem, ms: performance.now() - began };
    };
    return { ...rig, session, timed };
  }

  test("is tried for so long in all, and less once it let that pass without a word", async () => {
    const { session, timed } = await silenced({ wholeMs: 900, shortMs: 150 });
    const write = await timed(session.save(fresh(), []));
    expect(write.problem).toBeInstanceOf(StoreFailed);
    expect(write.ms).toBeGreaterThan(850);
    expect(write.ms).toBeLessThan(1_500);
    const again = await timed(session.save(fresh(), []));
    expect(again.problem).toBeInstanceOf(StoreFailed);
    const release = await timed(session.release());
    expect((release.problem as Error).message).toContain(`loadform state unlock ${session.info.id}`);
    expect(again.ms + release.ms).toBeLessThan(900);
  });

  test("has all the time again once it answers", async () => {
    const { server, session, timed } = await silenced({ wholeMs: 700, shortMs: 300 });
    await timed(session.save(fresh(), []));
    server.latencyMs = 0;
    await session.save(fresh(), []);
    server.latencyMs = 500;
    const write = await timed(session.save(fresh(), []));
    expect(write.ms).toBeGreaterThan(450);
    expect(write.problem).not.toBeInstanceOf(Error);
    server.latencyMs = 0;
    await session.release();
  });
});
