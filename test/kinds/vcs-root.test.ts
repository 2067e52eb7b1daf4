import { expect, test } from "vitest";
import { loadFiles } from "../support/load-files.ts";

const found = async (fields: string) => {
  const project = await loadFiles(`vcsRoots: { v: { url: "https://git.test/x.git", ${fields} } }\n`, {
    env: { T: "t" },
  });
  return project.diagnostics.map(({ code, summary }) => `${code} ${summary}`);
};
const user = 'username: ci, password: "${env:T}"';

test("credentials without a vcsAuthType are refused", async () => {
  expect(await found(user)).toEqual(["LF1202 username has no effect", "LF1202 password has no effect"]);
  expect(await found("vcsAuthType: null, privateKeyName: k")).toEqual(["LF1202 privateKeyName has no effect"]);
});

test("credentials of an authentication that is not set yet are not", async () => {
  const text = `vcsRoots: { v: { url: "https://git.test/x.git", vcsAuthType: "\${env:NONE}", ${user} } }\n`;
  const { diagnostics } = await loadFiles(text, { env: { T: "t" }, unsetEnv: "warning" });
  expect(diagnostics.map(({ code }) => code)).toEqual(["LF1303"]);
});

test("credentials beside one that is chosen, and cleared ones, are not", async () => {
  expect(await found(`vcsAuthType: Username, ${user}, privateKeyName: k`)).toEqual([]);
  expect(await found("username: null, privateKey: null")).toEqual([]);
});
