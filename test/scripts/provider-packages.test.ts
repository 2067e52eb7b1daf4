// merge: through the tarball of npm pack, installed outside the clone
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../../src/service/index.ts";
import { freshFolder } from "../support/run-cli.ts";
import { repository } from "../support/source-files.ts";
import { type BuiltProvider, buildProvider } from "../support/terraform/built-provider.ts";
import { hasTerraform, runToEnd, terraformEnv, terraformFolder } from "../support/terraform/real-terraform.ts";
import { startProvider } from "../support/terraform/start-provider.ts";

const hasUnzip = spawnSync("unzip", ["-v"], { stdio: "ignore" }).status === 0;
if (!hasUnzip) console.log("SKIPPED: release zips are not unpacked with unzip, which is not installed here");

let provider: BuiltProvider;
let service: Service;
let url = "";
beforeAll(async () => {
  provider = await buildProvider();
  service = createService({ apiKey: "key" });
  ({ url } = await service.listen(0));
});
/** Each mirror is some 13 MB. */
const made: string[] = [];
function scratchFolder(): string {
  const folder = freshFolder();
  made.push(folder);
  return folder;
}
afterAll(async () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
  provider.remove();
  await service.close();
});

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();

/** What a program that Terraform installed must be able to do. */
async function expectProvider(program: string): Promise<void> {
  expect(statSync(program).mode & 0o777).toBe(0o755);
  const { status, stderr } = spawnSync(program, { env: { PATH: process.env["PATH"] }, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("loadform terraform -- plan") });
  const { line, child } = await startProvider(program);
  child.kill("SIGKILL");
  expect(line).toMatch(/^1\|6\|unix\|/);
}

/** Initializes and plans a configuration in a home that has no settings of Terraform, with no way to any registry. */
async function plansOffline(home: string, ...flags: readonly string[]): Promise<void> {
  const folder = terraformFolder();
  folder.write('resource "loadform_test_case" "a" {\n  name = "Checkout"\n}\n');
  const { TF_CLI_CONFIG_FILE: _, ...bare } = terraformEnv({
    HOME: home,
    HTTPS_PROXY: "http://127.0.0.1:9",
    LOADFORM_URL: url,
    LOADFORM_API_KEY: "key",
  });
  const terraform = (...args: readonly string[]) =>
    runToEnd(["terraform", ...args, "-no-color"], { cwd: folder.path, env: bare });
  try {
    const initialized = await terraform("init", ...flags);
    expect(initialized.output).toContain(`Installed loadform/loadform v${provider.version}`);
    expect((await terraform("plan")).output).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
    // What stands in the lock file holds for the next init too.
    expect(await terraform("init", ...flags)).toMatchObject({ code: 0 });
  } finally {
    folder.remove();
  }
}

const implied = (home: string) => join(home, ".terraform.d", "plugins");

describe("npm run provider:install", () => {
  it("writes one executable for each host and platform of Linux and macOS", async () => {
    const to = scratchFolder();
    provider.mirror(to);
    const { hosts, platforms, version } = provider;
    expect(hosts).toEqual(["registry.opentofu.org", "registry.terraform.io"]);
    expect(platforms).toEqual(expect.arrayContaining(["linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"]));
    const folders = hosts.flatMap((host) =>
      platforms.map((platform) => `${host}/loadform/loadform/${version}/${platform}`),
    );
    const names = ["package.json", `terraform-provider-loadform_v${version}`];
    expect(filesBelow(to)).toEqual(folders.flatMap((folder) => names.map((name) => `${folder}/${name}`)).sort());
    await expectProvider(join(to, `${folders[0]}/${names[1]}`));
  });

  it("writes into the home of the user, or where it is told to, and says what finds it there", () => {
    const home = realpathSync(scratchFolder());
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [join(repository, "scripts/install-provider.js"), ...args], {
        env: { PATH: process.env["PATH"], HOME: home },
        encoding: "utf8",
      });
    const installed = run();
    expect(installed.stdout).toContain(implied(home));
    expect(installed.stdout).toContain("`terraform init` and `tofu init` find it there by themselves");
    const elsewhere = join(home, "mirror");
    expect(run("--to", elsewhere).stdout).toContain(`terraform init -plugin-dir=${elsewhere}`);
    expect(filesBelow(elsewhere)).toEqual(filesBelow(implied(home)));
  });

  it.skipIf(!hasTerraform)("lets terraform init and plan work offline, without a setting", async () => {
    const home = scratchFolder();
    provider.mirror(implied(home));
    await plansOffline(home);
  });

  it.skipIf(!hasTerraform)("lets terraform init install from another folder", async () => {
    const mirror = scratchFolder();
    provider.mirror(mirror);
    await plansOffline(scratchFolder(), `-plugin-dir=${mirror}`);
  });
});

