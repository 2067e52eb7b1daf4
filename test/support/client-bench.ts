import { expect } from "vitest";
import { type Client, type ClientOptions, createClient, type RequestEvent } from "../../src/client/index.ts";
import { ServiceError } from "../../src/model/service-error.ts";
import { type MisbehavingServer, misbehavingServer } from "./misbehaving-server.ts";

/** A key with every character that is spelled differently somewhere. */
export const key = "k3y-with/some+chars";

/** A client and what it did. */
export interface ClientUnderTest {
  readonly client: Client;
  readonly sleeps: readonly number[];
  readonly lines: readonly string[];
  readonly events: readonly RequestEvent[];
}

/** Opens clients that sleep in virtual time and without jitter, and closes them with their servers. */
export class ClientBench {
  private readonly closing: (() => Promise<void>)[] = [];

  /** A client of a server with this plan. */
  async setUp(
    plan: Parameters<typeof misbehavingServer>[0],
    options: Partial<ClientOptions> = {},
  ): Promise<ClientUnderTest & { readonly server: MisbehavingServer }> {
    const server = await this.server(plan);
    return { server, ...this.clientOf(server.url, options) };
  }

  async server(plan: Parameters<typeof misbehavingServer>[0]): Promise<MisbehavingServer> {
    const server = await misbehavingServer(plan);
    this.closing.push(() => server.close());
    return server;
  }

  clientOf(url: string, options: Partial<ClientOptions> = {}): ClientUnderTest {
    const sleeps: number[] = [];
    const lines: string[] = [];
    const events: RequestEvent[] = [];
    const client = createClient({
      url,
      apiKey: key,
      clock: { now: () => 0, sleep: async (ms) => void sleeps.push(ms) },
      random: () => 0.5,
      log: (line) => lines.push(line),
      onRequest: (event) => events.push(event),
      ...options,
    });
    this.closing.push(() => client.close());
    return { client, sleeps, lines, events };
  }

  async closeAll(): Promise<void> {
    for (const close of this.closing.splice(0).reverse()) await close();
  }
}

/** The ServiceError with which a call fails. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(ServiceError);
  return outcome as ServiceError;
}
