import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { createInterface } from "node:readline";
import { ChannelCredentials, type ChannelCredentials as Credentials } from "@grpc/grpc-js";
import { allocatorVariables } from "../../../src/cli/prepare-engine.ts";
import { certificatePem, writeCertificate } from "../../../src/terraform/plugin/certificate.ts";

/** The value by which Terraform tells a plugin that it is one. */
export const magicCookie = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

/** A provider's process after its handshake, as the core sees it. */
export interface StartedProvider {
  readonly child: ChildProcess;
  readonly line: string;
  readonly network: string;
  /** As grpc-js takes it. */
  readonly target: string;
  readonly credentials: Credentials;
  readonly stderr: () => string;
  readonly exited: Promise<number | null>;
}

/** How a provider is started. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Without: plain h2c, as with TF_DISABLE_PLUGIN_TLS. */
  readonly tls?: boolean;
}

/** Key and certificate as Terraform makes them for itself: of the curve P-521. */
export function clientIdentity(): { readonly key: string; readonly certificate: string } {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-521" });
  const certificate = certificatePem(writeCertificate({ ...keys, serial: Buffer.of(7), now: Date.now() }));
  return { key: String(keys.privateKey.export({ type: "pkcs8", format: "pem" })), certificate };
}

/** Starts a provider's program as the core does, and reads its handshake. */
export async function startProvider(program: string, options: StartOptions = {}): Promise<StartedProvider> {
  const { key, certificate } = clientIdentity();
  const isSecure = options.tls ?? true;
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env["PATH"],
      ...allocatorVariables,
      TF_PLUGIN_MAGIC_COOKIE: magicCookie,
      PLUGIN_PROTOCOL_VERSIONS: "6,5",
      PLUGIN_MIN_PORT: "10000",
      PLUGIN_MAX_PORT: "25000",
      ...(isSecure && { PLUGIN_CLIENT_CERT: certificate }),
      ...options.env,
    },
    // A provider that reads stdin takes the user's keys: it is left open.
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (part) => {
    stderr += String(part);
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const line = await firstLine(child, () => stderr);
  const [, version, network = "", address = "", kind, identity = ""] = line.split("|");
  if (version !== "6" || kind !== "grpc") throw new Error(`found the handshake ${line}`);
  const target = network === "unix" ? `unix:${address}` : address;
  const credentials = isSecure ? secure(identity, { key, certificate }) : ChannelCredentials.createInsecure();
  return { child, line, network, target, credentials, stderr: () => stderr, exited };
}

function firstLine(child: ChildProcess, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error("no stdout");
    createInterface(child.stdout).once("line", resolve);
    child.once("close", (code) => reject(new Error(`the provider ended with ${code}: ${stderr()}`)));
  });
}

function secure(identity: string, own: { readonly key: string; readonly certificate: string }): Credentials {
  const theirs = new X509Certificate(Buffer.from(identity, "base64")).toString();
  return ChannelCredentials.createSsl(Buffer.from(theirs), Buffer.from(own.key), Buffer.from(own.certificate));
}
