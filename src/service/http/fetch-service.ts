import { ConnectionCut, type ServiceAnswer } from "../core/answer.ts";
import type { HandleRequest } from "../core/request.ts";

/** `fetch` over the pure core: standard Request in, standard Response out, no socket. A path alone is enough. */
export async function fetchService(
  handle: HandleRequest,
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(
    typeof input === "string" && input.startsWith("/") ? `http://service${input}` : input,
    init,
  );
  const url = new URL(request.url);
  const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  try {
    const answer = await handle({
      method: request.method,
      path: url.pathname,
      query: url.search.slice(1),
      headers: { host: url.host, ...Object.fromEntries(request.headers) },
      body: bytes,
    });
    return responseOf(request, answer);
  } catch (thrown) {
    if (!(thrown instanceof ConnectionCut)) throw thrown;
    if (thrown.partial) return cutResponse(thrown, thrown.partial);
    throw new TypeError("fetch failed", { cause: thrown });
  }
}

function responseOf(request: Request, { status, headers, body }: ServiceAnswer): Response {
  const content = body();
  const isEmpty = request.method === "HEAD" || content.length === 0;
  return new Response(isEmpty ? null : content, { status, headers });
}

/** The head of the whole answer, and a body that breaks off. */
function cutResponse(cut: ConnectionCut, { answer, bytes }: NonNullable<ConnectionCut["partial"]>): Response {
  const content = Buffer.from(answer.body());
  // Broken off only when more is asked for: an error at once would take what was sent along.
  const source = {
    start: (controller: ReadableStreamDefaultController<Uint8Array>) => controller.enqueue(content.subarray(0, bytes)),
    pull: (controller: ReadableStreamDefaultController<Uint8Array>) => controller.error(cut),
  };
  const body = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
  return new Response(body, {
    status: answer.status,
    headers: { ...answer.headers, "content-length": String(content.length) },
  });
}
