import type { JsonValue } from "../../api/routes.ts";
import { answerOf, type Ran, refusalAnswer, type ServiceAnswer, withHeader, withoutBody } from "../core/answer.ts";
import { type BodyCheck, checkFields, checkWhole, shownValue } from "../core/check-body.ts";
import type { InputSchemas, RouteInput } from "../core/descriptor.ts";
import { type Call, type RawReply, type Reply, WaitingReply } from "../core/handlers.ts";
import { parseParams, parseQuery } from "../core/parse-query.ts";
import type { ReadBody } from "../core/read-body.ts";
import type { Incoming } from "../core/request.ts";
import type { Match } from "../core/router.ts";
import { engineHeader, engineOfPath, engineOfStarted } from "../core/run-engine.ts";
import { openScope, type ServiceScope } from "../core/scope.ts";
import { Findings, Refusal } from "../refusal.ts";
import type { Settings } from "../settings.ts";
import { isJsonObject } from "../store/json-values.ts";
import type { UserRecord } from "../store/records/organizations.ts";
import { handlers } from "./handler-table.ts";

/** The service that a request is carried out in, and how strictly its input is checked. */
export interface RouteContext extends ServiceScope {
  readonly schemas: InputSchemas;
  readonly strict: boolean;
}

/** A request that has a route, a caller and a body. */
export interface Prepared {
  readonly incoming: Incoming;
  readonly match: Match;
  readonly user: UserRecord | undefined;
  readonly body: ReadBody;
}

/** A request that waits for work outside the store. */
export interface Waiting {
  /** Rejects with the refusal of the request. */
  readonly work: () => Promise<unknown>;
  /** Carries it out with what the work resolved to, as `runRoute` does. */
  readonly goOn: (result: unknown, context: RouteContext) => Ran | Waiting;
}

/** Carries a request out, synchronously and as one, as far as it waits for nothing: a refusal leaves the store as it was. */
export function runRoute(prepared: Prepared, context: RouteContext): Ran | Waiting {
  const unknown: string[] = [];
  return answered(prepared, context, { unknown, call: () => callHandler(prepared, context, unknown) });
}

function answered(
  prepared: Prepared,
  context: RouteContext,
  { unknown, call }: { readonly unknown: string[]; readonly call: () => Reply },
): Ran | Waiting {
  const { match } = prepared;
  try {
    const known = engineOfPath(match, context);
    const reply = call();
    if (context.strict && unknown.length > 0) throw unread(unknown);
    if (reply instanceof WaitingReply) {
      context.store.rollback();
      return waitingFor(prepared, reply, unknown);
    }
    const engine = known ?? engineOfStarted(match, reply, context);
    const { status = 200 } = match.mounted.route;
    const answer = withHeader(answerOf(shortened(reply, context.settings), status), engineHeader, engine);
    if (prepared.incoming.method !== "HEAD") return { answer, unknown };
    // HEAD answers as GET would, and leaves no trace: an iterator does not move.
    context.store.rollback();
    return { answer: withHeader(withoutBody(answer), engineHeader, engine), unknown };
  } catch (thrown) {
    context.store.rollback();
    return { answer: failureAnswer(thrown, prepared.incoming.method, context.settings), unknown };
  }
}

function waitingFor(prepared: Prepared, reply: WaitingReply, unknown: string[]): Waiting {
  const goOn: Waiting["goOn"] = (result, context) => {
    const findings = new Findings();
    const scope = openScope(context, { user: prepared.user, findings, unknown });
    const call = () => {
      const next = reply.goOn(result, scope);
      findings.check();
      return next;
    };
    return answered(prepared, context, { unknown, call });
  };
  return { work: reply.work, goOn };
}

/**
 * An error as an answer; anything but a refusal is a defect of the service, of which callers learn only that it is one:
 * where it happened is written to stderr.
 */
