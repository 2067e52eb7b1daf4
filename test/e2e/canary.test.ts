import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedService } from "../cli/shared-service.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { spellingsFound } from "../support/spellings.ts";
import { filesBelow, reaching } from "./example-folder.ts";

const pem = "-----BEGIN KEY-----\ncanaryPEM1line/+==\ncanaryPEM2line\n-----END KEY-----\n";

/** A secret for every place in which one can stand, with all that has to be escaped somewhere. */
const env = {
  NAME: `canary name's "1"`,
  DESCRIPTION: "canary <b>&amp; 2",
  SCRIPT: "canary/script+3?",
  INIT: "canary\\init 4",
  DEFAULT: "canary$default5",
  DATA: "canary,data;6",
  LINK: "canary-link-7",
  PARAM: `canary"param'8`,
  PASSWORD: "canary päss:9@",
  KEY_ID: "canaryAKIA10",
  CLOUD: "canary/cloud+11==",
  PEM: pem,
  VARIABLE: "canary`var`12",
} as const;
const apiKey = "canary-api-key/13";
const secrets = [...Object.values(env), ...pem.trim().split("\n").slice(1, 3), apiKey];

const project = `project: canary
service: { url: "memory:.loadform/service.json" }
variables: { extra: { default: "\${env:VARIABLE}" } }
testCases:
  t:
    name: "T \${env:NAME}"
    description: "By \${env:DESCRIPTION} and \${var:extra}"
    scenarios:
      s:
        script: "login('\${env:SCRIPT}')"
        init: "\${env:INIT}"
        paramsConfig: [{ name: token, encrypted: true, defaultValue: "\${env:DEFAULT}" }, { name: other }]
        dataStores: { d.csv: { contents: "user,\${env:DATA}\\n" } }
    gateways: { g: { url: "https://x.example.com/\${env:LINK}" } }
    configurations:
      c:
        scenario: s
        concurrentClients: 1
        durationSecs: 10
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1], numRegions: 1 }]
        scriptParams: { token: "\${env:PARAM}", other: "\${env:SCRIPT}" }
vcsRoots:
  a: { url: "https://git.example.com/a.git", vcsAuthType: Username, username: ci, password: "\${env:PASSWORD}" }
  b: { url: "ssh://git@git.example.com/b.git", vcsAuthType: PrivateKey, privateKey: "\${env:PEM}" }
providers:
  p: { providerType: CloudOnDemand, metadata: { cloudAccessKeyId: "\${env:KEY_ID}", cloudSecretAccessKey: "\${env:CLOUD}" } }
`;

const service = sharedService("--api-key", apiKey);

/** A project in a folder, and commands after each of which no secret may stand in any output or file. */
function watched(text = project) {
  const cwd = freshFolder();
  mkdirSync(join(cwd, "load"));
  writeFileSync(join(cwd, "loadform.yaml"), text);
  const run = async (...args: readonly string[]) => {
    const all = { ...env, ...reaching(service), LOADFORM_LOG: "debug" };
    const done = await runCli(args, { cwd, env: all });
    const leaks = [
      ...spellingsFound(done.stdout, secrets).map((each) => `stdout: ${each}`),
      ...spellingsFound(done.stderr, secrets).map((each) => `stderr: ${each}`),
      ...[...filesBelow(cwd)].flatMap(([file, bytes]) =>
        spellingsFound(bytes, secrets).map((each) => `${file}: ${each}`),
      ),
    ];
    expect({ args, leaks }).toEqual({ args, leaks: [] });
    return done;
  };
  return { cwd, run };
}

const fault = (method: string, path: string) => ({
  method,
  path,
  status: 400,
  body: { message: `no: ${secrets.join(" ")} ${secrets.map((each) => encodeURIComponent(each)).join(" ")}` },
});

