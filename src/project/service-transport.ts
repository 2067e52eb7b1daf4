import type { Transport, TransportAnswer } from "../client/index.ts";
import { TransportError } from "../client/index.ts";
import { heldBack } from "../client/transport.ts";
import type { Service, ServiceAnswer } from "../service/index.ts";

/** What the engine needs of a bundled service in this process. */
export type BundledService = Pick<Service, "handle" | "apiKey">;

/** The way to the bundled service without a socket, and without JSON text in between. */
export function serviceTransport(service: BundledService): Transport {
  return {
    async send({ method, path, query, headers, body, mayLeave }) {
      if (mayLeave?.() === false) throw heldBack();
      try {
        const answer = await service.handle({ method, path, query, headers, body });
        return {
          status: answer.status,
          headers: answer.headers,
          body: () => bytesOf(answer),
          json: () => jsonOf(answer),
        };
      } catch (thrown) {
        if (thrown instanceof Error && "code" in thrown && thrown.code === "ECONNRESET")
          throw new TransportError(thrown.message, "maybe-done", thrown);
        throw thrown;
      }
    },
  };
}

function bytesOf(answer: ServiceAnswer): Uint8Array {
  const body = answer.body();
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

function jsonOf(answer: ServiceAnswer): ReturnType<TransportAnswer["json"]> {
  if (answer.json !== undefined) return answer.json;
  const body = answer.body();
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as unknown;
}
