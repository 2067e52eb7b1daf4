import { createHash } from "node:crypto";
import { gitStore } from "../../src/stores/git/git-store.ts";
import { plainGit, runGit } from "../support/git-server.ts";
import { realHolder } from "../support/state-samples.ts";
import { startStateServer } from "../support/state-server.ts";

/** Where the pipelines of a forge keep the state. */
export interface PipelineState {
  /** Of the server; without one an empty text. */
  readonly address: string;
  readonly document: () => string | undefined;
  readonly isLocked: () => boolean;
  /** Takes the lock as somebody else does; what is answered gives it back. */
  readonly hold: () => Promise<() => Promise<void>>;
  /** Who is said to hold it. */
  readonly holder: string;
  readonly close: () => Promise<void>;
}

/** GitLab's managed state, signed in to with the job's token. */
export async function managedState(password: string): Promise<PipelineState> {
  const username = "gitlab-ci-token";
  const server = await startStateServer("gitlab", { username, password });
  const body = JSON.stringify({
    ID: "someone",
    Operation: "apply",
    Info: "",
    Who: "ada@laptop",
    Version: "1",
    Created: "2026-01-01T00:00:00Z",
    Path: "",
  });
  const headers = {
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
    "content-md5": createHash("md5").update(body).digest("base64"),
  };
  const ask = async (method: string) => {
    const { status } = await fetch(`${server.address}/lock`, { method, headers, body });
    if (status !== 200) throw new Error(`${method} found status ${status}`);
  };
  return {
    address: server.address,
    document: () => server.document,
    isLocked: () => server.lock() !== undefined,
    async hold() {
      await ask("POST");
      return () => ask("DELETE");
    },
    holder: "ci-bot",
    close: server.close,
  };
}

/** A branch of the repository itself. */
export function branchState(origin: string): PipelineState {
  const place = { root: origin, remote: origin, branch: "loadform-state", path: "shop-load-tests.json" };
  const refs = () => runGit(origin, ["for-each-ref", "--format=%(refname)"]);
  return {
    address: "",
    document: () => runGit(origin, ["cat-file", "blob", `${place.branch}:${place.path}`]),
    isLocked: () => refs().includes("loadform-lock"),
    async hold() {
      const store = gitStore({ ...place, holder: realHolder, env: plainGit });
      const session = await store.lock({ operation: "someone's import", timeoutMs: 0 });
      return session.release;
    },
    holder: "someone's import",
    close: async () => undefined,
  };
}
