import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";
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
/** Names and other plain values, for the second project. */
const names = {
  TAG: "canary~tag 14",
  FREE_TAG: "canary~free-tag 15",
  GRID: "canary~grid 16",
  REGION: "canary~region 17",
  SCENARIO: "canary~scenario 18",
  ROOT: "canary~root 19",
  RUNNER: "canary~runner 20",
  KEY_OF: "canary-key-21",
  COUNT: "94721",
  MOMENT: "2031-04-05T06:07:08.000Z",
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

/** Names from the environment, each of an object that others refer to, in every way in which they can. */
const references = `project: canary
service: { url: "memory:.loadform/service.json" }
tags: { t: { name: "\${env:TAG}" } }
vcsRoots: { v: { name: "\${env:ROOT}", url: "https://git.example.com/a.git" } }
providers:
  g: { providerType: Shared, name: "\${env:GRID}" }
regions:
  r: { name: "\${env:REGION}", provider: g }
  q: { provider: g }
testCases:
  t:
    scenarios:
      s: { name: "\${env:SCENARIO}", script: x, tags: [t, "\${env:FREE_TAG}"] }
      canary-key-21: { name: other, script: x, tags: [t] }
    configurations:
      c:
        scenario: s
        concurrentClients: 1
        durationSecs: "\${env:COUNT}"
        providers: [{ provider: g, regions: [r, q], params: { a: "\${env:RUNNER}" } }]
        schedules:
          once: { scheduleType: Single, nextScheduled: "\${env:MOMENT}" }
      d:
        scenario: "\${env:KEY_OF}"
        concurrentClients: 1
        durationSecs: 10
        providers: [{ provider: g, regions: ["\${env:REGION}"] }]
`;
/** What refers by the name that the service has: there must be such an object first. */
const byName = references
  .replace("q: { provider: g }", 'q: { provider: { name: "${env:GRID}" } }')
  .replace('scenario: "${env:KEY_OF}"', 'scenario: { name: "${env:SCENARIO}" }')
  .replace('regions: ["${env:REGION}"]', "regions: [r]");
/** The key of one of its objects is a value too, and open wherever it is a key. */
const { KEY_OF: _open, ...closed } = names;
const inReferences = Object.values(closed);

/** What gives a value away although its end is missing: not a few digits, which any digest may contain. */
const cut = (values: readonly string[]) =>
  values.flatMap((each) => [each, each.slice(0, -1), each.slice(0, -3)]).filter(({ length }) => length > 4);

const service = sharedService("--api-key", apiKey);

/** A project in a folder, and commands after each of which no secret may stand in any output or file. */
function watched(text = project, looked: readonly string[] = secrets) {
  const cwd = freshFolder();
  mkdirSync(join(cwd, "load"));
  writeFileSync(join(cwd, "loadform.yaml"), text);
  const run = async (...args: readonly string[]) => {
    const all = { ...env, ...names, ...reaching(service), LOADFORM_LOG: "debug" };
    const done = await runCli(args, { cwd, env: all });
    const leaks = [
      ...spellingsFound(done.stdout, cut(looked)).map((each) => `stdout: ${each}`),
      ...spellingsFound(done.stderr, cut(looked)).map((each) => `stderr: ${each}`),
      ...[...filesBelow(cwd)].flatMap(([file, bytes]) =>
        spellingsFound(bytes, looked).map((each) => `${file}: ${each}`),
      ),
    ];
    expect({ args, leaks }).toEqual({ args, leaks: [] });
    return done;
  };
  return { cwd, run, write: (other: string) => writeFileSync(join(cwd, "loadform.yaml"), other) };
}

/** The ways in which a service may repeat what it was sent. */
function repeated(secret: string): readonly string[] {
  const body = JSON.stringify({ name: "x", password: secret, more: [1] });
  const entities = secret.replace(/[&<>"'/]/g, (each) => `&#${each.charCodeAt(0)};`);
  const encoded = [secret, secret.slice(0, -1), secret.slice(0, -3), entities, body].map((each) =>
    encodeURIComponent(each),
  );
  return [
    secret,
    secret.slice(0, -1),
    `${secret.slice(0, -3)}...`,
    entities,
    body,
    ...encoded,
    Buffer.from(body).toString("base64"),
  ];
}

const fault = (method: string, path: string) => ({
  method,
  path,
  status: 400,
  body: { message: `no: ${secrets.flatMap(repeated).join(" ")}` },
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
  });

  test("names objects that others refer to in every way, and stands nowhere (P13)", async () => {
    const { run, write } = watched(references, inReferences);
    const missing = ["region.q", "testCase.t/configuration.d"].map((each) => `error LF3009: ${each} refers to nothing`);
    const ended = async (code: number, ...args: readonly string[]) => {
      const done = await run(...args);
      const said = `${done.stdout}\n${done.stderr}`.split("\n").filter((line) => /^error LF/.test(line));
      expect({ args, code: done.code, said }).toEqual({ args, code, said: code === 1 ? missing : [] });
    };
    write(byName);
    await ended(1, "plan");
    write(references);
    await ended(0, "validate", "--json");
    expect((await run("plan")).stdout).toMatch(/tags: +\(sensitive\)/);
    const document = JSON.parse((await run("plan", "--json", "--markdown", "plan.md")).stdout);
    for (const [address, field] of [
      ["testCase.t/scenario.s", "tags"],
      ["testCase.t/scenario.canary-key-21", "tags"],
      ["testCase.t/configuration.c", "providers"],
      ["testCase.t/configuration.d", "providers"],
      ["testCase.t/configuration.d", "scenario"],
    ]) {
      const found = document.resource_changes.find((each: { address: string }) => each.address === address);
      expect(found.change.after_sensitive).toMatchObject({ [field ?? ""]: true });
    }
    await ended(0, "plan", "--out", "plan.json");
    await ended(0, "apply", "plan.json", "--json");
    expect((await run("plan")).stdout).toMatch(/^No changes/);
    for (const address of ["testCase.t/scenario.s", "testCase.t/configuration.*", "region.r", "tag.t"])
      await ended(0, "state", "show", address, "--json");
    write(byName);
    await ended(0, "plan", "--json");
    await ended(0, "apply", "--auto-approve", "--json", "--force-threshold");
    expect((await run("plan")).stdout).toMatch(/^No changes/);
    await ended(0, "drift", "--json", "--show-unmanaged", "--markdown", "drift.md");
    const { body } = await service.call("GET", "/test-cases?down=true");
    const [scenario] = (body as { scenarios: { id: number }[] }[]).flatMap(({ scenarios }) => scenarios);
    await service.call("PUT", `/scripts/${scenario?.id}`, { tags: ["theirs"] });
    await ended(2, "drift", "--markdown", "drift.md");
    await ended(2, "drift", "--json");
    await ended(0, "plan", "--json", "--markdown", "plan.md");
    await ended(0, "apply", "--auto-approve");
    write(references.replace("tags: [t]", "tags: []").replace("regions: [r, q]", "regions: [r]"));
    await ended(0, "apply", "--auto-approve", "--json", "--force-threshold");
    await ended(0, "plan", "--destroy", "--json", "--force-threshold");
    await ended(0, "destroy", "--auto-approve", "--force-threshold", "--json");
  });

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
  });

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
