import { describe, expect, test } from "vitest";
import { codesOf, loadFiles, nodeAt } from "../support/load-files.ts";
import { browse, configuration, scenario, smoke } from "./declared-snippets.ts";

describe("secrets", () => {
  const env = { TOKEN: "hunter2", KEY: "key-id" };

  test.each([
    [
      "a field",
      'vcsRoots: { a: { url: "https://x.example", vcsAuthType: Username, username: u, password: "${env:TOKEN}" } }',
      "vcsRoot.a",
      ["password"],
    ],
    [
      "a secret from a file",
      'vcsRoots: { a: { url: "https://x.example", vcsAuthType: Username, username: u, password: "${file:token}" } }',
      "vcsRoot.a",
      ["password"],
    ],
    [
      "a member of a map",
      'providers: { a: { providerType: CloudOnDemand, metadata: { cloudSecretAccessKey: "${env:TOKEN}", zone: eu } } }',
      "provider.a",
      ["metadata.cloudSecretAccessKey"],
    ],
    ["a part of a text", 'testCases: { a: { description: "by ${env:TOKEN}" } }', "testCase.a", ["description"]],
    ["a script", scenario('script: "login(${env:TOKEN})"'), browse, ["script"]],
    [
      "a parameter",
      configuration('durationSecs: 1, scriptParams: { token: "${env:TOKEN}", other: x }'),
      smoke,
      ["scriptParams.token"],
    ],
    [
      "parameters as one text",
      configuration(`durationSecs: 1, scriptParams: '{"token":"\${env:TOKEN}"}'`),
      smoke,
      ["scriptParams"],
    ],
    ["a number", configuration('durationSecs: "${env:SECS}"'), smoke, ["durationSecs"]],
    [
      "a default of a parameter",
      scenario('script: x, paramsConfig: [{ name: other }, { name: token, defaultValue: "${env:TOKEN}" }]'),
      browse,
      ["paramsConfig.token.defaultValue"],
    ],
    [
      "a default of an encrypted parameter",
      scenario(
        'script: x, paramsConfig: [{ name: token, encrypted: true, defaultValue: "${file:token}" }, { name: b, encrypted: true }]',
      ),
      browse,
      ["paramsConfig.token.defaultValue"],
    ],
    [
      "the name of a parameter with its default",
      scenario('script: x, paramsConfig: [{ name: "${env:TOKEN}", defaultValue: "${env:TOKEN}" }]'),
      browse,
      ["paramsConfig"],
    ],
    ["something inside a list", scenario('script: x, tags: [a, "${env:TOKEN}"]'), browse, ["tags"]],
    [
      "the name of a tag that is referred to by its key",
      `tags: { t: { name: "\${env:TOKEN}" } }\n${scenario("script: x, tags: [open, t]")}`,
      browse,
      ["tags"],
    ],
    [
      "the name of a region that is referred to by its key",
      configuration("durationSecs: 1")
        .replace("{ id: 0 } }]", "{ id: 0 }, regions: [r] }]")
        .concat('\nregions: { r: { name: "${env:TOKEN}", provider: { id: 0 } } }'),
      smoke,
      ["providers"],
    ],
    [
      "a key with a dot in it",
      configuration('durationSecs: 1, scriptParams: { a.b: "${env:TOKEN}" }'),
      smoke,
      ["scriptParams"],
    ],
    [
      "something below a key with a dot in it",
      scenario('script: x, paramsConfig: [{ name: api.token, defaultValue: "${env:TOKEN}" }]'),
      browse,
      ["paramsConfig"],
    ],
  ])("%s is sensitive", async (_, yaml, address, sensitive) => {
    const project = await loadFiles(`${yaml}\n`, { env: { ...env, SECS: "60" }, files: { token: "hunter2\n" } });
    expect(project.diagnostics).toEqual([]);
    const node = nodeAt(project, address);
    expect(node.sensitive).toEqual(sensitive);
    expect(Object.keys(node.sources ?? {})).toEqual([...new Set(sensitive.map((path) => path.split(".")[0]))]);
    expect(JSON.stringify(node.sources)).not.toContain("hunter2");
  });

  test("a value for an encrypted parameter of the referred scenario is sensitive", async () => {
    const project = await loadFiles(
      configuration("durationSecs: 1, scriptParams: { token: x, other: y }").replace(
        "script: run()",
        "script: run(), paramsConfig: [{ name: token, encrypted: true }, { name: other }]",
      ),
    );
    expect(nodeAt(project, smoke).sensitive).toEqual(["scriptParams.token"]);
  });

  test("the value is there, without the line end of a file of one line; a key file stays whole", async () => {
    const project = await loadFiles(
      'vcsRoots: { a: { url: "https://x.example", vcsAuthType: Username, username: u, password: "${file:token}" }, b: { url: "ssh://x", vcsAuthType: PrivateKey, privateKey: "${file:key}" } }\n',
      { files: { token: "hunter2\r\n", key: "-----\nx\n" } },
    );
    expect(nodeAt(project, "vcsRoot.a").fields.password).toBe("hunter2");
    expect(nodeAt(project, "vcsRoot.b").fields.privateKey).toBe("-----\nx\n");
  });

  test("an unset variable leaves a mark in its place, and is a warning to validate", async () => {
    const yaml =
      'providers: { a: { providerType: CloudOnDemand, metadata: { cloudSecretAccessKey: "${env:NONE}" } } }\n';
    const project = await loadFiles(yaml, { unsetEnv: "warning" });
    expect(project.diagnostics).toMatchObject([{ severity: "warning", code: "LF1303" }]);
    expect(nodeAt(project, "provider.a")).toMatchObject({
      fields: { metadata: { cloudSecretAccessKey: { $unset: "NONE" } } },
      sensitive: ["metadata.cloudSecretAccessKey"],
    });
    expect(codesOf(await loadFiles(yaml))).toEqual(["LF1303"]);
  });

  test("an empty one is as good as unset, so that no pipeline without its secret wipes a password", async () => {
    const vcsRoot = (password: string) =>
      `vcsRoots: { a: { url: "https://x.example", vcsAuthType: Username, username: "\${env:NAME}", password: "${password}" } }\n`;
    const given = { env: { NAME: "", TOKEN: "" }, files: { token: "\n" } };
    for (const source of ["${env:TOKEN}", "${file:token}"]) {
      const project = await loadFiles(vcsRoot(source), given);
      expect(project.diagnostics, source).toMatchObject([
        { severity: "error", code: "LF1303", summary: `${source} is empty` },
      ]);
      expect(nodeAt(project, "vcsRoot.a").fields).toMatchObject({ username: "", password: { $unset: source } });
    }
    const validated = await loadFiles(vcsRoot("${env:TOKEN}"), { ...given, unsetEnv: "warning" });
    expect(validated.diagnostics).toMatchObject([{ severity: "warning", code: "LF1303" }]);
  });
});

test("a misspelt expression in a secret field is refused, and nothing of it is repeated", async () => {
  const project = await loadFiles(
    'vcsRoots: { a: { url: "https://x.example", vcsAuthType: Username, username: u, password: "${env.hunter2}" } }',
  );
  expect(codesOf(project)).toEqual(["LF1203"]);
  expect(JSON.stringify(project.diagnostics)).not.toContain("hunter2");
});
