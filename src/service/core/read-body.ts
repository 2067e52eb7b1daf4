import type { JsonValue, RouteDescriptor } from "../../api/routes.ts";
import { cloneJson } from "./clone-json.ts";
import type { Upload } from "./handlers.ts";
import { Refusal } from "./refusal.ts";
import type { Incoming } from "./request.ts";

/** A body that has been read: a JSON value, or the file parts of a form. */
export interface ReadBody {
  readonly value: JsonValue | undefined;
  readonly uploads: readonly Upload[];
}

const nothing: ReadBody = { value: undefined, uploads: [] };

/** Reads a body: 415 for another media type, 400 for what cannot be read, 413 for too much (service.md 2, Errors). */
export async function readBody(incoming: Incoming, route: RouteDescriptor, limit: number): Promise<ReadBody> {
  const { body } = incoming;
  if (route.multipart) return { value: undefined, uploads: await readForm(incoming, limit) };
  if (body === undefined || route.body === undefined) return nothing;
  if (body instanceof FormData) throw wrongType("multipart/form-data", "application/json");
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return { value: cloneJson(body), uploads: [] };
  refuseLarge(body.length, limit);
  if (body.length === 0) return nothing;
  const type = incoming.headers.get("content-type");
  if (type !== undefined && !/^(application\/(.+\+)?json|text\/json)\b/i.test(type))
    throw wrongType(type, "application/json");
  return { value: parseJson(typeof body === "string" ? body : new TextDecoder().decode(body)), uploads: [] };
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/, "?.*" is not valid JSON$/s, "") : "";
    throw new Refusal(400, `the body is no JSON: ${reason}; expected a JSON document`);
  }
}

async function readForm({ body, headers }: Incoming, limit: number): Promise<readonly Upload[]> {
  if (body instanceof FormData) return filesOf(body);
  const type = headers.get("content-type") ?? "none";
  if (!/^multipart\/form-data\b/i.test(type)) throw wrongType(type, "multipart/form-data");
  const bytes = typeof body === "string" || body instanceof Uint8Array ? body : "";
  refuseLarge(bytes.length, limit);
  try {
    return await filesOf(await new Response(bytes, { headers: { "content-type": type } }).formData());
  } catch (cause) {
    throw new Refusal(
      400,
      `the form cannot be read: ${cause instanceof Error ? cause.message : String(cause)}; expected multipart/form-data`,
    );
  }
}

async function filesOf(form: FormData): Promise<readonly Upload[]> {
  const uploads: Upload[] = [];
  for (const [, part] of form)
    if (typeof part !== "string")
      uploads.push({ fileName: part.name, bytes: new Uint8Array(await part.arrayBuffer()) });
  return uploads;
}

function refuseLarge(length: number, limit: number): void {
  if (length > limit) throw new Refusal(413, `found a body of ${length} bytes; expected at most ${limit}`);
}

function wrongType(found: string, expected: string): Refusal {
  return new Refusal(415, `found content type ${found}; expected ${expected}`);
}
