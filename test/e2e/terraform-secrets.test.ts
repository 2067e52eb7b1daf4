// merge: the provider's guarantees through the real Terraform and its process
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { createService, type Service } from "../../src/service/index.ts";
import { buildProvider, ProcessProject } from "../support/terraform/process-project.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";

/** What is never kept: values of write-only attributes. */
const hidden = {
  password: 'wo-pa$$ "wörd" 1',
  private_key: "-----BEGIN KEY-----\nwo-private-2\n-----END KEY-----\n",
  access: "wo-access-3",
  secret: "wo-secret/+=4",
  later: "wo-later-5",
};

/** What is kept in the state, but is shown to nobody. */
const masked = {
  plain: "plain-password-6",
  token: "plain-t0ken-7",
  parameter: "plain-parameter-8",
  api_key: "plain-api-key-9",
};

const spellings = (text: string) => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  Buffer.from(text).toString("base64").replace(/=+$/, ""),
  Buffer.from(text).toString("hex"),
];

const found = (text: string, secrets: Readonly<Record<string, string>>) =>
  Object.keys(secrets).filter((name) => spellings(secrets[name] ?? "").some((each) => text.includes(each)));

const root = { url: "https://git.test/a.git", username: "ci" };

function declaredWith(version: number): Readonly<Record<string, JsonObject>> {
  const password = version === 1 ? "password" : "later";
  return {
    "loadform_vcs_root.named": {
      ...root,
      name: "named",
      vcs_auth_type: "Username",
      password_wo: `\${var.${password}}`,
      password_wo_version: version,
    },
    "loadform_vcs_root.keyed": {
      ...root,
      name: "keyed",
      url: "git@git.test:a.git",
      vcs_auth_type: "PrivateKey",
      private_key_wo: "${var.private_key}",
      private_key_wo_version: version,
    },
    "loadform_vcs_root.plain": { ...root, name: "plain", vcs_auth_type: "Username", password: "${var.plain}" },
    "loadform_provider.cloud": {
      name: "cloud",
      provider_type: "CloudOnDemand",
      cloud_access_key_id_wo: "${var.access}",
      cloud_secret_access_key_wo: "${var.secret}",
    },
    "loadform_test_case.shop": { name: "Shop" },
    "loadform_scenario.browse": {
      test_case_id: "${loadform_test_case.shop.id}",
      name: "Browse",
      script: "run()",
      params_config: [{ name: "token", encrypted: true, default_value: "${var.token}" }],
    },
    "loadform_configuration.smoke": {
      test_case_id: "${loadform_test_case.shop.id}",
      scenario_id: "${loadform_scenario.browse.id}",
      name: "Smoke",
      concurrent_clients: 1,
      duration_secs: 60,
      providers: [{ provider_id: "0", regions: ["cloud-us-east-1"] }],
      script_params: "${jsonencode({ token = var.parameter })}",
    },
  };
}

const variables = {
  variable: {
    ...Object.fromEntries(Object.keys(hidden).map((name) => [name, { type: "string", ephemeral: true }])),
    ...Object.fromEntries(Object.keys(masked).map((name) => [name, { type: "string", sensitive: true }])),
  },
};

describe.skipIf(!hasTerraform)("secrets", () => {
  let program: Awaited<ReturnType<typeof buildProvider>>;
  let service: Service;
  let project: ProcessProject;
  let log: string;
  beforeAll(async () => {
    program = await buildProvider();
    service = createService({ apiKey: masked.api_key });
    const { url } = await service.listen(0);
    log = join(program.folder, "trace.log");
    const values = Object.entries({ ...hidden, ...masked }).map(([name, value]) => [`TF_VAR_${name}`, value]);
    const more = { TF_LOG: "trace", TF_LOG_PATH: log, LOADFORM_LOG: "debug", ...Object.fromEntries(values) };
    project = new ProcessProject(service, { url, folder: program.folder, more });
  });
  afterAll(async () => {
    await service.close();
    project.remove();
    program.remove();
  });

  const printed: string[] = [];
  const run = async (...args: string[]) => {
    const { code, output } = await project.run(...args, "-no-color");
    printed.push(output);
    return { code, output };
  };
  const everything = () => ({
    log: readFileSync(log, "utf8"),
    printed: printed.join("\n"),
    state: project.state ?? "",
  });

  it("that are write-only are in no plan file, log, output or state; plain ones in no log or output", async () => {
    for (const version of [1, 2]) {
      project.declare(declaredWith(version), variables);
      const planned = await run("plan", "-out=saved.plan");
      expect(planned.code, planned.output).toBe(0);
      const parts = unzipSync(readFileSync(join(project.path, "saved.plan")));
      const plan = Object.values(parts)
        .map((part) => strFromU8(part, true))
        .join("\n");
      expect(found(plan, hidden)).toEqual([]);
      expect(found((await project.run("show", "-json", "saved.plan")).output, hidden)).toEqual([]);
      const applied = await run("apply", "saved.plan");
      expect(applied.code, applied.output).toBe(0);
    }
    const refusal = (address: string, secret: string) => ({
      method: "PUT",
      path: `/vcs-roots/${project.id(address)}`,
      status: 400,
      body: { message: `cannot use ${secret} there` },
    });
    const refusals = [
      refusal("loadform_vcs_root.named", hidden.password),
      refusal("loadform_vcs_root.plain", masked.plain),
    ];
    await faults(refusals);
    const renamed = declaredWith(1);
    const plain = { ...renamed["loadform_vcs_root.plain"], name: "plain 2" };
    project.declare({ ...renamed, "loadform_vcs_root.plain": plain }, variables);
    const refused = await run("apply", "-auto-approve");
    expect(refused.output.split("cannot use").length, refused.output).toBe(3);
    await faults([]);
    expect((await run("apply", "-auto-approve")).code).toBe(0);
    const { log: traced, printed: shown, state } = everything();
    expect(traced).toContain("PUT /vcs-roots/");
    expect({ log: found(traced, { ...hidden, ...masked }), shown: found(shown, { ...hidden, ...masked }) }).toEqual({
      log: [],
      shown: [],
    });
    expect(found(state, hidden)).toEqual([]);
    expect(found(state, { plain: masked.plain })).toEqual(["plain"]);
    const backup = join(project.path, "terraform.tfstate.backup");
    expect(existsSync(backup) ? found(readFileSync(backup, "utf8"), hidden) : []).toEqual([]);
  });

  const faults = (body: unknown) =>
    service.handle({
      method: "PUT",
      path: "/_loadform/faults",
      headers: { "x-api-key": masked.api_key },
      body: body as never,
    });
});
