import { ConnectionCut, type Ran, type ServiceAnswer } from "../core/answer.ts";
import { identifyCaller } from "../core/identify-caller.ts";
import { readBody } from "../core/read-body.ts";
import { refuseForeign, refuseUntyped } from "../core/refuse-foreign.ts";
import { type Incoming, readRequest, refuseOtherBytes, type ServiceRequest } from "../core/request.ts";
import type { Match } from "../core/router.ts";
import { engineHeader } from "../core/run-engine.ts";
import { applyFault } from "../faults/apply-fault.ts";
import type { Fault } from "../faults/fault.ts";
import type { Instance } from "../instance.ts";
import { Refusal } from "../refusal.ts";
import { maskedQuery } from "../request-log.ts";
import { failureAnswer, type Prepared, runRoute, type Waiting } from "../routes/run-route.ts";
import type { Changes } from "../store/store.ts";
import { isOwnPath, processOwn } from "./own-routes.ts";

/** The way by which a request came. */
export interface Way {
  /** Over a socket that only this machine reaches. */
  readonly isOnLoopback: boolean;
}

/** Carries a request out; rejects with ConnectionCut where a planned fault, or its own end, cuts it. */
export async function processRequest(
  instance: Instance,
  request: ServiceRequest,
  way: Way = { isOnLoopback: false },
): Promise<ServiceAnswer> {
  const incoming = readRequest(request);
  const started = performance.now();
  const match = instance.shared.router.find(incoming.method, incoming.path);
  try {
    refuseForeign(incoming, match?.mounted.route, way);
  } catch (thrown) {
    const answer = failureAnswer(thrown, incoming.method, instance.settings);
    if (!isOwnPath(incoming.path)) record(instance, incoming, { match, started, ran: { answer, unknown: [] } });
    return answer;
  }
  try {
    return isOwnPath(incoming.path)
      ? await processOwn(instance, incoming)
      : await processPublic(instance, incoming, { match, started });
  } finally {
    instance.agenda.expect();
  }
}

async function processPublic(
  instance: Instance,
  incoming: Incoming,
  { match, started }: LoggedCall,
): Promise<ServiceAnswer> {
  const arrived = instance.clock.now();
  const { agenda, delayed } = instance;
  agenda.carryOutDue();
  const isWatching = isConsoleRead(incoming, match);
  const fault = match && !isWatching ? instance.faults.take(incoming.method, match) : undefined;
  try {
    const prepared = await readPrepared(instance, incoming, match);
    const work = () => answerPrepared(instance, prepared, fault);
    const ran = await (fault ? applyFault({ agenda, delayed, fault, arrived, work }) : work());
    if (!isWatching) record(instance, incoming, { match, started, ran });
    return ran.answer;
  } catch (thrown) {
    if (thrown instanceof ConnectionCut) record(instance, incoming, { match, started, cut: thrown });
    throw thrown;
  }
}

const readsByPost: ReadonlySet<string> = new Set(["POST /search", "POST /executions/:id/evaluate-kpis"]);

/** The console looks on: what it reads to show it uses up no planned fault and fills no log. */
function isConsoleRead({ method, headers }: Incoming, match: Match | undefined): boolean {
  const isRead = method === "GET" || readsByPost.has(match?.mounted.key ?? "");
  return isRead && headers.get("x-loadform-console") === "1";
}

/** A request that was read, or its refusal. */
type PreparedOrRefused = Prepared | { readonly refused: Ran };

/** Everything before the work: credentials, route, body. It happens at arrival, even where a fault puts the work off. */
async function readPrepared(
  instance: Instance,
  incoming: Incoming,
  match: Match | undefined,
): Promise<PreparedOrRefused> {
  const { settings, store, session, apiKey } = instance;
  try {
    refuseProxy(incoming);
    refuseOtherBytes(incoming);
    refuseUntyped(incoming);
    const user = identifyCaller(incoming, match?.mounted.route, { credentials: { apiKey, session }, settings, store });
    if (match === undefined) throw noRoute(instance, incoming);
    const body = await readBody(incoming, match.mounted.route, { bytes: settings.bodyLimit });
    return { incoming, match, user, body };
  } catch (thrown) {
    if (thrown instanceof ConnectionCut) throw thrown;
    return { refused: { answer: failureAnswer(thrown, incoming.method, settings), unknown: [] } };
  }
}

