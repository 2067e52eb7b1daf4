import type { Listening } from "./listen.ts";

/** The environment of the process. */
type Environment = Readonly<Record<string, string | undefined>>;

const cookie = {
  name: "TF_PLUGIN_MAGIC_COOKIE",
  value: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
};
/** The version of Terraform's plugin protocol that is spoken. */
export const protocolVersion = 6;

/** Why this process cannot be a plugin, in one sentence; undefined when it can. */
export function handshakeRefusal(env: Environment): string | undefined {
  if (env[cookie.name] !== cookie.value)
    return "This program is the loadform provider of Terraform and is started by it: run terraform or tofu, or `loadform terraform -- plan`.";
  const offered = env["PLUGIN_PROTOCOL_VERSIONS"];
  if (offered === undefined || offered.split(",").some((each) => Number(each) === protocolVersion)) return undefined;
  return `The loadform provider speaks version ${protocolVersion} of the plugin protocol, and this program offers ${offered}: use Terraform 1.11 or newer.`;
}

/** The first line on stdout: where the plugin listens, and by which certificate it is known. */
export function handshakeLine({ network, address }: Listening, certificate: Buffer | undefined): string {
  const identity = certificate?.toString("base64").replace(/=+$/, "") ?? "";
  return `1|${protocolVersion}|${network}|${address}|grpc|${identity}\n`;
}
