import { tmpdir } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { Transport } from "../../../src/client/index.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { serviceTransport } from "../../../src/project/open-client.ts";
import { createService, type Service } from "../../../src/service/index.ts";
import { kindsSchema } from "../../../src/terraform/kinds-schema.ts";
import { hostProvider } from "../../../src/terraform/plugin/host-provider.ts";
import { createProviderSession } from "../../../src/terraform/resource/create-session.ts";
import { runToEnd, terraformEnv } from "./real-terraform.ts";
import { TerraformProject } from "./terraform-project.ts";

/** How a world is made. */
export interface WorldOptions {
  /** What the provider talks to; the service itself by default. */
  readonly before?: (service: Service) => Service;
  readonly provider?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
}

/** What keys and digests of each service are derived from: those of two services are the same. */
export const worldSeed = 1;

/** The moment at which each service of these tests starts. */
const start = Date.parse("2026-11-20T10:00:00.000Z");

/** The real Terraform in a folder of its own, with the provider in this process, at a service in virtual time. */
export class HostedWorld extends TerraformProject {
  readonly service: Service;
  readonly #transport: Transport;
  #now = start;
  #hosted: Awaited<ReturnType<typeof hostProvider>> | undefined;

  constructor(options: WorldOptions = {}) {
    const block = { url: "http://bundled", api_key: "local", organization: "1", ...options.provider };
    super(block, async (args, cwd) => {
      this.#hosted ??= await hostProvider(this.#session(), { temporary: tmpdir() });
      const env = terraformEnv({ TF_REATTACH_PROVIDERS: this.#hosted.reattach, ...options.env });
      return runToEnd(["terraform", ...args], { cwd, env });
    });
    this.service = createService({ clock: { mode: "frozen", now: start }, seed: worldSeed });
    const transport = serviceTransport(options.before?.(this.service) ?? this.service);
    this.#transport = {
      ...transport,
      // As in real life, no two objects are created at the same moment.
      send: async (request) => {
        await this.#sleep(1);
        return transport.send(request);
      },
    };
  }

  /** What somebody else does at the service; a refusal is thrown. */
  async send(method: string, path: string, body?: Json): Promise<Json> {
    const headers = { "x-api-key": this.service.apiKey };
    const answer = await this.service.handle({ method, path, headers, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
    return (answer.json ?? null) as Json;
  }

  async #sleep(ms: number): Promise<void> {
    // Terraform goes on in real time meanwhile.
    if (ms > 1) await setTimeout(50);
    this.#now += ms;
    await this.service.advance(ms);
  }

  #session() {
    const transport = this.#transport;
    // For configurations that name no service.
    const env = { LOADFORM_URL: "http://bundled", LOADFORM_API_KEY: "local" };
    const sleep = (ms: number) => this.#sleep(ms);
    return {
      schema: async () => kindsSchema(),
      openSession: async () => createProviderSession({ env, now: () => this.#now, sleep, transport }),
    };
  }

  async close(): Promise<void> {
    this.#hosted?.stop();
    this.#hosted?.close();
    await this.service.close();
    this.remove();
  }
}