export function failureAnswer(thrown: unknown, method: string, settings: Settings): ServiceAnswer {
  const refusal = thrown instanceof Refusal ? thrown : defect(thrown);
  const answer = refusalAnswer(refusal, settings.errors);
  return method === "HEAD" ? withoutBody(answer) : answer;
}

function defect(thrown: unknown): Refusal {
  const report = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  process.stderr.write(`a defect of the bundled service: ${report}\n`);
  return new Refusal(500, "a defect of the service; where it happened is on its stderr. Nothing was changed");
}

type AnyHandler = (call: Call<never>) => Reply;

function callHandler(prepared: Prepared, context: RouteContext, unknown: string[]): Reply {
  const { match, incoming, user, body } = prepared;
  const { key, route } = match.mounted;
  const input = context.schemas.of(route);
  const findings = new Findings();
  const params = parseParams(match.params, input.params);
  const query = parseQuery(incoming.query, input.query, { findings, unknown: route.openQuery ? [] : unknown });
  findings.check();
  checkBody(body.value, input, {
    check: { schemas: context.schemas, findings, unknown },
    optional: route.bodyOptional ?? false,
  });
  const scope = openScope(context, { user, findings, unknown });
  const call = {
    params,
    query,
    body: withoutInvalid(body.value, findings),
    rawQuery: incoming.query,
    uploads: body.uploads,
    texts: body.texts,
    headers: incoming.headers,
    scope,
  };
  const handler = Reflect.get(handlers, key) as AnyHandler;
  try {
    const reply = handler(call as unknown as Call<never>);
    findings.check();
    return reply;
  } catch (thrown) {
    // An invalid body is 400 before it is in conflict with anything.
    if (thrown instanceof Refusal && thrown.status === 409) findings.check();
    throw thrown;
  }
}

/**
 * The fields of a body that are of their type: handlers rely on it, and find what else is wrong, so that all invalid fields
 * are reported at once. Nothing is written when anything was found.
 */
function withoutInvalid(body: JsonValue | undefined, findings: Findings): JsonValue | undefined {
  if (findings.errors.length === 0) return body;
  if (!isJsonObject(body)) findings.check();
  if (!isJsonObject(body)) return body;
  const invalid = new Set(findings.errors.map(({ field }) => field.split(/[.[]/)[0]));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !invalid.has(name)));
}

function checkBody(
  value: JsonValue | undefined,
  input: RouteInput,
  { check, optional }: { readonly check: BodyCheck; readonly optional: boolean },
): void {
  if (value === undefined || value === null) {
    const wanted = input.fields !== undefined || input.whole?.required === true;
    if (wanted && !optional) throw new Refusal(400, "found no body; expected a JSON document");
    return;
  }
  if (input.whole) checkWhole(value, input.whole, check);
  // Nothing is left of a body that is no list where one is expected: no handler could look on.
  if (input.whole) check.findings.check();
  if (input.fields === undefined) return;
  if (!isJsonObject(value)) throw new Refusal(400, `found ${shownValue(value)}; expected a JSON object`);
  checkFields(value, optional ? withoutRequired(input.fields) : input.fields, check);
}

/** A body that may be absent says elsewhere (in the query) what is required. */
function withoutRequired(fields: NonNullable<RouteInput["fields"]>): NonNullable<RouteInput["fields"]> {
  return new Map([...fields].map(([name, field]) => [name, { ...field, required: false }]));
}

function unread(unknown: readonly string[]): Refusal {
  const errors = unknown.map((field) => ({ field, message: "nothing reads this field" }));
  return new Refusal(
    400,
    `found ${unknown.join(", ")}, which nothing reads; expected only known fields (strict mode)`,
    { errors },
  );
}

/** Setting `pageSize`: lists end after so many entries. */
function shortened(reply: JsonValue | RawReply | undefined, { pageSize }: Settings): JsonValue | RawReply | undefined {
  if (pageSize <= 0) return reply;
  return Array.isArray(reply) ? reply.slice(0, pageSize) : reply;
}
