import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { explainFailure } from "../../src/project/explain-failure.ts";
import { openState } from "../../src/project/open-state.ts";
import type { System } from "../../src/project/system.ts";
import { sampleOf } from "../support/deep.ts";
import { type BareRepository, bareRepository, plainGit, runGit } from "../support/git-server.ts";
import { fresh, realHolder, resource } from "../support/state-samples.ts";

const token = "cnry-4711-token-in-the-query";

let folder = "";
let repository: BareRepository;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loadform-store-secrets-"));
  repository = bareRepository();
  return () => {
    repository.remove();
    rmSync(folder, { recursive: true, force: true });
  };
});

const system = (): System => ({
  env: plainGit,
  cwd: folder,
  now: Date.now,
  sleep: realHolder.sleep,
  version: "1.2.3",
  deriveKey: () => new Uint8Array(32),
});
const storeAt = (remote: string, secrets: readonly string[]) =>
  openState({ name: "webshop", root: folder, secrets, state: { backend: "git", remote } }, system());

async function saidBy(run: Promise<unknown>): Promise<string> {
  const thrown = await run.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  const said = JSON.stringify(explainFailure(thrown));
  expect(said).toContain("LF");
  return said;
}

describe("a secret in the address of a git remote", () => {
  const address = `https://git.example.com/states.git?private_token=${token}`;
  /** The remote is a folder; loadform knows it by the address alone. */
  const redirect = () => {
    runGit(folder, ["init", "--quiet"]);
    runGit(folder, ["config", `url.${repository.folder}.insteadOf`, address]);
  };

  const spellings: readonly (readonly [string, readonly string[]])[] = [
    ["within an address from a variable", [address]],
    ["from a variable", [token]],
    ["that is written out", []],
  ];
  test.each(sampleOf(spellings))("%s is in no commit and in no name of the place", async (_, secrets) => {
    redirect();
    const store = storeAt(address, secrets);
    expect(store.where).not.toContain("cnry");
    const session = await store.lock({ operation: "apply", timeoutMs: 0 });
    await session.save({ ...fresh(), resources: { [`toy.${token}`]: resource(1) } }, []);
    const all = runGit(repository.folder, ["log", "--all", "--format=%an %ae %B"]);
    expect(all).toContain("is locked");
    expect(all).toContain(session.info.id);
    if (secrets.length > 0) expect(all).not.toContain("cnry");
    else expect(all).not.toContain("private_token");
    expect(await storeAt(address, secrets).unlock(session.info.id)).toMatchObject({ id: session.info.id });
  });

  test("is in no failure", async () => {
    redirect();
    repository.remove();
    const store = storeAt(address, [token]);
    expect(await saidBy(store.read())).not.toContain("cnry");
    expect(await saidBy(store.lock({ operation: "apply", timeoutMs: 0 }))).not.toContain("cnry");
  });
});

describe("what a git remote repeats of the credentials", () => {
  let close = () => Promise.resolve();
  afterEach(() => close());

  /** A proxy that quotes the request that it refuses. */
  async function quotingServer(): Promise<string> {
    const server = createServer(({ headers, url }, response) => {
      const quoted = `you sent ${headers.authorization ?? "nothing"} to ${url}\n`;
      const challenge = { "www-authenticate": 'Basic realm="git"', "content-type": "text/plain" };
      response.writeHead(headers.authorization ? 403 : 401, challenge).end(quoted);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    close = () => new Promise((resolve) => server.close(() => resolve()));
    return `127.0.0.1:${(server.address() as AddressInfo).port}/states.git`;
  }

  const password = "cnry-4711-password";
  test.each([
    ["a password from a variable", (at: string) => [`http://user:${password}@${at}`, password]],
    [
      "a whole address from a variable",
      (at: string) => [`http://user:${password}@${at}`, `http://user:${password}@${at}`],
    ],
    ["a token in the query", (at: string) => [`http://${at}?private_token=${token}`, token]],
  ])("is not repeated: %s", async (_, place) => {
    const [address = "", secret = ""] = place(await quotingServer());
    const said = await saidBy(storeAt(address, [secret]).read());
    const encoded = Buffer.from(`user:${password}`).toString("base64");
    for (const form of ["cnry", encoded, encoded.slice(8)]) expect(said).not.toContain(form);
  });
});
