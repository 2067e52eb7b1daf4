import type { ClientRequest, IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import { Refusal } from "../refusal.ts";

/** Passes a request's body on as it arrives; one that is too large, or breaks off, ends the request to the target. */
export async function pipeRequest(
  request: IncomingMessage,
  target: ClientRequest,
  { limit, seen }: { readonly limit: number; readonly seen: (chunk: Uint8Array) => void },
): Promise<void> {
  let length = Number(request.headers["content-length"] ?? 0) > limit ? Number(request.headers["content-length"]) : 0;
  try {
    if (length > limit) throw tooLarge(length, limit);
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > limit) throw tooLarge(length, limit);
      seen(chunk);
      await writeChunk(target, chunk);
    }
    target.end();
  } catch (thrown) {
    target.destroy(thrown instanceof Error ? thrown : new Error(String(thrown)));
  }
}

/** Writes a chunk, and waits until there is room for the next one or nobody takes it any more. */
export async function writeChunk(target: Writable, chunk: Uint8Array): Promise<undefined> {
  if (target.destroyed || target.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const ready = () => {
      target.off("drain", ready);
      target.off("close", ready);
      resolve();
    };
    target.on("drain", ready);
    target.on("close", ready);
  });
}

function tooLarge(length: number, limit: number): Refusal {
  return new Refusal(413, `found a body of ${length} bytes; expected at most ${limit} (setting bodyLimit)`);
}
