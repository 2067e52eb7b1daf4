import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type BareRepository, plainGit } from "./git-server.ts";

/** A bare repository behind smart HTTP: `git http-backend`, run as a CGI program. */
export interface GitHttp {
  readonly address: string;
  /** The `Authorization` that every request needs; undefined for nobody's. */
  authorization: string | undefined;
  /** Whether pushes are refused with 403, as to an account that may only read. */
  isReadOnly: boolean;
  /** How many of the next pushes lose their answer: they take effect, and the connection is cut. */
  cuts: number;
  /** How many of the next requests are answered with 503. */
  failures: number;
  /** Whether requests are taken and never answered. */
  isSilent: boolean;
  readonly close: () => Promise<void>;
}

/** Starts a server on loopback. */
export async function startGitHttp(repository: BareRepository): Promise<GitHttp> {
  const server: { -readonly [Member in keyof GitHttp]: GitHttp[Member] } = {
    address: "",
    authorization: undefined,
    isReadOnly: false,
    cuts: 0,
    failures: 0,
    isSilent: false,
    close: async () => {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
  const http = createServer((request, response) => {
    if (server.isSilent) return;
    const status = refusalOf(server, request);
    if (status === undefined) runBackend({ server, repository }, request, response);
    else response.writeHead(status, { "www-authenticate": 'Basic realm="git"' }).end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  server.address = `http://127.0.0.1:${(http.address() as AddressInfo).port}/states.git`;
  return server;
}

function refusalOf(server: GitHttp, { headers, url = "" }: IncomingMessage): number | undefined {
  if (server.failures > 0) {
    server.failures -= 1;
    return 503;
  }
  if (server.authorization !== undefined && headers.authorization !== server.authorization) return 401;
  return server.isReadOnly && url.includes("git-receive-pack") ? 403 : undefined;
}

interface Backend {
  readonly server: GitHttp;
  readonly repository: BareRepository;
}

/** The answer of a CGI program: headers, an empty line, and the body. */
function runBackend({ server, repository }: Backend, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://git");
  const env = {
    ...plainGit,
    GIT_PROJECT_ROOT: repository.folder,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: pathname.replace("/states.git", ""),
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method ?? "GET",
    CONTENT_TYPE: request.headers["content-type"] ?? "",
    HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    REMOTE_USER: "tester",
  };
  const child = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => undefined);
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.once("close", () => {
    const isPush = request.method === "POST" && pathname.endsWith("/git-receive-pack");
    if (isPush && server.cuts > 0) {
      server.cuts -= 1;
      request.socket.destroy();
      return;
    }
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf("\r\n\r\n");
    const lines = answer.subarray(0, end).toString().split("\r\n");
    const headers = lines.map((line) => line.split(": ") as [string, string]);
    const status = Number(headers.find(([name]) => name === "Status")?.[1].slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== "Status")));
    response.end(answer.subarray(end + 4));
  });
}
