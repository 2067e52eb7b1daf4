import type { JsonValue, RouteDescriptor } from "../../api/routes.ts";
import { Refusal } from "../refusal.ts";
import { cloneJson, refuseDeep } from "../store/json-values.ts";
import { readUtf8, refuseCharset, refuseCoded, refuseLarge, wrongMediaType } from "./body-bytes.ts";
import { type ReadForm, readForm } from "./read-form.ts";
import type { Incoming } from "./request.ts";

/** A body that has been read: a JSON value, or the parts of a form. */
export interface ReadBody extends ReadForm {
  readonly value: JsonValue | undefined;
}

/** Limits of a body. */
export interface BodyLimits {
  readonly bytes: number;
  /** Levels that its JSON may have beyond those of any body. */
  readonly around?: number;
}

const noParts = { uploads: [], texts: [] };
const nothing: ReadBody = { value: undefined, ...noParts };

/** Reads a body: 415 for another media type, 400 for what cannot be read, 413 for too much. */
export async function readBody(incoming: Incoming, route: RouteDescriptor, limits: BodyLimits): Promise<ReadBody> {
  const limit = limits.bytes;
  if (!route.multipart && route.body === undefined) return nothing;
  refuseCoded(incoming.headers.get("content-encoding"));
  // A body that is here already is not awaited: requests of one process are carried out in the order in which they were made.
  const body = typeof incoming.body === "function" ? await incoming.body(limit) : incoming.body;
  if (route.multipart) {
    const form = { ...incoming, body };
    return { value: undefined, ...(await readForm(form, route, limit)) };
  }
  if (body === undefined) return nothing;
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    if (body instanceof FormData) throw wrongMediaType("multipart/form-data", "application/json");
    return jsonBody(body, limits, cloneJson);
  }
  refuseLarge(body.length, limit);
  if (body.length === 0) return nothing;
  const type = incoming.headers.get("content-type");
  if (type !== undefined && !/^(application\/(.+\+)?json|text\/json)\b/i.test(type))
    throw wrongMediaType(type, "application/json");
  refuseCharset(type);
  return jsonBody(parseJson(typeof body === "string" ? body : readUtf8(body)), limits);
}

function jsonBody(value: JsonValue, { around }: BodyLimits, taken = (each: JsonValue) => each): ReadBody {
  refuseDeep(value, around);
  return { value: taken(value), ...noParts };
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/, "?.*" is not valid JSON$/s, "") : "";
    throw new Refusal(400, `the body is no JSON: ${reason}; expected a JSON document`);
  }
}
