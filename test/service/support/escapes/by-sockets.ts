import { type Escape, nothing } from "./escape.ts";

const noPlace = /^refused (?:this run reaches no such place|.*EACCES)/;

/** To what listens on this machine, in a run that reaches nothing. */
export const bySockets: readonly Escape[] = [
  {
    name: "an agent's connection",
    text: 'return reach(open(agents.http, { host: "127.0.0.1", port: PORT }))',
    expected: noPlace,
  },
  {
    name: "a secure agent's connection",
    text: 'return reach(open(agents.https, { host: "127.0.0.1", port: PORT }))',
    expected: noPlace,
  },
  { name: "the class of sockets", text: 'return reach(new Socket().connect(PORT, "127.0.0.1"))', expected: noPlace },
  {
    name: "the class of sockets, as Node calls it",
    text: 'return reach(new Socket().connect([{ port: PORT, host: "127.0.0.1" }, null]))',
    expected: noPlace,
  },
  {
    name: "the class of requests",
    text: 'return reach(new http.ClientRequest({ host: "127.0.0.1", port: PORT }).end())',
    expected: noPlace,
  },
  {
    name: "the whole module http",
    text: 'return reach(http.default.get("http://127.0.0.1:" + PORT))',
    expected: /^refused Cannot read properties of undefined/,
  },
  { name: "the socket of a service", text: "return reach(new Socket().connect(UNIX))", expected: noPlace },
  {
    name: "the socket of a service, by an option",
    text: "return reach(open(agents.http, { path: UNIX }))",
    expected: noPlace,
  },
  {
    name: "the socket of a service, by pollution",
    text: 'Object.prototype.socketPath = UNIX; return reach(new http.ClientRequest({ host: "a.test" }).end())',
    expected: noPlace,
  },
  {
    name: "the dispatcher of fetch",
    text: 'const it = globalThis[Symbol.for("undici.globalDispatcher.1")]; return it ? it.request({ origin: "http://127.0.0.1:" + PORT, path: "/", method: "GET" }).then(() => "an answer") : "nothing"',
    expected: /^got nothing$|^refused/,
  },
  {
    name: "what the process has open",
    text: 'for (let fd = 0; fd < 64; fd++) try { const it = new Socket({ fd }); it.on("error", () => 0); if (it._handle) return "open " + fd } catch {} return "nothing"',
    expected: nothing,
  },
  {
    name: "what the process has open, by pollution",
    text: 'for (let fd = 0; fd < 64; fd++) try { Object.prototype.fd = fd; const it = new Socket(); it.on("error", () => 0); if (it._handle) return "open " + fd } catch {} return "nothing"',
    expected: nothing,
  },
  { name: "a server of http", text: "return http.createServer().listen(0)", expected: /servers are not available/ },
  {
    name: "a server of WebSocket",
    text: "return typeof (WebSocket.Server ?? WebSocket.WebSocketServer)",
    expected: /^got undefined$/,
  },
  {
    name: "a socket of a WebSocket's options",
    text: 'return reach(new WebSocket("ws://a.test/", { createConnection: () => new Socket().connect(PORT, "127.0.0.1"), socketPath: UNIX }))',
    expected: /^refused|^got nothing/,
  },
];
