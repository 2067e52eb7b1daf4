import { expect, it } from "vitest";
import { secretsIn } from "../../src/model/secret-texts.ts";

it("secrets are the texts at sensitive paths; the name of a variable that is not set is none", () => {
  const fields = {
    name: "ci",
    password: "hunter2",
    metadata: { key: "k-1", keys: ["k-2", 3], other: { $unset: "CLOUD_KEY" } },
    token: { $unset: "GIT_TOKEN" },
  };
  expect(secretsIn([{ handle: "provider.p", fields, sensitive: ["password", "metadata", "token"] }])).toEqual([
    "hunter2",
    "k-1",
    "k-2",
  ]);
});

it("what the files spell out in a list that is secret as a whole is no secret; a secret that is one text is", () => {
  const providers = [{ provider: { name: "Grid" }, regions: ["cloud-us-east-1"], params: { q: "hunter2" } }];
  const sources = {
    providers: [{ provider: { name: "Grid" }, regions: ["cloud-us-east-1"], params: { q: "${env:Q}" } }],
    password: "hunter3",
  };
  const fields = { providers, password: "hunter3", scriptParams: { p: "hunter4", "x.y": "hunter5" } };
  const sensitive = ["providers", "password", "scriptParams"];
  const written = { ...sources, scriptParams: { p: "hunter4", "x.y": "${env:X}" } };
  const nodes = [
    { handle: "a", fields, sources: written, sensitive },
    { handle: "b", fields: { name: "hunter3" } },
  ];
  expect(secretsIn(nodes)).toEqual(["hunter2", "hunter3", "hunter4", "hunter5"]);
});

it("neither the address nor the name of an object is a secret, wherever it stands", () => {
  const providers = [{ provider: { ref: "provider.p" }, regions: ["p"], params: { q: "hunter2", ref: "region.r" } }];
  const nodes = [
    { handle: "testCase.t/configuration.c", fields: { providers }, sensitive: ["providers"] },
    { handle: "provider.p", fields: { name: "p" } },
  ];
  expect(secretsIn(nodes.values())).toEqual(["hunter2", "region.r"]);
});
