import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Asked, closeServer, readAsked } from "./asked.ts";

/** Which server is played: the protocol of Terraform's documentation, or GitLab's managed state. */
export type StateServerFlavour = "plain" | "gitlab";

/** What goes wrong with the next matching requests. */
interface StateFault {
  readonly method: string;
  readonly times: number;
  /** Answers this instead of doing the work; without it the connection is cut. */
  readonly status?: number;
  /** Does the work first. */
  readonly after?: boolean;
  readonly body?: string;
  /** Loses the end of the answer on its way, under the sum of the whole. */
  readonly corrupt?: boolean;
}

/** A server for Terraform's HTTP state protocol, written from its public description and sharing nothing with src. */
export interface FakeStateServer {
  /** Address of the state; the lock's is the same, or `…/lock` at GitLab. */
  readonly address: string;
  document: string | undefined;
  readonly lock: () => Readonly<Record<string, string>> | undefined;
  /** `METHOD status` of every request, in order. */
  readonly log: string[];
  readonly fail: (fault: StateFault) => void;
  /** Waits before each answer. */
  latencyMs: number;
  readonly close: () => Promise<void>;
}

interface Play {
  readonly flavour: StateServerFlavour;
  readonly server: { document: string | undefined; lock: Record<string, string> | undefined };
  readonly serials: Set<number>;
  readonly authorization: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly corrupt?: boolean;
}

/** Starts one on loopback; with credentials it refuses everybody else. */
export async function startStateServer(
  flavour: StateServerFlavour,
  credentials?: { readonly username: string; readonly password: string },
): Promise<FakeStateServer> {
  const held: Play["server"] = { document: undefined, lock: undefined };
  const pair = credentials && `${credentials.username}:${credentials.password}`;
  const authorization = pair && `Basic ${Buffer.from(pair).toString("base64")}`;
  const play: Play = { flavour, server: held, serials: new Set(), authorization };
  const log: string[] = [];
  const faults: { left: number; fault: StateFault }[] = [];
  const settings = { latencyMs: 0 };
  const server = createServer(async (request, response) => {
    const asked = await readAsked(request);
    const found = faults.find(({ left, fault }) => left > 0 && fault.method === asked.method);
    if (found) found.left -= 1;
    const answer = faulty(found?.fault, () => answerTo(play, asked));
    log.push(`${asked.method} ${answer.status || "cut"}`);
    if (settings.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, settings.latencyMs));
    reply(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const path = flavour === "gitlab" ? "/api/v4/projects/7/terraform/state/webshop" : "/states/webshop";
  return {
    address: `http://127.0.0.1:${port}${path}`,
    get document() {
      return held.document;
    },
    set document(text) {
      held.document = text;
    },
    get latencyMs() {
      return settings.latencyMs;
    },
    set latencyMs(ms) {
      settings.latencyMs = ms;
    },
    lock: () => held.lock,
    log,
    fail: (fault) => faults.push({ left: fault.times, fault }),
    close: () => closeServer(server),
  };
}

function faulty(fault: StateFault | undefined, work: () => Answer): Answer {
  if (fault === undefined) return work();
  if (fault.corrupt) return { ...work(), corrupt: true };
  if (fault.after) work();
  return { status: fault.status ?? 0, body: fault.body ?? "" };
}

function reply(response: ServerResponse, { status, body, corrupt }: Answer): void {
  if (status === 0) {
    response.socket?.destroy();
    return;
  }
  const md5 = createHash("md5")
    .update(body ?? "")
    .digest("base64");
  response
    .writeHead(status, { "content-type": "application/json", "content-md5": md5 })
    .end(corrupt ? body?.slice(0, -4) : body);
}

function answerTo(play: Play, asked: Asked): Answer {
  if (play.authorization !== undefined && asked.headers.authorization !== play.authorization) return { status: 401 };
  const sum = asked.headers["content-md5"];
  if (asked.body !== "" && sum !== createHash("md5").update(asked.body).digest("base64")) return { status: 400 };
  return play.flavour === "gitlab" ? answerAsGitlab(play, asked) : answerAsPlain(play, asked);
}

/** GET, POST, LOCK and UNLOCK of one address; 423 names the holder. Terraform's force-unlock sends no id. */
function answerAsPlain({ server }: Play, { method, url, body }: Asked): Answer {
  const id = url.searchParams.get("ID");
  switch (method) {
    case "GET":
      return server.document === undefined ? { status: 404 } : { status: 200, body: server.document };
    case "POST":
    case "PUT":
      if ((server.lock?.["ID"] ?? null) !== id) return locked(server.lock, 423);
      server.document = body;
      return { status: 200 };
    case "LOCK":
      if (server.lock) return locked(server.lock, 423);
      server.lock = JSON.parse(body) as Record<string, string>;
      return { status: 200 };
    case "UNLOCK": {
      const wanted = body === "" ? undefined : (JSON.parse(body) as Record<string, string>)["ID"];
      if (wanted !== undefined && server.lock?.["ID"] !== wanted) return locked(server.lock, 423);
      server.lock = undefined;
      return { status: 200 };
    }
    default:
      return { status: 405 };
  }
}

/** The managed state of GitLab's documentation: 204 before the first write, every serial once, 409 for every conflict. */
function answerAsGitlab(play: Play, { method, url, body }: Asked): Answer {
  const { server } = play;
  const members = JSON.parse(body || "{}") as Record<string, string>;
  switch (`${method} ${url.pathname.endsWith("/lock") ? "lock" : "state"}`) {
    case "POST lock":
      return lockAsGitlab(server, members);
    case "DELETE lock":
      if (members["ID"] !== undefined && members["ID"] !== server.lock?.["ID"]) return { status: 409 };
      server.lock = undefined;
      return { status: 200 };
    case "GET state":
      return server.document === undefined ? { status: 204 } : { status: 200, body: server.document };
    case "POST state":
      if ((url.searchParams.get("ID") ?? "") !== (server.lock?.["ID"] ?? "")) return { status: 409 };
      return storeAsGitlab(play, body, members["serial"]);
    default:
      return { status: 405 };
  }
}

function storeAsGitlab({ server, serials }: Play, body: string, serial: unknown): Answer {
  if (typeof serial !== "number") return { status: 400, body: '{"error":"serial is missing"}' };
  if (serials.has(serial)) return { status: 422, body: '{"error":"Version has already been taken"}' };
  serials.add(serial);
  server.document = body;
  return { status: 200 };
}

/** GitLab keeps id, user and time of a lock, and echoes the rest of what the asker sent. */
function lockAsGitlab(server: Play["server"], info: Record<string, string>): Answer {
  for (const member of ["ID", "Operation", "Info", "Who", "Version", "Created", "Path"])
    if (typeof info[member] !== "string") return { status: 400, body: `{"error":"${member} is missing"}` };
  const isTaken = server.lock !== undefined;
  if (!isTaken) server.lock = { ...info, Who: "ci-bot", Created: new Date().toISOString() };
  const { ID, Who, Created } = server.lock ?? info;
  return { status: isTaken ? 409 : 200, body: JSON.stringify({ ...info, ID, Who, Created }) };
}

function locked(lock: Readonly<Record<string, string>> | undefined, status: number): Answer {
  return { status, body: lock === undefined ? "" : JSON.stringify(lock) };
}
