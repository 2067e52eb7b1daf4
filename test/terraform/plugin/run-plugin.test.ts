import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ChannelCredentials } from "@grpc/grpc-js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { HealthService } from "../../../gen/health.js";
import { GRPCControllerService } from "../../../gen/plugin.js";
import { slownessNow } from "../../support/slowness-now.ts";
import { FakeCore } from "../../support/terraform/fake-core.ts";
import {
  clientIdentity,
  magicCookie,
  type StartedProvider,
  type StartOptions,
  startProvider,
} from "../../support/terraform/start-provider.ts";
import { buildToyPrograms, type ToyPrograms } from "../../support/terraform/toy-programs.ts";
import { toySchema } from "../../support/terraform/toy-provider.ts";

let programs: ToyPrograms;
beforeAll(async () => {
  programs = await buildToyPrograms();
});
afterAll(() => programs.remove());

const started: StartedProvider[] = [];
const cores: FakeCore[] = [];
afterEach(() => {
  for (const core of cores.splice(0)) core.close();
  for (const { child } of started.splice(0)) child.kill("SIGKILL");
});

async function start(options: StartOptions = {}): Promise<StartedProvider> {
  const provider = await startProvider(programs.plugin, options);
  started.push(provider);
  return provider;
}

function connect(provider: Pick<StartedProvider, "target" | "credentials">): FakeCore {
  const core = new FakeCore(provider, toySchema);
  cores.push(core);
  return core;
}

/** The program as a user might start it. */
function run(env: Readonly<Record<string, string>>) {
  return spawnSync(process.execPath, [programs.plugin], { env, encoding: "utf8", timeout: 20_000 });
}

describe("the handshake", () => {
  it("says in one sentence what the program is for without the cookie", () => {
    const { status, stdout, stderr } = run({});
    expect({ status, stdout, lines: stderr.trim().split("\n").length }).toEqual({ status: 1, stdout: "", lines: 1 });
    expect(stderr).toContain("loadform terraform -- plan");
  });

  it("refuses a client that does not speak version 6", () => {
    const { status, stderr } = run({ TF_PLUGIN_MAGIC_COOKIE: magicCookie, PLUGIN_PROTOCOL_VERSIONS: "4,5" });
    expect(status).toBe(1);
    expect(stderr).toContain("speaks version 6");
  });

  it("names a socket that only this user reaches, and a certificate without padding", async () => {
    const { line } = await start();
    expect(line).toMatch(/^1\|6\|unix\|\/[^|]+\|grpc\|[A-Za-z0-9+/]+$/);
    const folder = dirname(line.split("|")[3] ?? "");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("takes a port where the path of a socket would be too long", async () => {
    const deep = join(tmpdir(), "t".repeat(110 - tmpdir().length - 1));
    mkdirSync(deep, { recursive: true });
    try {
      expect(deep).toHaveLength(110);
      const provider = await start({ env: { TMPDIR: deep } });
      expect(provider.line).toMatch(/^1\|6\|tcp\|127\.0\.0\.1:\d+\|grpc\|/);
      await connect(provider).configure();
      expect(readdirSync(deep)).toEqual([]);
    } finally {
      rmSync(deep, { recursive: true });
    }
  });

  it("is plain where Terraform was told to do without TLS", async () => {
    const provider = await start({ tls: false });
    expect(provider.line).toMatch(/\|grpc\|$/);
    await connect(provider).configure();
  });
});

describe("mutual TLS", () => {
  it("lets Terraform in, over a socket and with its own checks", async () => {
    const core = connect(await start());
    await core.configure({ flavour: "plum" });
    const state = await core.create("loadform_toy", { name: "a", size: 0.1 });
    expect(state.value).toMatchObject({ name: "a", size: 0.1, flavour: "plum" });
  });

  it("keeps out who has no certificate or another one", async () => {
    const provider = await start();
    const identity = Buffer.from(provider.line.split("|")[5] ?? "", "base64").toString("base64");
    const root = Buffer.from(`-----BEGIN CERTIFICATE-----\n${identity}\n-----END CERTIFICATE-----\n`);
    const other = clientIdentity();
    const others = ChannelCredentials.createSsl(root, Buffer.from(other.key), Buffer.from(other.certificate));
    for (const credentials of [ChannelCredentials.createSsl(root), others, ChannelCredentials.createInsecure()])
      await expect(connect({ ...provider, credentials }).configure()).rejects.toThrow(/UNAVAILABLE/);
    await connect(provider).configure();
  });
});

describe("the services of a plugin", () => {
  it("is healthy, and its streams remain open without a word", async () => {
    const core = connect(await start());
    expect(await core.ask(HealthService.check, { service: "plugin" })).toEqual({ status: 1 });
    const heard: string[] = [];
    core.stdio
      .streamStdio({})
      .on("data", () => heard.push("data"))
      .on("end", () => heard.push("end"))
      .on("error", () => {});
    core.broker
      .startStream()
      .on("end", () => heard.push("end"))
      .on("error", () => {});
    await core.ask(HealthService.check, { service: "plugin" });
    expect(heard).toEqual([]);
  });

  it("Shutdown ends the process at once, with open streams, and its folder is gone", async () => {
    const provider = await start();
    const core = connect(provider);
    core.stdio.streamStdio({}).on("error", () => {});
    await core.configure();
    const asked = Date.now();
    await core.ask(GRPCControllerService.shutdown, {});
    expect(await provider.exited).toBe(0);
    expect(Date.now() - asked).toBeLessThan(1000 * (await slownessNow()));
    expect(existsSync(dirname(provider.target.replace("unix:", "")))).toBe(false);
  });
});

describe("the end of a process", () => {
  it("does not come by SIGINT, which Terraform answers itself", async () => {
    const provider = await start();
    provider.child.kill("SIGINT");
    await connect(provider).configure();
  });

  it("SIGTERM stops what runs and waits for it", async () => {
    const provider = await start();
    const core = connect(provider);
    await core.configure();
    const applied = core.create("loadform_toy", { name: "waits" });
    const failed = expect(applied).rejects.toThrow("it was interrupted");
    await expect.poll(provider.stderr, { timeout: 10_000 }).toContain("waiting");
    provider.child.kill("SIGTERM");
    await failed;
    expect(await provider.exited).toBe(0);
  });

  it("comes some seconds after the last connection", async () => {
    const provider = await start();
    const core = connect(provider);
    await core.configure();
    core.close();
    expect(await provider.exited).toBe(0);
  });

  it("comes when Terraform is killed", async () => {
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, [process.argv[1]], { stdio: ["ignore", "inherit", "inherit"] });
      child.once("spawn", () => console.error("pid " + child.pid));
      setInterval(() => {}, 1000);
    `;
    const env = { TF_PLUGIN_MAGIC_COOKIE: magicCookie, PLUGIN_PROTOCOL_VERSIONS: "6" };
    const parent = spawn(process.execPath, ["-e", script, programs.plugin], { env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    parent.stderr.on("data", (part) => {
      said += String(part);
    });
    await new Promise((resolve) => parent.stdout.once("data", resolve));
    const pid = Number(/pid (\d+)/.exec(said)?.[1]);
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 20_000, interval: 200 }).toBe(false);
  });

  it("a crash says why behind the word panic", async () => {
    const provider = await start();
    const core = connect(provider);
    await core.configure();
    await core.create("loadform_toy", { name: "crashes" }).catch(() => {});
    expect(await provider.exited).toBe(2);
    expect(provider.stderr()).toMatch(/^panic: Error: the toy crashed\n {4}at /m);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
