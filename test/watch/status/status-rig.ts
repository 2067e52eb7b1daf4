import { connect } from "node:net";
import { onTestFinished } from "vitest";
import { type ServeStatusOptions, serveStatus } from "../../../src/watch/status/serve-status.ts";
import { noon, viewOf, watched } from "./sample-projects.ts";

export const token = "watch-token";

const github = { source: { is: "git", url: "git@github.com:octo/tests.git", branch: "main", path: "" } } as const;
/** One project of each kind of name. */
export const projects = () => [
  watched("webshop", { state: "in-sync", plan: "+ testCase.a" }, github),
  watched("a/b ä", { state: "drifted" }),
];

/** A served view, with what asks it. */
export async function start(options: Partial<ServeStatusOptions> = {}, view = viewOf(projects())) {
  const server = await serveStatus({ view, address: "127.0.0.1:0", now: () => noon, ...options });
  onTestFinished(() => server.close());
  const { port } = new URL(server.url);
  const ask = (path: string, init: RequestInit = {}) => fetch(server.url + path, init);
  const post = (
    path: string,
    body: unknown = {},
    headers: Record<string, string> = { authorization: `Bearer ${token}` },
  ) =>
    ask(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return { server, view, port: Number(port), ask, post };
}

/** The status of an answer to a request written by hand: fetch sets Host itself. */
export async function raw(port: number, ...lines: readonly string[]): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return Number(text.split(" ")[1]);
}

export const authorized = { headers: { authorization: `Bearer ${token}` } };
