import { shapes } from "../api/shapes.ts";
import { unlessThrown } from "../model/diagnostic.ts";
import { type ErrorFacts, type FieldRefusal, fieldWords, ServiceError, triesWords } from "../model/service-error.ts";
import type { PreparedCall } from "./build-request.ts";
import { type TransportAnswer, TransportError } from "./transport.ts";

/** A 2xx answer whose body does not fit the route. */
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
  if (problem !== undefined)
    throw new UnreadableAnswer(`the answer is not the object that was written: ${problem}`, false);
  return value;
}

async function readBody({ method, descriptor }: PreparedCall, answer: TransportAnswer): Promise<unknown> {
  const isOpen = descriptor.answer === "binary" || descriptor.answer === "text";
  if (method === "HEAD" || (answer.status === 204 && !isOpen)) return undefined;
  if (!isOpen && isPage(answer))
    throw new UnreadableAnswer("the answer is a web page, not JSON: most likely the API has another address", true);
  if (descriptor.answer === "none") return undefined;
  if (descriptor.answer === "binary") return answer.body();
  if (descriptor.answer === "text") return new TextDecoder().decode(await answer.body());
  try {
    return answer.json();
  } catch (cause) {
    const bytes = await answer.body();
    if (bytes.length === 0 && method !== "GET") return undefined;
    throw new UnreadableAnswer(`the ${bytes.length} bytes of the answer are not JSON`, false, cause);
  }
}

/** True for a page meant for people, not for programs. */
function isPage(answer: TransportAnswer): boolean {
  return /^text\/html\b/i.test(answer.headers["content-type"] ?? "");
}

/**
 * The defect of the object in the answer to a write; undefined when the answer can be believed, and for writes that
 * answer no stored object. It is believed when it has an id (a whole number from 0 on), a creation time (API 1,
 * conventions 2), the id of the path and the name of the body. A name may come back in another case.
 */
export function objectProblem(call: PreparedCall, value: unknown): string | undefined {
  if (!answersObject(call)) return undefined;
  const found = asObject(value);
  const { id, createdAt } = found ?? {};
  if (typeof id !== "number" || !Number.isInteger(id) || id < 0) return "it has no id";
  if (typeof createdAt !== "string" || Number.isNaN(Date.parse(createdAt)))
    return "it lacks the time at which the object was created";
  const asked = call.method === "POST" ? undefined : askedId(call);
  if (asked !== undefined && asked !== String(id)) return `it is about object ${id}`;
  return hasAskedName(call, found?.["name"]) ? undefined : "it is about an object of another name";
}

/** True for a route that writes one stored object and answers it. */
function answersObject({ method, descriptor: { answer } }: PreparedCall): boolean {
  if (!["POST", "PUT", "PATCH"].includes(method) || typeof answer !== "string" || !answer.startsWith("@")) return false;
  const shape = asObject(shapes[answer.slice(1) as keyof typeof shapes]);
  return shape !== undefined && shape["id"] === "int!" && "createdAt" in shape;
}

/** The id in the path of a change; undefined where an object may be named by another word. */
function askedId({ input }: PreparedCall): string | undefined {
  const [only, another] = Object.values(input.params ?? {}).map(String);
  return only !== undefined && another === undefined && /^\d+$/.test(only) ? only : undefined;
}

function hasAskedName({ method, input }: PreparedCall, found: unknown): boolean {
  const asked = asObject(input.body)?.["name"];
  if (typeof asked !== "string") return true;
  if (typeof found !== "string") return found === undefined && method !== "POST";
  return found.trim().toLowerCase() === asked.trim().toLowerCase();
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as never) : undefined;
}

/** A call that failed for good. */
export interface Failure {
  readonly call: PreparedCall;
  readonly attempts: number;
  readonly arrival: ErrorFacts["arrival"];
  readonly answer?: TransportAnswer;
  /** Why there was no good answer. */
  readonly reason?: string;
  readonly cause?: unknown;
  readonly address: string | undefined;
}

/** The service's own words on a refusal, from its error body or as plain text. */
type ServiceWords = Pick<ErrorFacts, "code" | "serviceMessage" | "fields">;

/** The error of a failed call; `redact` takes the key out of everything that came from outside. */
export async function failureError(failure: Failure, redact: (text: string) => string): Promise<ServiceError> {
  const { call, answer, arrival, address } = failure;
  const words = answer === undefined ? {} : await serviceWords(answer, redact);
  const facts = {
    route: call.route,
    method: call.method,
    path: redact(call.path),
    arrival,
    tries: failure.attempts,
    ...(answer && { status: answer.status }),
    ...(isElsewhere(failure) && { isElsewhere: true }),
    ...words,
    ...(address !== undefined && { address }),
    ...adviceOf(failure),
  };
  const message = `${call.method} ${call.path}: ${whatHappened(failure, words)}${triesWords(failure.attempts)}`;
  return new ServiceError(redact(message), facts, failure.cause);
}

function whatHappened({ answer, reason, arrival }: Failure, words: ServiceWords): string {
  if (answer === undefined && arrival === "not-sent") return `the service was not reached: ${reason}`;
  if (answer === undefined || answer.status < 300) return reason ?? "there was no usable answer";
  const target = redirection(answer);
  if (target !== undefined)
    return `the service redirects (${answer.status}) to ${target}. Most likely the API is there`;
  const said = words.serviceMessage === undefined ? "" : `: ${words.serviceMessage}`;
  return `the service answered ${answer.status}${said}${fieldWords(words.fields)}`;
}

function isElsewhere({ answer, cause }: Failure): boolean {
  const isRedirected = answer !== undefined && redirection(answer) !== undefined;
  return isRedirected || (cause instanceof UnreadableAnswer && cause.isPage);
}

/** Where an answer leads to; undefined for one that leads nowhere, as a 304 does. */
function redirection({ status, headers }: TransportAnswer): string | undefined {
  return status >= 300 && status < 400 ? headers["location"] : undefined;
}

function adviceOf({ cause }: Failure): Pick<ErrorFacts, "advice"> {
  const advice = cause instanceof TransportError ? cause.connection?.advice : undefined;
  return advice === undefined ? {} : { advice };
}

async function serviceWords(answer: TransportAnswer, redact: (text: string) => string): Promise<ServiceWords> {
  if (answer.status < 400 || isPage(answer)) return {};
  const body: unknown = unlessThrown(() => answer.json()) ?? (await shortText(answer, redact));
  if (typeof body === "string") return body === "" ? {} : { serviceMessage: redact(body) };
  if (typeof body !== "object" || body === null) return {};
  const { code, message, errors } = body as Readonly<Record<string, unknown>>;
  const said = typeof message === "string" ? redact(message) : undefined;
  const fields = (Array.isArray(errors) ? errors : [])
    .map((each) => refusal(each, redact))
    .filter(({ field, message: why }) => said === undefined || !(said.includes(field) && said.includes(why)));
  return {
    ...(typeof code === "string" && { code: redact(code) }),
    ...(said !== undefined && { serviceMessage: said }),
    ...(fields.length > 0 && { fields }),
  };
}

const longestWords = 500;

/** Without secrets before it is cut: half of one would not be known again. */
async function shortText(answer: TransportAnswer, redact: (text: string) => string): Promise<string> {
  const text = redact(new TextDecoder().decode(await answer.body()).trim());
  return text.length > longestWords ? `${text.slice(0, longestWords)}…` : text;
}

function refusal(error: unknown, redact: (text: string) => string): FieldRefusal {
  const { field, message } = asObject(error) ?? { message: error };
  return { field: redact(String(field ?? "")), message: redact(String(message ?? "")) };
}
