import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { liveHandle, type TreeNode } from "../../src/model/tree.ts";
import { makeSnapshot } from "../../src/snapshot/make-snapshot.ts";
import { sha256 } from "../../src/workspace/hash.ts";

const at = "2026-01-02T03:04:05.000Z";

function node(kind: string, id: number, more: Pick<TreeNode, "fields"> & Partial<TreeNode>): TreeNode {
  const identity = { id, createdAt: at, updatedAt: at };
  return { handle: liveHandle(kind, id), kind, key: String(id), identity, ...more };
}

/** Unbound objects as a snapshot has them, without what identifies them. */
function othersOf(...nodes: readonly TreeNode[]): readonly JsonObject[] {
  const target = { url: "https://load.example.com", organization: 1 };
  const stored = { serial: 1, lineage: "l", project: "shop", target, salt: "", resources: {}, pending: [] };
  const { others } = makeSnapshot({
    ...{ kinds, target, secrets: [], now: Date.parse(at), hash: sha256, withContents: true },
    state: { format: "loadform-state/1", ...stored },
    live: { nodes: new Map(nodes.map((each) => [each.handle, each])), contents: new Map([["h1", "a()"]]) },
    desired: { nodes: new Map(), contents: new Map() },
    fingerprint: () => "",
    hides: (text) => text.includes("canary"),
  });
  return others.map(({ kind: _kind, id: _id, createdAt: _at, ...rest }) => rest as JsonObject);
}

test("an unbound object shows what refers to others, and none of its settings", () => {
  const provider = { provider: { id: 7 }, regions: ["rack-4"], numRegions: 2 };
  const fields = {
    name: "nightly",
    scenario: { id: 3 },
    concurrentClients: 90,
    description: "d",
    providers: [provider],
  };
  expect(othersOf(node("configuration", 1, { parent: "testCase#5", fields }))).toEqual([
    {
      parent: "testCase#5",
      name: "nightly",
      references: { scenario: { id: 3 }, providers: [{ provider: { id: 7 }, regions: ["rack-4"] }] },
    },
  ]);
});

test("an unbound scenario shows its tags, without which the plan of a deleted tag is another one", () => {
  const fields = { name: "browse", tags: ["slow"], script: { $content: "h1", bytes: 3 } };
  expect(othersOf(node("scenario", 1, { fields }))).toEqual([{ name: "browse", references: { tags: ["slow"] } }]);
});

test("of an unbound object's facts only those are shown that decide something", () => {
  const facts = { public: true, readonly: false, active: true };
  expect(othersOf(node("provider", 1, { fields: { name: "grid" }, facts, offers: ["rack-4"] }))).toEqual([
    { name: "grid", facts: { public: true }, offers: ["rack-4"] },
  ]);
  const region = { name: "rack-4", provider: { id: 1 } };
  const idle = { active: false, activeAgentCount: 4 };
  expect(othersOf(node("region", 2, { fields: region, facts: idle }))).toEqual([
    { name: "rack-4", references: { provider: { id: 1 } }, facts: { active: false } },
  ]);
  expect(othersOf(node("gateway", 3, { fields: { name: "g" }, facts: idle }))).toEqual([{ name: "g" }]);
});

test("a name or reference with a secret in it is left out", () => {
  expect(othersOf(node("scenario", 1, { fields: { name: "canary", tags: ["canary"] } }))).toEqual([{}]);
});

/** What a snapshot says of an object's sources; `fingerprint` is what the applied secrets have now. */
function sourcesOf(kind: string, written: JsonObject, sensitive: readonly string[], fingerprint = "print") {
  const fields = JSON.parse(JSON.stringify(written).replaceAll("${env:T}", "canary")) as JsonObject;
  const desired = { ...node(kind, 1, { fields }), handle: `${kind}.v`, sensitive, sources: written };
  const secrets = Object.fromEntries(sensitive.map((path) => [path, "print"]));
  const target = { url: "https://load.example.com", organization: 1 };
  const stored = { serial: 1, lineage: "l", project: "shop", target, salt: "", pending: [] };
  const { bound } = makeSnapshot({
    ...{ kinds, target, secrets: [], now: Date.parse(at), hash: sha256, withContents: true },
    state: {
      format: "loadform-state/1",
      ...stored,
      resources: { [`${kind}.v`]: { kind, id: 1, createdAt: at, applied: {}, secrets } },
    },
    live: { nodes: new Map(), contents: new Map() },
    desired: { nodes: new Map([[`${kind}.v`, desired]]), contents: new Map() },
    fingerprint: () => fingerprint,
    hides: () => false,
  });
  return bound[`${kind}.v`]?.sources;
}

test("what the files say is hashed unless they spell a secret out", () => {
  const mixed = { username: "by ${env:T}", password: "hunter2" };
  expect(sourcesOf("vcsRoot", mixed, ["username", "password"])).toEqual({ username: sha256('"by ${env:T}"') });
  expect(sourcesOf("vcsRoot", mixed, ["username"], "another")).toEqual({ username: "" });
  expect(sourcesOf("vcsRoot", { password: "${env:T}" }, ["password"])).toEqual({ password: sha256('"${env:T}"') });
  const metadata = { cloudSecretAccessKey: "hunter3", cloudAccessKeyId: "${env:T}" };
  expect(sourcesOf("provider", { metadata }, ["metadata.cloudSecretAccessKey", "metadata.cloudAccessKeyId"])).toEqual({
    "metadata.cloudAccessKeyId": sha256('"${env:T}"'),
  });
});

test("nor of a whole field that may have such a secret in it", () => {
  const text = '{"p":"hunter2","q":"${env:T}"}';
  expect(sourcesOf("configuration", { scriptParams: text }, ["scriptParams"])).toBeUndefined();
  expect(sourcesOf("scenario", { paramsConfig: [{ name: "${env:T}" }] }, ["paramsConfig"])).toBeUndefined();
  expect(sourcesOf("provider", { metadata: { "a.b": "${env:T}" } }, ["metadata"])).toBeUndefined();
});