/** The work itself, done before the first wait unless it waits for something outside the store; resolves when it is durable. */
async function answerPrepared(instance: Instance, prepared: PreparedOrRefused, fault: Fault | undefined): Promise<Ran> {
  if ("refused" in prepared) return prepared.refused;
  const { store, stale } = instance;
  let run = () => runRoute(prepared, instance.context());
  let step = run();
  while ("work" in step) {
    run = await worked(step, { instance, method: prepared.incoming.method });
    step = run();
  }
  const ran = step;
  const changes = store.commit();
  if (changes === undefined) return stale.size > 0 && isRead(prepared) ? stale.read(store, again(run, ran), ran) : ran;
  stale.add(changes.former, fault?.staleReads ?? 0);
  return await kept(instance, changes, { prepared, ran });
}

/** The rest of a request once the work that it waits for is done; an error of that work becomes the answer. */
async function worked(
  { work, goOn }: Waiting,
  { instance, method }: { readonly instance: Instance; readonly method: string },
): Promise<() => Ran | Waiting> {
  try {
    const result = await work();
    return () => goOn(result, instance.context());
  } catch (thrown) {
    const ran = { answer: failureAnswer(thrown, method, instance.settings), unknown: [] };
    return () => ran;
  }
}

function again(run: () => Ran | Waiting, ran: Ran): () => Ran {
  return () => {
    const other = run();
    return "work" in other ? ran : other;
  };
}

/** The answer once its changes are durable; where the disk refuses them, that they were not made. */
async function kept(
  instance: Instance,
  changes: Changes,
  { prepared, ran }: { readonly prepared: Prepared; readonly ran: Ran },
): Promise<Ran> {
  try {
    await instance.keep(changes);
    return ran;
  } catch (thrown) {
    return { answer: failureAnswer(thrown, prepared.incoming.method, instance.settings), unknown: ran.unknown };
  }
}

function isRead({ incoming }: Prepared): boolean {
  return incoming.method === "GET" || incoming.method === "HEAD";
}

/** The recording proxy forwards between sockets, and here is none. Nobody needs the service's key to be told so. */
function refuseProxy({ path }: Incoming): void {
  if (path === "/_gw" || path.startsWith("/_gw/"))
    throw new Refusal(
      400,
      "the recording proxy (/_gw/<gateway key>/…) works only where the service listens: start `loadform serve`, or call service.listen(), and send the request to its url",
    );
}

/** 405 with Allow where the path is known, else 404. */
function noRoute(instance: Instance, { method, path }: Incoming): Refusal {
  const { router } = instance.shared;
  const allowed = router.methods(path);
  if (allowed.length > 0)
    return new Refusal(405, `found ${method} ${path}; expected one of ${allowed.join(", ")}`, {
      headers: { allow: allowed.join(", ") },
    });
  const near = router.nearest(path).join(", ");
  return new Refusal(404, `found no route ${method} ${path}${near === "" ? "" : `; the nearest are ${near}`}`);
}

interface LoggedCall {
  readonly match: Match | undefined;
  readonly started: number;
  readonly ran?: Ran;
  readonly cut?: ConnectionCut;
}

function record(instance: Instance, { method, path, query }: Incoming, { match, started, ran, cut }: LoggedCall): void {
  const engine = ran?.answer.headers[engineHeader];
  const masked = maskedQuery(query, match?.mounted.route.openQuery ?? false);
  instance.log.add({
    at: instance.clock.iso(),
    method,
    path,
    ...(masked === undefined ? {} : { query: masked }),
    status: ran?.answer.status ?? cut?.partial?.answer.status ?? 0,
    durationMs: Math.round((performance.now() - started) * 1000) / 1000,
    unknownFields: [...new Set(ran?.unknown)],
    ...(engine === undefined ? {} : { engine }),
    ...(match ? { route: match.mounted.key } : { nearest: instance.shared.router.nearest(path) }),
  });
}
