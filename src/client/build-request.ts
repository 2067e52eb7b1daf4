import { type RouteDescriptor, type RouteKey, routes } from "../api/routes.ts";
import type { Auth } from "./client-options.ts";
import type { TransportRequest } from "./transport.ts";

/** A call's input with its types forgotten. */
export interface LooseInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A call as it will be sent, before its attempts. */
export interface PreparedCall {
  readonly route: RouteKey;
  readonly method: string;
  readonly path: string;
  /** Without the key. */
  readonly query: Readonly<Record<string, string>>;
  readonly request: Omit<TransportRequest, "signal" | "timeoutMs">;
  readonly descriptor: RouteDescriptor;
  readonly input: LooseInput;
}

export function isRead({ method }: Pick<PreparedCall, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

/** Puts a call's parameters, key and body in their places. */
export async function prepareCall(
  route: RouteKey,
  input: LooseInput,
  credentials: { readonly apiKey: string; readonly auth: Auth },
): Promise<PreparedCall> {
  if (!Object.hasOwn(routes, route))
    throw new TypeError(
      `There is no route ${route}. Routes are written as "GET /test-cases/:testCaseId"; docs/service-coverage.md has all`,
    );
  const [method = "", template = ""] = route.split(" ");
  const path = fillPath(template, input.params ?? {}, route);
  const query = queryText(input.query ?? {});
  const descriptor: RouteDescriptor = routes[route];
  const key = keyPlace(descriptor, credentials);
  const content = await encodeBody(input.body);
  const headers = { accept: "application/json, */*;q=0.5", ...key.headers, ...content.headers };
  const request = { method, path, query: { ...query, ...key.query }, headers, ...content.body };
  return { route, method, path, query, request, descriptor, input };
}

function fillPath(template: string, params: Readonly<Record<string, unknown>>, route: string): string {
  return template.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === "") throw new TypeError(`${route} needs the path parameter ${name}`);
    return encodeURIComponent(String(value));
  });
}

function queryText(query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** The key is sent where the project says, and also where the route wants it (API 1, Authentication). */
function keyPlace({ keyQuery }: RouteDescriptor, { apiKey, auth }: { readonly apiKey: string; readonly auth: Auth }) {
  const query = "query" in auth ? { [auth.query]: apiKey } : {};
  const header = "header" in auth ? auth.header.toLowerCase() : undefined;
  const value = header === "authorization" && !apiKey.includes(" ") ? `Bearer ${apiKey}` : apiKey;
  const headers = header === undefined ? {} : { [header]: value };
  return { headers, query: keyQuery === undefined ? query : { ...query, [keyQuery]: apiKey } };
}

async function encodeBody(body: unknown) {
  if (body === undefined) return { headers: {} };
  if (!isForm(body)) return { headers: { "content-type": "application/json" }, body: { body: JSON.stringify(body) } };
  const form = new Response(body);
  const contentType = form.headers.get("content-type") ?? "multipart/form-data";
  return { headers: { "content-type": contentType }, body: { body: new Uint8Array(await form.arrayBuffer()) } };
}

/** By its tag: to name the class makes Node load a second undici, for which the first write of an apply would wait. */
function isForm(body: unknown): body is FormData {
  return typeof body === "object" && body !== null && Reflect.get(body, Symbol.toStringTag) === "FormData";
}

/** A file to upload, for `uploadForm`. */
export interface UploadFile {
  /** File name, as it is sent. */
  readonly name: string;
  /** Bytes, or text that is sent as UTF-8. */
  readonly contents: Uint8Array<ArrayBuffer> | string;
}

/** The multipart form of an upload route: every file under the documented name `file` (API 1, Data stores). */
export function uploadForm(files: readonly UploadFile[]): FormData {
  const form = new FormData();
  for (const { name, contents } of files) form.append("file", new Blob([contents]), name);
  return form;
}
