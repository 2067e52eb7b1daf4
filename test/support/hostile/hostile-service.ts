import type { Service, ServiceAnswer, ServiceRequest } from "../../../src/service/index.ts";
import type { Hazard, Wrong } from "./hazards.ts";
import type { RoundTrips } from "./round-trips.ts";
import { senselessly } from "./senseless.ts";

/** A service to which things happen while a command talks to it. */
export interface HostileService {
  /** What the engine talks to. */
  readonly service: Service;
  /** From the next request on. */
  readonly arm: (hazards: readonly Hazard[]) => void;
  /** Nothing happens any more; faults that were planned are gone. */
  readonly disarm: () => Promise<void>;
  /** How many writes the engine has sent so far. */
  readonly writes: () => number;
}

/** How often each hazard was carried out, by its kind. */
export const met = new Map<string, number>();

const count = (what: string) => met.set(what, (met.get(what) ?? 0) + 1);

interface Planned {
  readonly hazard: Exclude<Hazard, { readonly is: "outside" | "fault" }>;
  readonly route: string;
  left: number;
}

/** Puts hazards between a service and whoever talks to it; `outside` is what somebody else does, `trips` what they meet. */
export function hostileService(
  inner: Service,
  outside: (hazard: Extract<Hazard, { readonly is: "outside" }>) => Promise<void>,
  trips?: RoundTrips,
): HostileService {
  let waiting: Hazard[] = [];
  let planned: Planned[] = [];
  let seen = 0;
  // Counts up with each command: what a killed one met last begins no more in the next.
  let round = 0;
  let writes = 0;
  const own = (method: string, body?: unknown) =>
    inner.handle({
      method,
      path: "/_loadform/faults",
      headers: { "x-api-key": inner.apiKey },
      ...(body === undefined ? {} : { body: body as never }),
    });
  const start = async (hazard: Hazard, { method, path }: ServiceRequest) => {
    if (hazard.is === "outside") return outside(hazard);
    if (hazard.is !== "fault") {
      planned.push({ hazard, route: `${method} ${path}`, left: hazard.times });
      return;
    }
    count(`fault ${JSON.stringify(hazard.how)}`);
    const { status } = await own("PUT", [{ method, path, times: hazard.times, ...hazard.how }]);
    if (status !== 200) throw new Error(`the fault ${JSON.stringify(hazard)} was refused for ${method} ${path}`);
  };
  const handle = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    if (request.path.startsWith("/_loadform")) return inner.handle(request);
    trips?.leaves(request);
    return carryOut(request).finally(() => trips?.ends(request));
  };
  const carryOut = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    const at = seen++;
    if (request.method !== "GET" && request.method !== "HEAD") writes++;
    const due = waiting.filter((hazard) => hazard.at <= at && isFor(hazard, request));
    waiting = waiting.filter((hazard) => !due.includes(hazard));
    const began = round;
    for (const hazard of due) if (began === round) await start(hazard, request);
    const route = `${request.method} ${request.path}`;
    const now = planned.find((each) => each.route === route && each.left > 0);
    const work = () => (trips ? trips.arrives(request, () => inner.handle(request)) : inner.handle(request));
    if (now === undefined) return work();
    now.left -= 1;
    return answerOf(now.hazard, work);
  };
  const service = Object.create(inner, { handle: { value: handle } }) as Service;
  return {
    service,
    writes: () => writes,
    arm(hazards) {
      [waiting, planned, seen] = [[...hazards], [], 0];
      round += 1;
    },
    async disarm() {
      [waiting, planned] = [[], []];
      round += 1;
      await own("DELETE");
    },
  };
}

async function answerOf(hazard: Planned["hazard"], work: () => Promise<ServiceAnswer>): Promise<ServiceAnswer> {
  count(hazard.is === "senseless" ? `senseless ${hazard.which}` : hazard.is);
  if (hazard.is === "page") return senselessly("HTML", { status: 200, headers: {}, json: null, body: () => "" });
  const answer = await work();
  if (hazard.is === "refusal after") return { ...answer, status: hazard.status, json: undefined, body: () => "" };
  return answer.status === 200 ? senselessly(hazard.which, answer) : answer;
}

const isWrite = ({ method }: ServiceRequest) => method === "POST" || method === "PUT" || method === "PATCH";

/**
 * Senseless answers are answers to writes; so are stale reads. Only creates promise anything about being late: a late update
 * could undo what somebody else did meanwhile, a late upsert bring back what the next command deletes.
 */
function isFor(hazard: Hazard, request: ServiceRequest): boolean {
  if (hazard.is === "senseless")
    return isWrite(request) && new RegExp(hazard.on ?? "").test(`${request.method} ${request.path}`);
  if (hazard.is === "refusal after") return isWrite(request) || request.method === "DELETE";
  if (hazard.is !== "fault") return true;
  const { how } = hazard;
  if (isLate(how)) return request.method === "POST" && !/^\/(test-cases|orgs\/\d+\/regions)$/.test(request.path);
  return "staleReads" in how || ("drop" in how && how.drop === "after") || "effectDelayMs" in how
    ? request.method !== "GET"
    : true;
}

const isLate = (how: Wrong) => "effectDelayMs" in how && (how.effectDelayMs ?? 0) > 0;
