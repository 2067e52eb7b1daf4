import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { httpStore } from "../../src/stores/http/http-store.ts";
import { localStore } from "../../src/stores/local/local-store.ts";
import { diskFiles } from "../../src/stores/local/state-files.ts";
import { s3Store } from "../../src/stores/s3/s3-store.ts";
import { awsVariables, bucketName, startS3Server } from "../support/s3-server.ts";
import { realHolder } from "../support/state-samples.ts";
import { type StateServerFlavour, startStateServer } from "../support/state-server.ts";
import { describeStore, type StorePlace } from "../support/store-conformance.ts";

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

async function s3Place(): Promise<StorePlace> {
  const server = await startS3Server();
  const { endpoint } = server;
  const key = "load/p ü.json";
  return {
    open: () => s3Store({ bucket: bucketName, key, endpoint, holder: realHolder }),
    plant: async (text) => server.put(key, text),
    peek: async () => server.objects.get(key)?.text,
    holder: { operation: "apply", pid: process.pid },
    remove: server.close,
  };
}

Object.assign(process.env, awsVariables);

describeStore("local", localPlace);
describeStore("http, Terraform's protocol", () => httpPlace("plain"));
describeStore("http, GitLab's managed state", () => httpPlace("gitlab"));
describeStore("s3", s3Place);