describe("a canary in every place where a secret can stand", () => {
  test("stands in no output and no file of any command (P13)", async () => {
    const { run } = watched();
    for (const args of [
      ["validate"],
      ["validate", "--json"],
      ["whoami"],
      ["whoami", "--json"],
      ["plan"],
      ["plan", "--json", "--markdown", "plan.md", "--show-unmanaged"],
      ["plan", "--out", "plan.json"],
      ["apply", "plan.json"],
      ["plan"],
      ["plan", "--destroy", "--json"],
      ["plan", "--replace", "testCase.t/scenario.s"],
      ["state", "list"],
      ["state", "show", "vcsRoot.a"],
      ["state", "show", "testCase.t/scenario.s", "--json"],
      ["state", "pull"],
      ["drift"],
      ["drift", "--json"],
      ["fmt", "--check"],
      ["schema", "vcsRoot"],
      ["explain", "LF1203"],
      ["snapshot", "--out", "snapshot.json"],
      ["destroy", "--auto-approve", "--force-threshold", "--json"],
      ["apply", "--auto-approve", "--json"],
      ["destroy", "--auto-approve", "--force-threshold"],
    ])
      await run(...args);
  }, 120_000);

  test("stands in no word about a write that failed, although the service repeats it all", async () => {
    const { run } = watched();
    const routes = ["/orgs/:orgId/vcs-roots", "/providers", "/test-cases"];
    await service.call(
      "PUT",
      "/_loadform/faults",
      routes.map((path) => fault("POST", path)),
    );
    try {
      expect((await run("apply", "--auto-approve")).code).toBe(6);
      expect((await run("apply", "--auto-approve", "--json")).code).toBe(6);
    } finally {
      await service.call("DELETE", "/_loadform/faults");
    }
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    await service.call("PUT", "/_loadform/faults", [fault("GET", "/login"), fault("GET", "/test-cases")]);
    try {
      for (const command of ["plan", "drift", "whoami"]) expect((await run(command)).code).toBe(1);
    } finally {
      await service.call("DELETE", "/_loadform/faults");
    }
    expect((await run("destroy", "--auto-approve", "--force-threshold")).code).toBe(0);
  }, 60_000);

  test.each([
    ["under a misspelt key", 'password: "${env:PASSWORD}"', "pasword: canary-link-7"],
    ["under its own key", 'password: "${env:PASSWORD}"', "password: canary-link-7"],
    ["in a text that does not parse", 'password: "${env:PASSWORD}"', 'password: "canary-link-7'],
    ["in a value of another type", "metadata: {", "metadata: { cloudSecretAccessKeys: [canary-link-7],"],
  ])("written out %s is not shown with its line", async (_, from, to) => {
    const text = project.replace(from, to);
    expect(text).not.toBe(project);
    const cwd = freshFolder();
    writeFileSync(join(cwd, "loadform.yaml"), text);
    for (const args of [["validate"], ["validate", "--json"], ["plan"], ["fmt", "--check"]]) {
      const { stdout, stderr } = await runCli(args, { cwd, env: { ...env, ...reaching(service) } });
      expect({ args, leaks: spellingsFound(stdout + stderr, secrets) }).toEqual({ args, leaks: [] });
    }
  });

  test("written out as the default of an encrypted parameter is in no saved plan: it is refused", async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, "loadform.yaml"), project.replace('"${env:DEFAULT}"', "canary-link-7"));
    const { code, stderr } = await runCli(["plan", "--out", "p.json"], { cwd, env: { ...env, ...reaching(service) } });
    expect([code, stderr]).toEqual([1, expect.stringContaining("LF1203")]);
    expect([...filesBelow(cwd).keys()]).not.toContain(join(cwd, "p.json"));
    expect(spellingsFound(stderr, secrets)).toEqual([]);
  });

  test.each(["https://ci:canary-link-7@load.example.com", "https://load.example.com/?key=canary-link-7"])(
    "is refused in the address of the service, without repeating it: %s",
    async (url) => {
      const cwd = freshFolder();
      writeFileSync(join(cwd, "loadform.yaml"), project.replace("memory:.loadform/service.json", url));
      const { code, stdout, stderr } = await runCli(["plan"], { cwd, env: { ...env, LOADFORM_API_KEY: apiKey } });
      expect([code, spellingsFound(stdout + stderr, secrets)]).toEqual([1, []]);
    },
  );
});
