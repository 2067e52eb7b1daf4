import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService } from "../../src/service/index.ts";
import { runCli } from "../support/run-cli.ts";
import { projectFolder } from "../support/small-project.ts";

const key = "named-key-4711";

describe("a project whose service.apiKey names a variable", () => {
  const service = createService({ apiKey: key });
  let url = "";
  beforeAll(async () => {
    url = (await service.listen(0)).url;
  });
  afterAll(() => service.close());

  const project = () =>
    projectFolder(`project: small
service: { url: "${url}", apiKey: "\${env:SHOP_KEY}" }
testCases:
  checkout:
    scenarios:
      browse: { script: "run();" }
`);

  it("sends what is in it, in every command, whatever $LOADFORM_API_KEY is", async () => {
    const cwd = project();
    const env = { SHOP_KEY: `${key}\n`, LOADFORM_API_KEY: "another-key-0815", LOADFORM_LOG: "debug" };
    const run = (...args: string[]) => runCli(args, { cwd, env });
    const commands = [
      ["validate"],
      ["plan", "--out", "plan.json"],
      ["apply", "plan.json"],
      ["plan", "--json"],
      ["drift"],
      ["whoami"],
      ["destroy", "--auto-approve"],
    ];
    for (const args of commands) {
      const { code, stdout, stderr } = await run(...args);
      expect([args[0], code, stderr]).toEqual([args[0], 0, expect.anything()]);
      expect(`${stdout}${stderr}`).not.toContain(key);
    }
    expect(service.requests.some(({ status }) => status === 401)).toBe(false);
  });

  it("says which variable is missing, or empty, or no key; a refused key names the setting", async () => {
    const cwd = project();
    const plan = async (env: Readonly<Record<string, string>>) => {
      const { code, stderr } = await runCli(["plan"], { cwd, env: { LOADFORM_API_KEY: key, ...env } });
      return `${code} ${stderr.replaceAll(/\s+/g, " ")}`;
    };
    for (const env of [{}, { SHOP_KEY: " \n" }])
      expect(await plan(env)).toMatch(
        /^1 .*LF2006.*no key for the service.*Set \$SHOP_KEY to a key for http:.*For loadform serve it is local/,
      );
    expect(await plan({ SHOP_KEY: "wrong\nkey" })).toMatch(/^1 .*LF2006.*\$SHOP_KEY is not a key/);
    const refused = await plan({ SHOP_KEY: "wrong-key-77" });
    expect(refused).toMatch(/^1 .*LF2002.*\$LOADFORM_API_KEY, or the variable that service\.apiKey names/);
    expect(refused).not.toContain("wrong-key-77");
    expect(await runCli(["validate"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  });

  it("shows the key nowhere, when the service repeats it too", async () => {
    const cwd = project();
    const body = [
      {
        method: "GET",
        path: "/orgs/:orgId/test-cases",
        times: 9,
        status: 418,
        body: { code: "TEAPOT", message: `your key ${key} is no tea` },
      },
    ];
    const faults = (method: string) =>
      service.handle({ method, path: "/_loadform/faults", headers: { "x-api-key": key }, body });
    expect((await faults("PUT")).status).toBe(200);
    const { code, stdout, stderr } = await runCli(["plan"], { cwd, env: { SHOP_KEY: key } });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/your key \S+ is no tea/)]);
    expect(`${stdout}${stderr}`).not.toContain(key);
    await faults("DELETE");
  });

  it("needs none at the bundled service, as without it", async () => {
    const cwd = projectFolder('project: a\nservice: { url: "memory:a.json", apiKey: "${env:SHOP_KEY}" }\n');
    expect((await runCli(["plan"], { cwd })).code).toBe(0);
    expect((await runCli(["plan"], { cwd, env: { SHOP_KEY: "any" } })).code).toBe(0);
  });
});
