import type { Instance } from "../instance.ts";
import type { OwnCall } from "../routes/own.ts";
import { ownHandlers } from "../routes/own.ts";
import { deeperThanBodies } from "../store/snapshot.ts";
import type { ServiceAnswer } from "./answer.ts";
import { answerOf, withoutBody } from "./answer.ts";
import { checkFields, isJsonObject } from "./check-body.ts";
import { hasKey, requireKey } from "./identify-caller.ts";
import { parseQuery } from "./parse-query.ts";
import { charsetOf, readBody } from "./read-body.ts";
import { Findings, Refusal } from "./refusal.ts";
import type { Incoming } from "./request.ts";
import type { Match } from "./router.ts";
import { failure } from "./run-route.ts";

/** Whether a path is one of the service's own, which faults and the request log leave out. */
export function isOwnPath(path: string): boolean {
  return path === "/_loadform" || path.startsWith("/_loadform/");
}

/** Answers the service's own routes. */
export async function processOwn(instance: Instance, incoming: Incoming): Promise<ServiceAnswer> {
  try {
    const match = instance.shared.router.find(incoming.method, incoming.path);
    const { settings, apiKey } = instance;
    requireKey(incoming, match?.mounted.route, { credentials: { apiKey }, settings });
    if (match === undefined) throw unknownRoute(instance, incoming);
    instance.due.settle();
    const handler = Reflect.get(ownHandlers, match.mounted.key) as (
      call: OwnCall,
    ) => ReturnType<(typeof ownHandlers)[keyof typeof ownHandlers]>;
    const answer = answerOf(await handler(await readCall(instance, incoming, match)));
    return incoming.method === "HEAD" ? withoutBody(answer) : answer;
  } catch (thrown) {
    return failure(thrown, incoming.method, instance.settings);
  }
}

/** A state is as large as what it holds, and a body of `bodyLimit` lies deeper in it than it came. */
const stateLimits = { bytes: Number.POSITIVE_INFINITY, around: deeperThanBodies };

/** Whether a request's body is limited: a state that was read here can be restored here, by those who have the key. */
export function isLimited(
  incoming: Pick<Incoming, "method" | "path" | "headers" | "query">,
  instance: Instance,
): boolean {
  const match = instance.shared.router.find(incoming.method, incoming.path);
  const { settings, apiKey } = instance;
  return match?.mounted.key !== "PUT /_loadform/state" || !hasKey(incoming, { credentials: { apiKey }, settings });
}

async function readCall(instance: Instance, incoming: Incoming, { mounted }: Match): Promise<OwnCall> {
  const { schemas } = instance.shared;
  const input = schemas.of(mounted.route);
  const findings = new Findings();
  const unknown: string[] = [];
  const query = parseQuery(incoming.query, input.query, { findings, unknown });
  const isState = mounted.key === "PUT /_loadform/state";
  const limits = isState ? stateLimits : { bytes: instance.settings.bodyLimit };
  const { value } = await readBody(untyped(incoming), mounted.route, limits);
  const wanted = input.fields !== undefined || input.whole?.required === true;
  if (wanted && value === undefined) throw new Refusal(400, "found no body; expected a JSON document");
  if (input.fields) {
    if (!isJsonObject(value)) throw new Refusal(400, "found no JSON object; expected one");
    checkFields(value, input.fields, { schemas, findings, unknown });
  }
  for (const name of unknown) findings.add(name, "found an unknown field; expected only those of the contract");
  findings.check();
  return { instance, query, body: value };
}

/** These routes are driven by hand too: what curl and fetch call a text by default is taken as the JSON that it is. */
function untyped(incoming: Incoming): Incoming {
  const charset = charsetOf(incoming.headers.get("content-type"));
  const type = charset === undefined ? [] : [["content-type", `application/json; charset=${charset}`] as const];
  const headers = [...incoming.headers].filter(([name]) => name !== "content-type");
  return { ...incoming, headers: new Map([...headers, ...type]) };
}

function unknownRoute(instance: Instance, { method, path }: Incoming): Refusal {
  const allowed = instance.shared.router.methods(path);
  if (allowed.length === 0) return new Refusal(404, `found no route ${method} ${path}`);
  return new Refusal(405, `found ${method} ${path}; expected one of ${allowed.join(", ")}`, {
    headers: { allow: allowed.join(", ") },
  });
}
