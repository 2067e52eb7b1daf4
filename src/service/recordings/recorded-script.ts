import type { RequestText } from "../core/packet-memory.ts";
import type { HttpHeaders } from "./http-headers.ts";

/** A recorded request. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpHeaders;
  /** Headers whose values are not in the script but come as parameters, by their names in lower case. */
  readonly secrets: readonly string[];
  readonly body: Uint8Array | undefined;
}

/** One step of a generated script. */
export interface RecordedStep {
  readonly request: RequestText;
  /** Milliseconds that pass before it. */
  readonly thinkMs: number;
  readonly note: string;
}

/** The recorded steps that a script is generated from. */
export interface RecordedSteps {
  readonly id: number;
  readonly name: string;
  readonly steps: readonly RecordedStep[];
}

/** The script of a recording: its requests in their order, with what a user thought in between. The same steps make the same text. */
export function recordedScript({ id, name, steps }: RecordedSteps): string {
  const isSecure = steps.some(({ request }) => request.isSecure);
  const hasSecrets = steps.some(({ request }) => request.secrets.length > 0);
  const hasPauses = steps.some(({ thinkMs }) => thinkMs > 0);
  return [
    `// Recording ${id}, ${jsLiteral(name)}: ${steps.length} ${steps.length === 1 ? "request" : "requests"}.`,
    "// Made anew at each request until the recording is stopped; changes made before are lost.",
    ...(isSecure ? ['const https = require("https");'] : []),
    "",
    ...done,
    ...(hasPauses ? [pause] : []),
    ...(hasSecrets ? secret : []),
    "",
    "async function replay() {",
    ...steps.flatMap(({ request, thinkMs, note }, index) => [
      ...(thinkMs > 0 ? [`  await pause(${Math.round(thinkMs)});`] : []),
      `  // ${index + 1}${note}`,
      request.text,
    ]),
    "}",
    "",
    "replay();",
    "",
  ].join("\n");
}

/** A request as it is written in a script. */
export function requestText({ method, url, headers, secrets, body }: RecordedRequest): RequestText {
  const isSecure = url.startsWith("https:");
  const isPlain = method === "GET" && body === undefined;
  const fields = [...groups(headers).map(headerField), ...secrets.map((name) => `...secret(${jsLiteral(name)}),`)];
  const lines = [
    "  await done(",
    `    ${isSecure ? "https" : "http"}.${isPlain ? "get" : "request"}(${jsLiteral(url)}, {`,
    ...(isPlain ? [] : [`      method: ${jsLiteral(method)},`]),
    "      headers: {",
    ...fields.map((field) => `        ${field}`),
    "      },",
    "    }),",
    ...(body ? [`    ${bodyText(body)},`] : []),
    "  );",
  ];
  return { text: lines.join("\n"), isSecure, secrets };
}

const done: readonly string[] = [
  "// Resolves when the answer has ended. A request that fails is counted as such, and the next one follows.",
  "const done = (request, body) =>",
  "  new Promise((resolve) => {",
  '    request.on("response", (response) => response.on("end", resolve).on("error", resolve).resume());',
  '    request.on("error", resolve);',
  "    request.end(body);",
  "  });",
];

const pause = "const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));";

const secret: readonly string[] = [
  "// Credentials and cookies are not recorded: they come as parameters of the run.",
  "const secret = (name, key = name.toLowerCase()) => (params[key] ? { [name]: params[key] } : {});",
];

/** Values by name, in the order of first appearance; the name as it was first written. */
function groups(headers: HttpHeaders): readonly (readonly [string, readonly string[]])[] {
  const byName = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const [name, value] of headers) {
    const known = byName.get(name.toLowerCase());
    if (known) known.values.push(value);
    else byName.set(name.toLowerCase(), { name, values: [value] });
  }
  return [...byName.values()].map(({ name, values }) => [name, values] as const);
}

function headerField([name, values]: readonly [string, readonly string[]]): string {
  const [first = ""] = values;
  const value = values.length === 1 ? jsLiteral(first) : `[${values.map(jsLiteral).join(", ")}]`;
  // In brackets `__proto__` is a name like any other.
  return `${name === "__proto__" ? `[${jsLiteral(name)}]` : jsLiteral(name)}: ${value},`;
}

/** Text where the bytes are some, else base64. */
function bodyText(body: Uint8Array): string {
  const bytes = Buffer.from(body);
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes)
    ? jsLiteral(text)
    : `Buffer.from(${jsLiteral(bytes.toString("base64"))}, "base64")`;
}

/** A text as JavaScript writes it on one line. */
function jsLiteral(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`);
}
