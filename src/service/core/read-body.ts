import type { JsonValue, RouteDescriptor } from "../../api/routes.ts";
import { Refusal } from "../refusal.ts";
import { cloneJson, refuseDeep } from "../store/json-values.ts";
import type { Upload } from "./handlers.ts";
import type { Incoming } from "./request.ts";

/** A body that has been read: a JSON value, or the file parts of a form. */
export interface ReadBody {
  readonly value: JsonValue | undefined;
  readonly uploads: readonly Upload[];
}

/** What of a body is taken. */
export interface BodyLimits {
  readonly bytes: number;
  /** Levels that its JSON may have beyond those of any body. */
  readonly around?: number;
}

const nothing: ReadBody = { value: undefined, uploads: [] };

/** Reads a body: 415 for another media type, 400 for what cannot be read, 413 for too much. */
export async function readBody(incoming: Incoming, route: RouteDescriptor, limits: BodyLimits): Promise<ReadBody> {
  const { body } = incoming;
  const limit = limits.bytes;
  if (route.multipart) return { value: undefined, uploads: await readForm(incoming, limit) };
  if (body === undefined || route.body === undefined) return nothing;
  if (body instanceof FormData) throw wrongType("multipart/form-data", "application/json");
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return jsonBody(body, limits, cloneJson);
  refuseLarge(body.length, limit);
  if (body.length === 0) return nothing;
  const type = incoming.headers.get("content-type");
  if (type !== undefined && !/^(application\/(.+\+)?json|text\/json)\b/i.test(type))
    throw wrongType(type, "application/json");
  refuseCharset(type);
  return jsonBody(parseJson(typeof body === "string" ? body : readUtf8(body)), limits);
}

function jsonBody(value: JsonValue, { around }: BodyLimits, taken = (each: JsonValue) => each): ReadBody {
  refuseDeep(value, around);
  return { value: taken(value), uploads: [] };
}

/** JSON is UTF-8, and nothing else is guessed: other bytes would change what two names have in common. */
function readUtf8(bytes: Uint8Array, expected = "a JSON document"): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, `found bytes that are no UTF-8; expected ${expected} in UTF-8`);
  }
}

/** The charset that a content type names, in lower case. */
export function charsetOf(type: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type ?? "")?.[1]?.toLowerCase();
}

function refuseCharset(type: string | undefined): void {
  const charset = charsetOf(type);
  if (charset !== undefined && !["utf-8", "utf8", "us-ascii"].includes(charset))
    throw new Refusal(415, `found charset ${charset}; expected utf-8`);
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
  refuseOtherHeads(Buffer.from(bytes), type);
  try {
    return await filesOf(await new Response(bytes, { headers: { "content-type": type } }).formData());
  } catch (cause) {
    throw new Refusal(
      400,
      `the form cannot be read: ${cause instanceof Error ? cause.message : String(cause)}; expected multipart/form-data`,
    );
  }
}

/** The head of each part of a form is UTF-8 too: other bytes would give two files one name. */
function refuseOtherHeads(bytes: Buffer, type: string): void {
  const boundary = `--${/boundary="?([^";\s]+)/i.exec(type)?.[1] ?? ""}`;
  for (let at = bytes.indexOf(boundary); at >= 0; at = bytes.indexOf(boundary, at + boundary.length)) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end >= 0) readUtf8(bytes.subarray(at, end), "the heads of a form's parts");
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
