import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { ServerCredentials } from "@grpc/grpc-js";
import type { Provider } from "../provider-session.ts";
import { certificatePem, writeCertificate } from "./certificate.ts";
import { handshakeLine, handshakeRefusal } from "./handshake.ts";
import { listen } from "./listen.ts";
import { type Connections, serveConnections } from "./serve-connections.ts";

/** Milliseconds that a process remains without a connection: at its start, later, and with calls that are to end. */
const patience = { start: 60_000, idle: 5_000, drain: 5_000 };
const lookEvery = 1_000;

/** Lets a process be the provider that Terraform has started. stdin is the user's terminal and is never read. */
export async function runPlugin(host: NodeJS.Process, provider: Provider): Promise<void> {
  const refusal = handshakeRefusal(host.env);
  if (refusal !== undefined) {
    host.stderr.write(`${refusal}\n`);
    host.exitCode = 1;
    return;
  }
  reportCrashes(host);
  const { credentials, certificate } = identify(host.env["PLUGIN_CLIENT_CERT"]);
  const server = createServer();
  const connections = serveConnections(server, {
    provider,
    credentials,
    shutdown: () => host.exit(0),
    threw: (thrown) => log("ERROR", thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)),
  });
  const listening = await listen(server, tmpdir());
  host.once("exit", listening.remove);
  endWithTerraform(host, connections);
  host.stdout.write(handshakeLine(listening, certificate));
}

/** Mutual TLS with a key of this process, unless Terraform was told to do without. */
function identify(clientCertificate: string | undefined): {
  readonly credentials: ServerCredentials;
  readonly certificate?: Buffer;
} {
  if (clientCertificate === undefined || clientCertificate === "")
    return { credentials: ServerCredentials.createInsecure() };
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const certificate = writeCertificate({ ...keys, serial: randomBytes(19), now: Date.now() });
  const pair = {
    private_key: Buffer.from(keys.privateKey.export({ type: "pkcs8", format: "pem" })),
    cert_chain: Buffer.from(certificatePem(certificate)),
  };
  return { credentials: ServerCredentials.createSsl(Buffer.from(clientCertificate), [pair], true), certificate };
}

/** Terraform shows the reason of a crash only behind the word `panic:`. */
function reportCrashes(host: NodeJS.Process): void {
  const crash = (thrown: unknown) => {
    const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    try {
      writeSync(2, `panic: ${reason}\n`);
    } finally {
      host.exit(2);
    }
  };
  host.on("uncaughtException", crash);
  host.on("unhandledRejection", crash);
  // Terraform may be gone.
  host.stdout.on("error", () => {});
  host.stderr.on("error", () => {});
}

/**
 * Ctrl-C reaches the whole process group, and Terraform itself stops its calls. SIGTERM ends the calls, then the
 * process; so does an end of Terraform that it could not announce.
 */
function endWithTerraform(host: NodeJS.Process, connections: Connections): void {
  const parent = host.ppid;
  let aloneSince = Date.now();
  let deadline = Number.POSITIVE_INFINITY;
  const end = () => {
    if (deadline < Number.POSITIVE_INFINITY) return;
    deadline = Date.now() + patience.drain;
    connections.stop();
    look();
  };
  const look = () => {
    const now = Date.now();
    if (connections.open() > 0) aloneSince = now;
    const allowed = connections.seen() > 0 ? patience.idle : patience.start;
    if (host.ppid !== parent || now - aloneSince > allowed) end();
    if (now >= deadline || (deadline < Number.POSITIVE_INFINITY && connections.calls() === 0)) host.exit(0);
  };
  host.on("SIGINT", () => {});
  host.on("SIGTERM", end);
  setInterval(look, lookEvery);
}

function log(level: "ERROR", text: string): void {
  process.stderr.write(`${text.replace(/^/gm, `[${level}] `)}\n`);
}
