import type { ownRoutes } from "../../api/own.ts";
import type { JsonValue } from "../../api/routes.ts";
import { momentOf } from "../../model/recurrence.ts";
import { advance } from "../agenda.ts";
import { answerOf, ConnectionCut, type ServiceAnswer, withoutBody } from "../core/answer.ts";
import { charsetOf } from "../core/body-bytes.ts";
import { checkFields } from "../core/check-body.ts";
import { RawReply } from "../core/handlers.ts";
import { requireKey } from "../core/identify-caller.ts";
import { parseQuery } from "../core/parse-query.ts";
import { readBody } from "../core/read-body.ts";
import { refuseUntyped } from "../core/refuse-foreign.ts";
import type { Incoming } from "../core/request.ts";
import type { Match } from "../core/router.ts";
import { readFaults } from "../faults/fault.ts";
import type { Instance } from "../instance.ts";
import { Findings, Refusal } from "../refusal.ts";
import { failureAnswer } from "../routes/run-route.ts";
import { isJsonObject } from "../store/json-values.ts";
import { deeperThanBodies } from "../store/snapshot.ts";

/** True for the service's own paths, which faults and the request log leave out. */
export function isOwnPath(path: string): boolean {
  return path === "/_loadform" || path.startsWith("/_loadform/");
}

/** Answers the service's own routes. */
export async function processOwn(instance: Instance, incoming: Incoming): Promise<ServiceAnswer> {
  try {
    const match = instance.shared.router.find(incoming.method, incoming.path);
    const { settings, apiKey } = instance;
    refuseUntyped(incoming);
    requireKey(incoming, match?.mounted.route, { credentials: { apiKey }, settings });
    if (match === undefined) throw unknownRoute(instance, incoming);
    instance.agenda.carryOutDue();
    const handler = Reflect.get(ownHandlers, match.mounted.key) as (
      call: OwnCall,
    ) => ReturnType<(typeof ownHandlers)[keyof typeof ownHandlers]>;
    const answer = answerOf(await handler(await readCall(instance, incoming, match)));
    return incoming.method === "HEAD" ? withoutBody(answer) : answer;
  } catch (thrown) {
    if (thrown instanceof ConnectionCut) throw thrown;
    return failureAnswer(thrown, incoming.method, instance.settings);
  }
}

/** A state that was read here can be restored here, however large; and a body of `bodyLimit` is deeper in it than it was sent. */
const stateLimits = { bytes: Number.POSITIVE_INFINITY, around: deeperThanBodies };

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

/** A request to one of the service's own routes. */
interface OwnCall {
  readonly instance: Instance;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly body: JsonValue | undefined;
}

type OwnReply = JsonValue | RawReply | undefined;

/** The handlers of the service's own routes. */
const ownHandlers: { readonly [K in keyof typeof ownRoutes]: (call: OwnCall) => OwnReply | Promise<OwnReply> } = {
  "GET /_loadform/health": () => ({ status: "ok", version: "1" }),
  "GET /_loadform/openapi.json": async ({ instance }) => {
    const { makeOpenApi } = await import("../describe-routes.ts");
    return makeOpenApi(instance.shared.router.mounted, instance.settings);
  },
  "GET /_loadform/docs": ({ instance }) => openPage("docs", instance),
  "GET /_loadform/console": ({ instance }) => openPage("console", instance),
  "GET /_loadform/state": ({ instance }) => new RawReply(instance.snapshotText(), "application/json; charset=utf-8"),
  "PUT /_loadform/state": async ({ instance, body }) => {
    await instance.restore(body);
    return undefined;
  },
  "POST /_loadform/reset": async ({ instance }) => {
    await instance.reset();
    return undefined;
  },
  "GET /_loadform/clock": ({ instance }) => viewClock(instance),
  "PUT /_loadform/clock": async ({ instance, body }) => {
    const { mode, now } = isJsonObject(body) ? body : {};
    instance.clock.set(
      mode === "frozen" ? "frozen" : "real",
      now === undefined || now === null ? undefined : momentOf(now),
    );
    instance.agenda.forget();
    await instance.keepClock();
    return viewClock(instance);
  },
  "POST /_loadform/clock/advance": async ({ instance, body }) => {
    const ms = isJsonObject(body) ? Number(body["ms"]) : Number.NaN;
    if (!(ms >= 0)) throw new Refusal(400, `ms: found ${ms}; expected a whole number, at least 0`);
    await advance(instance, ms);
    return viewClock(instance);
  },
  "GET /_loadform/faults": ({ instance }) => viewFaults(instance),
  "PUT /_loadform/faults": ({ instance, body }) => {
    instance.faults.set(readFaults(body, instance.shared.router));
    return viewFaults(instance);
  },
  "DELETE /_loadform/faults": ({ instance }) => {
    const former = viewFaults(instance);
    instance.faults.set([]);
    instance.stale.clear();
    return former;
  },
  "GET /_loadform/requests": ({ instance, query }) => {
    const { method, path, after = 0 } = query;
    const entries = instance.log.select(textOrNone(method), textOrNone(path)).filter(({ id }) => id > Number(after));
    return entries.map((entry) => ({ ...entry, unknownFields: [...entry.unknownFields] })) as unknown as JsonValue;
  },
  "DELETE /_loadform/requests": ({ instance }) => {
    instance.log.clear();
    return undefined;
  },
};

async function openPage(name: "console" | "docs", { shared, settings, apiKey }: Instance): Promise<RawReply> {
  const { staticPage } = await import("../pages/static-page.ts");
  return staticPage(name, { router: shared.router, settings, apiKey });
}

function viewClock({ clock }: Instance): JsonValue {
  return { mode: clock.mode, now: clock.iso() };
}

function viewFaults({ faults }: Instance): JsonValue {
  return faults.list().map((each) => ({ ...each })) as unknown as JsonValue;
}

function textOrNone(value: string | number | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
