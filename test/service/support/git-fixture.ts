import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { pathToFileURL } from "node:url";

/** What the repository of `makeRepository` is asked for. */
export const refsOfFixture = ["refs/heads/feature/basket", "refs/heads/main", "refs/tags/v1"];

/** A folder with a git repository `shop.git`, and an empty one `empty.git`. */
export interface GitFolder {
  readonly folder: string;
  /** Its `file:` url. */
  readonly url: (name?: string) => string;
  readonly remove: () => void;
}

/** Makes a repository with two branches and an annotated tag, ready to be served as files. */
export function makeRepository(): GitFolder {
  const folder = mkdtempSync(join(tmpdir(), "loadform-repository-"));
  const work = join(folder, "work");
  const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const git = (cwd: string, ...args: string[]) => void execFileSync("git", args, { cwd, env, stdio: "pipe" });
  mkdirSync(work);
  git(work, "init", "-q", "-b", "main");
  writeFileSync(join(work, "main.js"), "go()\n");
  git(work, "add", ".");
  const author = ["-c", "user.name=Ann", "-c", "user.email=ann@shop.test"];
  git(work, ...author, "commit", "-q", "-m", "First");
  git(work, "branch", "feature/basket");
  git(work, ...author, "tag", "-a", "-m", "One", "v1");
  for (const name of ["shop.git", "empty.git"]) git(folder, "init", "-q", "--bare", name);
  git(work, "push", "-q", "--all", "../shop.git");
  git(work, "push", "-q", "--tags", "../shop.git");
  git(join(folder, "shop.git"), "update-server-info");
  return {
    folder,
    url: (name = "shop.git") => pathToFileURL(join(folder, name)).href,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A server of the files below a folder, as git reads them from any web server ("dumb http"). */
export interface GitServer {
  readonly url: string;
  /** Headers of the requests that it saw. */
  readonly seen: readonly IncomingMessage["headers"][];
  readonly close: () => Promise<void>;
}

/** How the server treats a request: "files" answers them, others as they say. */
export type Treatment = "files" | "hang" | { readonly login: string } | { readonly redirect: string };

export async function serveRepository(folder: string, treatment: Treatment = "files"): Promise<GitServer> {
  const seen: IncomingMessage["headers"][] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    treat(request, response, { folder, treatment });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

interface Serving {
  readonly folder: string;
  readonly treatment: Treatment;
}

function treat(request: IncomingMessage, response: ServerResponse, { folder, treatment }: Serving): void {
  if (treatment === "hang") return;
  if (typeof treatment === "object" && "redirect" in treatment) {
    response.writeHead(302, { location: treatment.redirect + request.url }).end();
    return;
  }
  const login = typeof treatment === "object" ? treatment.login : undefined;
  const expected = login && `Basic ${Buffer.from(login).toString("base64")}`;
  if (expected !== undefined && request.headers.authorization !== expected) {
    response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
    return;
  }
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const file = join(folder, normalize(decodeURIComponent(pathname)));
  if (!existsSync(file)) response.writeHead(404).end();
  else createReadStream(file).pipe(response.writeHead(200, { "content-type": "text/plain" }));
}
