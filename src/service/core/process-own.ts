import type { Instance } from "../instance.ts";
import type { OwnCall } from "../routes/own.ts";
import { ownHandlers } from "../routes/own.ts";
import type { ServiceAnswer } from "./answer.ts";
import { answerOf, withoutBody } from "./answer.ts";
import { checkFields, isJsonObject } from "./check-body.ts";
import { identifyCaller } from "./identify-caller.ts";
import { parseQuery } from "./parse-query.ts";
import { readBody } from "./read-body.ts";
import { Findings, Refusal } from "./refusal.ts";
import type { Incoming } from "./request.ts";
import type { Match } from "./router.ts";
import { failure } from "./run-route.ts";

/** Whether a path is one of the service's own, which faults and the request log leave out. */
export function isOwnPath(path: string): boolean {
  return path === "/_loadform" || path.startsWith("/_loadform/");
}

/** Answers the service's own routes (contract, section 6). */
export async function processOwn(instance: Instance, incoming: Incoming): Promise<ServiceAnswer> {
  try {
    const match = instance.shared.router.find(incoming.method, incoming.path);
    const { settings, store, session, apiKey } = instance;
    identifyCaller(incoming, match?.mounted.route, { credentials: { apiKey, session }, settings, store });
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

async function readCall(instance: Instance, incoming: Incoming, { mounted }: Match): Promise<OwnCall> {
  const { schemas } = instance.shared;
  const input = schemas.of(mounted.route);
  const findings = new Findings();
  const unknown: string[] = [];
  const query = parseQuery(incoming.query, input.query, { findings, unknown });
  const { value } = await readBody(untyped(incoming), mounted.route, instance.settings.bodyLimit);
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
  const headers = [...incoming.headers].filter(([name]) => name !== "content-type");
  return { ...incoming, headers: new Map(headers) };
}

function unknownRoute(instance: Instance, { method, path }: Incoming): Refusal {
  const allowed = instance.shared.router.methods(path);
  if (allowed.length === 0) return new Refusal(404, `found no route ${method} ${path}`);
  return new Refusal(405, `found ${method} ${path}; expected one of ${allowed.join(", ")}`, {
    headers: { allow: allowed.join(", ") },
  });
}
