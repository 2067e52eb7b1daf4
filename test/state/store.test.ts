import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { httpStore } from "../../src/state/http-store.ts";
import { localStore } from "../../src/state/local-store.ts";
import { diskFiles } from "../../src/state/state-files.ts";
import { realHolder } from "../support/state-samples.ts";
import type { StateServerFlavour } from "../support/state-server.ts";
import { startStateServer } from "../support/state-server.ts";
import type { StorePlace } from "../support/store-conformance.ts";
import { describeStore } from "../support/store-conformance.ts";

async function localPlace(): Promise<StorePlace> {
  const folder = await mkdtemp(join(tmpdir(), "loadform-state-"));
  const path = join(folder, "deep", "state.json");
  return {
    open: () => localStore({ path, files: diskFiles, holder: realHolder }),
    async plant(text) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },
    peek: () => readFile(path, "utf8").catch(() => undefined),
    holder: { operation: "apply", pid: process.pid },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function httpPlace(flavour: StateServerFlavour): Promise<StorePlace> {
  const server = await startStateServer(flavour);
  const { address } = server;
  const known = flavour === "plain" ? { operation: "apply", pid: process.pid } : { who: "ci-bot" };
  return {
    open: () => httpStore({ address, holder: realHolder, version: "0.0.0", env: {} }),
    async plant(text) {
      server.document = text;
    },
    peek: async () => server.document,
    holder: known,
    remove: server.close,
  };
}

describeStore("local", localPlace);
describeStore("http, Terraform's protocol", () => httpPlace("plain"));
describeStore("http, GitLab's managed state", () => httpPlace("gitlab"));
