import { lstat, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Problem } from "../../src/model/diagnostic.ts";
import type { StateSettings } from "../../src/model/state-settings.ts";
import { openState } from "../../src/project/open-state.ts";
import { stateCommand } from "../../src/project/state-commands.ts";
import type { System } from "../../src/project/system.ts";
import type { State } from "../../src/state/state.ts";
import { readState, stateText } from "../../src/state/state-text.ts";
import { StateLocked, type StateStore, StoreFailed } from "../../src/state/store.ts";
import { runGit } from "../support/git-server.ts";
import { hasPostgres, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { fresh, intent, realHolder, resource } from "../support/state-samples.ts";
import { type FakeStateServer, startStateServer } from "../support/state-server.ts";

const credentials = { username: "ci", password: "glpat-Sesam0effne" };
const withPostgres = hasPostgres();
let database: TestPostgres | undefined;
let server: FakeStateServer;
let folder = "";
let count = 0;
beforeAll(async () => {
  if (withPostgres) database = await startPostgres();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadform-state-at-"));
  server = await startStateServer("gitlab", credentials);
  count += 1;
  return async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
});
afterAll(() => database?.stop());

/** The system with these variables set, and nothing else. */
const system = (env: System["env"] = {}): System => ({
  env,
  cwd: folder,
  now: Date.now,
  sleep: realHolder.sleep,
  version: "1.2.3",
  deriveKey: () => new Uint8Array(32),
});
const storeOf = (state: StateSettings, env?: System["env"]) =>
  openState({ name: "webshop", root: folder, state }, system(env));

describe("the store of a project", () => {
  test("http: a process that ends before its lock is released says what breaks it, one with a lock file does not", async () => {
    const left: (() => string | undefined)[] = [];
    const hold = (_release: unknown, words: () => string | undefined) => {
      left.push(words);
      return () => undefined;
    };
    const locks = { signal: new AbortController().signal, waiting: () => undefined, notice: () => undefined, hold };
    const http = { backend: "http", address: server.address, username: "ci" } as const;
    const listening = { ...system({ TF_HTTP_PASSWORD: credentials.password }), locks };
    const told: (string | undefined)[] = [];
    for (const state of [http, { backend: "local", path: join(folder, "s.json") } as const]) {
      const lock = openState({ name: "webshop", root: join(folder, "load"), state }, listening);
      const session = await lock.lock({ operation: "apply", timeoutMs: 0 });
      told.push(left.at(-1)?.()?.replace(session.info.id, "ID").replace(session.info.id, "ID"));
      await session.release();
    }
    expect(told).toEqual([
      `The lock ID at ${server.address} outlives the command. Release it with: loadform state unlock ID load`,
      undefined,
    ]);
  });

  test("local: all who come by a link meet at one lock, and what the link means is written", async () => {
    await mkdir(join(folder, "shared"));
    for (const [link, target] of [
      ["one.json", "shared/state.json"],
      ["two.json", "one.json"],
    ] as const)
      await symlink(target, join(folder, link));
    const stores = ["one.json", "two.json", "shared/state.json"].map((path) => storeOf({ backend: "local", path }));
    const [one, two, file] = stores as [StateStore, StateStore, StateStore];
    const session = await two.lock({ operation: "apply", timeoutMs: 0 });
    await expect(one.lock({ operation: "apply", timeoutMs: 0 })).rejects.toThrow(StateLocked);
    await session.save(fresh(), []);
    await session.release();
    const written = await Promise.all([one, two, file].map(async (store) => (await store.read())?.state.serial));
    expect(written).toEqual([1, 1, 1]);
    expect((await lstat(join(folder, "one.json"))).isSymbolicLink()).toBe(true);
  });

  test.each([
    [
      "the password in $LOADFORM_STATE_PASSWORD",
      { LOADFORM_STATE_PASSWORD: credentials.password, TF_HTTP_PASSWORD: "x" },
    ],
    ["Terraform's own variable", { TF_HTTP_PASSWORD: credentials.password }],
  ])("http: %s opens it", async (_title, env) => {
    expect(await storeOf({ backend: "http", address: server.address, username: "ci" }, env).read()).toBeUndefined();
  });

  test("http: Terraform's variables set user name and lock methods", async () => {
    const env = {
      TF_HTTP_USERNAME: credentials.username,
      TF_HTTP_PASSWORD: credentials.password,
      TF_HTTP_LOCK_METHOD: "POST",
      TF_HTTP_UNLOCK_METHOD: "DELETE",
    };
    const session = await storeOf({ backend: "http", address: server.address }, env).lock({
      operation: "x",
      timeoutMs: 0,
    });
    await session.release();
    expect(server.log).toEqual(["POST 200", "GET 204", "DELETE 200"]);
  });

  test("http: what is written goes by the method that Terraform's variable names", async () => {
    const plain = await startStateServer("plain");
    const store = storeOf({ backend: "http", address: plain.address }, { TF_HTTP_UPDATE_METHOD: "PUT" });
    const session = await store.lock({ operation: "x", timeoutMs: 0 });
    await session.save(fresh(), []);
    await session.release();
    expect(plain.log).toEqual(["LOCK 200", "GET 404", "PUT 200", "UNLOCK 200"]);
    await plain.close();
  });

  test.each([
    { title: "names the copy from before the last write", copy: true, expected: ".bak: check it and copy it back" },
    { title: "names no copy where there is none", copy: false, expected: "loadform apply --adopt exact" },
  ])("a damaged file $title", async ({ copy, expected }) => {
    const path = join(folder, "torn.json");
    await writeFile(path, '{ "format": "loadform-st');
    await rm(`${path}.bak`, { force: true });
    if (copy) await writeFile(`${path}.bak`, stateText(fresh()));
    const problem = await storeOf({ backend: "local", path }, {})
      .read()
      .catch((thrown: unknown) => thrown);
    expect((problem as Problem).diagnostics[0]?.detail).toContain(expected);
  });

  test("a bare per cent sign in a password is no defect, and the password not shown", async () => {
    const http = storeOf({ backend: "http", address: server.address.replace("://", "://ci:50%-Sesam0@") });
    const postgres = storeOf({ backend: "postgres", url: "postgres://ci:50%-Sesam0@127.0.0.1:1/db" });
    for (const store of [http, postgres]) {
      const refused: unknown = await store.read().catch((thrown: unknown) => thrown);
      expect(refused).toBeInstanceOf(StoreFailed);
      expect(String(refused)).not.toContain("Sesam0");
    }
  });

  test("http: a name and password in the address are used, and not shown", async () => {
    const address = server.address.replace("://", `://${credentials.username}:${credentials.password}@`);
    const store = storeOf({ backend: "http", address });
    expect(await store.read()).toBeUndefined();
    expect(store.where).toBe(server.address);
  });

  test("http: without a password it is refused with what to set", async () => {
    await expect(storeOf({ backend: "http", address: server.address }).read()).rejects.toBeInstanceOf(StoreFailed);
  });

  test.each<StateSettings>([
    { backend: "http", address: "git.example.com/Sesam0effne" },
    { backend: "http", address: "file:///Sesam0effne" },
    { backend: "http", address: "http://ok.test/x", lockAddress: "Sesam0effne" },
    { backend: "postgres", url: "Sesam0effne" },
    { backend: "postgres", url: "" },
    { backend: "postgres", url: "mysql://ann:Sesam0effne@db/x" },
  ])("$backend: an address that is none is refused without showing it", (state) => {
    const open = () => storeOf(state);
    expect(open).toThrow(Problem);
    expect(open).not.toThrow(/Sesam/);
    try {
      open();
    } catch (problem) {
      expect(JSON.stringify((problem as Problem).diagnostics)).not.toContain("Sesam");
    }
  });

  test("a damaged remote state is refused with the place and a way out", async () => {
    server.document = "{}";
    const store = storeOf(
      { backend: "http", address: server.address, username: "ci" },
      { TF_HTTP_PASSWORD: credentials.password },
    );
    const problem = await store.read().catch((thrown: unknown) => thrown);
    expect((problem as Problem).diagnostics[0]).toMatchObject({ code: "LF5002" });
    expect((problem as Problem).diagnostics[0]?.detail).toContain(server.address);
    server.document = '{\n  "format": ';
    const cut = await store.read().catch((thrown: unknown) => thrown);
    const place = { file: server.address, line: 2, column: 13 };
    expect((cut as Problem).diagnostics).toMatchObject([{ code: "LF5002", ...place }]);
  });

  test.runIf(withPostgres)("postgres: projects and environments of one schema are kept apart", async () => {
    const state: StateSettings = { backend: "postgres", url: database!.url, schema: `apart${count}` };
    const places = [{ name: "a" }, { name: "b" }, { name: "a", environment: "staging" }];
    const stores = places.map((place) => openState({ ...place, root: folder, state }, system()));
    for (const [index, store] of stores.entries()) {
      const session = await store.lock({ operation: "x", timeoutMs: 0 });
      await session.save({ ...fresh(), project: `p${index}` }, []);
      await session.release();
    }
    expect(await Promise.all(stores.map(async (store) => (await store.read())?.state.project))).toEqual([
      "p0",
      "p1",
      "p2",
    ]);
  });
});

/** Runs a `state` command on a project whose state is declared so; answers its text. */
async function run(declared: string, verb: "pull" | "push" | "list" | "unlock", input?: string) {
  const dir = join(folder, "project");
  await rm(dir, { recursive: true, force: true });
  const { mkdir } = await import("node:fs/promises");
  await mkdir(dir, { recursive: true });
  await writeFile(
    join(dir, "loadform.yaml"),
    `project: p\nservice: { url: "memory:service.json" }\nstate: ${declared}\n`,
  );
  const env = { TF_HTTP_PASSWORD: credentials.password, STATE_URL: database?.url };
  return stateCommand({ dir, vars: {} }, system(env), { verb, args: [], ...(input === undefined ? {} : { input }) });
}

test("a lock that a branch's remote does not let be deleted is told with the command that releases it", async () => {
  const remote = join(folder, "remote.git");
  runGit(folder, ["init", "-q", "--bare", remote]);
  await writeFile(join(remote, "hooks", "pre-receive"), `#!/bin/sh\ncase "$(cat)" in *" 000000"*) exit 1;; esac`, {
    mode: 0o755,
  });
  const [signal, none] = [new AbortController().signal, () => undefined];
  const locks = { signal, waiting: none, notice: none, hold: () => none };
  const state = { backend: "git", remote, branch: "states" } as const;
  const store = openState(
    { name: "webshop", root: folder, environment: "staging", state },
    { ...system({ PATH: process.env["PATH"] }), locks },
  );
  const session = await store.lock({ operation: "apply", timeoutMs: 0 });
  await expect(session.release()).rejects.toThrow(`with: loadform state unlock ${session.info.id} --env staging`);
});

describe("state push and pull", () => {
  const from: State = {
    ...fresh(),
    serial: 7,
    resources: { "testCase.shop": { ...resource(3), kind: "testCase" } },
    pending: [{ ...intent("gateway.x"), kind: "gateway" }],
  };
  const places = (): Readonly<Record<string, string>> => ({
    http: `{ backend: http, address: "${server.address}", username: ci }`,
    ...(withPostgres ? { postgres: `{ backend: postgres, url: "\${env:STATE_URL}", schema: moved${count} }` } : {}),
  });

  test.each(["http", ...(withPostgres ? ["postgres"] : [])])(
    "into an empty %s store keep lineage, bindings and creates in doubt, and raise the serial",
    async (name) => {
      const declared = places()[name]!;
      expect((await run(declared, "list")).output).toEqual([]);
      const pushed = await run(declared, "push", stateText(from));
      expect(pushed.diagnostics).toEqual([]);
      const pulled = readState((await run(declared, "pull")).text);
      expect(pulled).toEqual({ ...from, serial: 8 });
      const again = await run(declared, "push", (await run(declared, "pull")).text);
      expect(again.status).toBe("done");
      expect(readState((await run(declared, "pull")).text)).toEqual({ ...from, serial: 9 });
    },
  );

  test("refuse another lineage and an older serial", async () => {
    const declared = places()["http"]!;
    await run(declared, "push", stateText(from));
    for (const other of [
      { ...from, lineage: "other" },
      { ...from, serial: 1 },
    ]) {
      const refused = await run(declared, "push", stateText(other));
      expect(refused.diagnostics).toMatchObject([{ code: "LF5002" }]);
    }
    expect(server.lock()).toBeUndefined();
  });

  test("a held lock is told with its holder, a store that is down with its place", async () => {
    const declared = places()["http"]!;
    await run(declared, "push", stateText(from));
    const held = storeOf(
      { backend: "http", address: server.address, username: "ci" },
      { TF_HTTP_PASSWORD: credentials.password },
    );
    const session = await held.lock({ operation: "apply", timeoutMs: 0 });
    const refused = await run(declared, "push", stateText({ ...from, serial: 99 }));
    expect(refused).toMatchObject({ status: "locked", diagnostics: [{ code: "LF5001" }] });
    expect(refused.diagnostics[0]?.detail).toContain(`loadform state unlock ${session.info.id}`);
    expect((await run(declared, "unlock")).text).toContain("Broke the lock of ci-bot");
    server.fail({ method: "GET", times: 1, status: 410 });
    expect(await run(declared, "pull")).toMatchObject({ status: "failed", diagnostics: [{ code: "LF5003" }] });
  });
});
