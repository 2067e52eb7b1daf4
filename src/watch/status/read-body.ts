import { Refusal } from "./refusal.ts";

/** Reads the bytes of a body; refuses a longer one. */
export type ReadBody = (body: AsyncIterable<Uint8Array>, limit: number) => Promise<Uint8Array>;

/** Reads bodies that together hold at most so many bytes. One that is refused is read to its end, too: its sender then reads the answer. */
export function bodyReader(mostHeld: number): ReadBody {
  let held = 0;
  return async (body, limit) => {
    let chunks: Uint8Array[] = [];
    let [length, own, isBusy] = [0, 0, false];
    const release = () => {
      held -= own;
      [own, chunks] = [0, []];
    };
    try {
      for await (const chunk of body) {
        length += chunk.length;
        isBusy ||= held + chunk.length > mostHeld;
        if (isBusy || length > limit) {
          release();
          continue;
        }
        [held, own] = [held + chunk.length, own + chunk.length];
        chunks.push(chunk);
      }
      if (length <= limit && !isBusy) return Buffer.concat(chunks);
    } catch {
      // The sender has gone: nobody waits for an answer.
      throw new Refusal(400, "The body broke off");
    } finally {
      release();
    }
    if (length > limit) throw new Refusal(413, `The body is too large; expected at most ${limit} bytes`);
    throw new Refusal(503, "Too many bodies are being read; try again later", { "retry-after": "5" });
  };
}