describe("npm run provider:package", () => {
  it("writes what a registry takes: a zip for each platform, a manifest, the sums of all", () => {
    const to = scratchFolder();
    const names = provider.release(to);
    const release = `terraform-provider-loadform_${provider.version}`;
    expect([...names].sort()).toEqual(filesBelow(to));
    expect(names).toEqual([
      ...provider.platforms.map((platform) => `${release}_${platform}.zip`),
      `${release}_manifest.json`,
      `${release}_SHA256SUMS`,
    ]);
    expect(JSON.parse(readFileSync(join(to, `${release}_manifest.json`), "utf8"))).toEqual({
      version: 1,
      metadata: { protocol_versions: ["6.0"] },
    });
    const sums = names.slice(0, -1).map((name) => {
      const sum = createHash("sha256")
        .update(readFileSync(join(to, name)))
        .digest("hex");
      return `${sum}  ${name}\n`;
    });
    expect(readFileSync(join(to, `${release}_SHA256SUMS`), "utf8")).toBe(sums.join(""));
  });

  it("writes the same bytes again, elsewhere and in another time zone", () => {
    const sumsIn = (TZ: string) => {
      const to = scratchFolder();
      const script = join(repository, "scripts/package-provider.js");
      const env = { PATH: process.env["PATH"], TZ };
      const { stdout } = spawnSync(process.execPath, [script, "--to", to], { env, encoding: "utf8" });
      expect(stdout.trim().split("\n")).toHaveLength(provider.platforms.length + 2);
      return readFileSync(join(to, `terraform-provider-loadform_${provider.version}_SHA256SUMS`), "utf8");
    };
    expect(sumsIn("Pacific/Kiritimati")).toBe(sumsIn("America/Los_Angeles"));
  });

  it.skipIf(!hasUnzip)("unpacks to a program that starts as it is", async () => {
    const to = scratchFolder();
    const [zip = ""] = provider.release(to);
    expect(spawnSync("unzip", [zip, "-d", "unpacked"], { cwd: to }).status).toBe(0);
    const program = `terraform-provider-loadform_v${provider.version}`;
    expect(Object.keys(unzipSync(readFileSync(join(to, zip)))).sort()).toEqual(["package.json", program]);
    await expectProvider(join(to, "unpacked", program));
  });

  it.skipIf(!hasTerraform)("makes zips that a mirror may hold as they are", async () => {
    const release = scratchFolder();
    const zips = provider.release(release).filter((name) => name.endsWith(".zip"));
    const home = scratchFolder();
    const mirror = join(implied(home), "registry.terraform.io/loadform/loadform");
    mkdirSync(mirror, { recursive: true });
    for (const zip of zips) cpSync(join(release, zip), join(mirror, zip));
    await plansOffline(home);
  });
});

describe("the package", () => {
  it("has the provider as a program, which starts through the link that npm makes", () => {
    const { bin } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    const link = join(scratchFolder(), "terraform-provider-loadform");
    symlinkSync(join(repository, bin["terraform-provider-loadform"]), link);
    const { stderr } = spawnSync(link, { env: { PATH: process.env["PATH"] }, encoding: "utf8" });
    expect(stderr).toContain("loadform terraform -- plan");
  });
});
