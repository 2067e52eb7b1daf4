import { afterEach, describe, expect, test } from "vitest";
import { stateText } from "../../../src/state/state-text.ts";
import { LockLost, StoreFailed } from "../../../src/state/store.ts";
import { type HttpStoreOptions, httpStore } from "../../../src/stores/http/http-store.ts";
import { hasty, startHttpRig } from "../../support/http-rig.ts";
import { done, fresh, resource, sending } from "../../support/state-samples.ts";
import type { FakeStateServer, StateServerFlavour } from "../../support/state-server.ts";

let server: FakeStateServer | undefined;
afterEach(() => server?.close());

async function start(flavour: StateServerFlavour = "plain", options: Partial<HttpStoreOptions> = {}) {
  const rig = await startHttpRig(flavour, options);
  server = rig.server;
  return rig;
}

const secret = { username: "ci", password: "glpat-Sesam0effne" };
const messageOf = (problem: unknown) => (problem as Error).message;

describe("http store, reading", () => {
  test.each([204, 404])("status %i is no state", async (status) => {
    const { server, open } = await start();
    server.fail({ method: "GET", times: 1, status });
    expect(await open().read()).toBeUndefined();
  });

  test("an empty body is no state", async () => {
    const { server, open } = await start();
    server.document = "";
    expect(await open().read()).toBeUndefined();
  });

  test.each([500, 502, 503, 504, 429, 408])("status %i passes: it is asked again", async (status) => {
    const { server, open } = await start();
    server.document = stateText(fresh());
    server.fail({ method: "GET", times: 4, status });
    expect((await open().read())?.state.serial).toBe(0);
    expect(server.log).toHaveLength(5);
  });

  test("gives up after 5 attempts and says what was found", async () => {
    const { server, open } = await start();
    server.fail({ method: "GET", times: 9, status: 503, body: "<h1>down for\n maintenance</h1>" });
    const problem = await open()
      .read()
      .catch((thrown: unknown) => thrown);
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(messageOf(problem)).toContain("status 503 (<h1>down for maintenance</h1>), 5 times");
    expect(server.log).toHaveLength(5);
  });

  test("a server that is not there is told with its address", async () => {
    const { server, open } = await start();
    await server.close();
    await expect(open().read()).rejects.toThrow(
      /could not read the state: GET .*\/states\/webshop got no answer \(ECONNREFUSED\)/,
    );
    // That it may lack locks is said of a server that answered.
    await expect(open().lock({ operation: "apply", timeoutMs: 0 })).rejects.toThrow(
      /Check state\.address, and that the server is up$/,
    );
  });

  test.each([400, 405, 410, 301])("status %i is an error at once", async (status) => {
    const { server, open } = await start();
    server.fail({ method: "GET", times: 1, status });
    await expect(open().read()).rejects.toThrow(`status ${status}`);
    expect(server.log).toHaveLength(1);
  });

  test("a document that was changed on its way is asked for again", async () => {
    const { server, open } = await start();
    server.document = stateText(fresh());
    server.fail({ method: "GET", times: 1, corrupt: true });
    expect((await open().read())?.state.project).toBe("p");
    server.fail({ method: "GET", times: 9, corrupt: true });
    await expect(open().read()).rejects.toThrow(/does not match its Content-MD5, 5 times/);
  });
});

describe("http store, credentials", () => {
  test("go with every request, and reach neither place nor message", async () => {
    const { server, open, lock } = await start("gitlab", { credentials: secret });
    const session = await lock();
    await session.save(fresh(), []);
    await session.release();
    expect(server.log.filter((line) => line.endsWith("401"))).toEqual([]);
    server.fail({ method: "GET", times: 9, status: 500 });
    const message = messageOf(
      await open()
        .read()
        .catch((thrown: unknown) => thrown),
    );
    const pair = Buffer.from(`${secret.username}:${secret.password}`).toString("base64");
    for (const hidden of [secret.password, pair, "token"]) expect(message + open().where).not.toContain(hidden);
  });

  test("in an address stay out of place and message too", async () => {
    const address = "http://ci:Sesam0effne@127.0.0.1:1/state?private_token=Sesam0effne";
    const store = httpStore({ address, holder: hasty, version: "1.2.3", env: {} });
    expect(store.where).toBe("http://127.0.0.1:1/state");
    expect(messageOf(await store.read().catch((thrown: unknown) => thrown))).not.toContain("Sesam");
  });

  test.each([401, 403])("refused with %i: says what to set", async (status) => {
    const { server, open, lock } = await start();
    server.fail({ method: "GET", times: 1, status });
    await expect(open().read()).rejects.toThrow(/state\.username, and \$LOADFORM_STATE_PASSWORD/);
    server.fail({ method: "LOCK", times: 1, status });
    await expect(lock()).rejects.toThrow(/state\.username, and \$LOADFORM_STATE_PASSWORD/);
  });
});

describe("http store, writing", () => {
  test.each([409, 412, 423])("status %i is a lost lock, and nothing more is sent", async (status) => {
    const { server, lock } = await start();
    const session = await lock();
    await session.save(fresh(), []);
    server.fail({ method: "POST", times: 1, status });
    await expect(session.record([sending("toy.a")])).rejects.toBeInstanceOf(LockLost);
    const posts = () => server.log.filter((line) => line.startsWith("POST")).length;
    const sent = posts();
    await expect(session.record([sending("toy.b")])).rejects.toBeInstanceOf(LockLost);
    await session.release();
    expect(posts()).toBe(sent);
  });

  test.each([
    { title: "was done and its answer cut off", after: true },
    { title: "was done and answered with 500", after: true, status: 500 },
    { title: "was cut off before it was done", after: false },
    { title: "was answered with 503", after: false, status: 503 },
  ])(
    "a write that $title is repeated under a new serial, as GitLab takes each only once",
    async ({ title: _, ...fault }) => {
      const { server, open, lock } = await start("gitlab");
      const session = await lock();
      await session.save(fresh(), []);
      server.fail({ method: "POST", times: 2, ...fault });
      const saved = await session.save({ ...fresh(), resources: { "toy.a": resource(1) } }, []);
      await session.release();
      expect((await open().read())?.state).toEqual({ ...saved, pending: [] });
      expect(server.log.some((line) => line.endsWith("422"))).toBe(false);
    },
  );

  test.each([
    { status: 400, body: '{"error":"serial is missing"}' },
    { status: 413, body: "too large" },
    { status: 507, body: "quota" },
  ])("status $status fails with the server's words", async ({ status, body }) => {
    const { server, lock } = await start();
    const session = await lock();
    server.fail({ method: "POST", times: 9, status, body });
    const problem = await session.save(fresh(), []).catch((thrown: unknown) => thrown);
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(messageOf(problem)).toContain(`status ${status} (${body})`);
    await session.release();
  });

  test.each([200, 201, 204])("status %i is a write", async (status) => {
    const { server, open, lock } = await start();
    const session = await lock();
    server.fail({ method: "POST", times: 1, status, after: true });
    await session.save(fresh(), []);
    await session.release();
    expect((await open().read())?.state.serial).toBe(1);
  });

  test("an apply of one create is three writes: the first state, the intent, the result", async () => {
    const { server, lock } = await start();
    const session = await lock();
    await session.save(fresh(), []);
    await session.record([sending("toy.a")]);
    await session.record([done("toy.a", 1)]);
    await session.release();
    const writes = server.log.filter((line) => line.startsWith("POST"));
    expect(writes).toEqual(["POST 200", "POST 200", "POST 200"]);
  });
});
