import type { PreparedCall } from "./build-request.ts";
import type { TransportAnswer } from "./transport.ts";
import { objectProblem } from "./written-object.ts";

/** A 2xx answer whose body is not what the route answers. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
  /** A page for people: the address is most likely not that of the API. */
  readonly isPage: boolean;
  constructor(message: string, isPage: boolean, cause?: unknown) {
    super(message, { cause });
    this.isPage = isPage;
  }
}

/**
 * The value of a good answer as the route describes it. An empty body is undefined where a write answers nothing; where it
 * answers the object that it wrote, an answer about none or about another one is unreadable.
 */
export async function readAnswer(call: PreparedCall, answer: TransportAnswer): Promise<unknown> {
  const value = await readBody(call, answer);
  const problem = objectProblem(call, value);
  if (problem !== undefined) throw new UnreadableAnswer(`${problem}; expected the object that was written`, false);
  return value;
}

async function readBody({ method, descriptor }: PreparedCall, answer: TransportAnswer): Promise<unknown> {
  if (method === "HEAD" || answer.status === 204) return undefined;
  const isOpen = descriptor.answer === "binary" || descriptor.answer === "text";
  if (!isOpen && isPage(answer)) throw new UnreadableAnswer("found a web page; expected JSON", true);
  if (descriptor.answer === "none") return undefined;
  if (descriptor.answer === "binary") return answer.body();
  if (descriptor.answer === "text") return new TextDecoder().decode(await answer.body());
  try {
    return answer.json();
  } catch (cause) {
    const bytes = await answer.body();
    if (bytes.length === 0 && method !== "GET") return undefined;
    throw new UnreadableAnswer(`found ${bytes.length} bytes that are no JSON; expected JSON`, false, cause);
  }
}

/** Whether an answer is a page for people rather than for programs. */
export function isPage(answer: TransportAnswer): boolean {
  return /^text\/html\b/i.test(answer.headers["content-type"] ?? "");
}
