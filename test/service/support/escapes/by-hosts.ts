import { type Escape, nothing } from "./escape.ts";

const beyond = /^refused (?:this run reaches no such place|.*EACCES|.*was not sent)/;
const handle = 'const it = open(agents.http, { host: "127.0.0.1", port: 9 }); const Handle = it._handle.constructor;';

/** To other hosts, in a run that reaches this machine. */
export const byHosts: readonly Escape[] = [
  {
    name: "a getter as the host",
    text: 'let n = 0; return reach(new Socket().connect({ port: PORT, get host() { return n++ ? "0.0.0.0" : "127.0.0.9" } }))',
    expected: /^refused ECONNREFUSED$/,
  },
  {
    name: "a getter as the host of an agent",
    text: 'let n = 0; return reach(open(agents.http, { port: PORT, get host() { return n++ > 1 ? "0.0.0.0" : "127.0.0.9" } }))',
    expected: /^refused ECONNREFUSED$|^refused this run reaches/,
  },
  {
    name: "a host whose text changes",
    text: 'let n = 0; return reach(new Socket().connect({ port: PORT, host: { toString: () => (n++ ? "0.0.0.0" : "127.0.0.9") } }))',
    expected: /^refused ECONNREFUSED$/,
  },
  {
    name: "a getter for a lookup",
    text: 'let n = 0; return reach(new Socket().connect({ port: 9, host: "localhost", get lookup() { return n++ ? (_, __, found) => found(null, [{ address: "0.0.0.0", family: 4 }]) : undefined } }))',
    expected: /^refused ECONNREFUSED$/,
  },
  {
    name: "a lookup of its own",
    text: 'return reach(new Socket().connect({ port: 9, host: "localhost", lookup: (_, __, found) => found(null, "0.0.0.0", 4) }))',
    expected: beyond,
  },
  {
    name: "a getter for a path",
    text: 'let n = 0; return reach(new Socket().connect({ port: 9, host: "127.0.0.1", get path() { return n++ ? UNIX : undefined } }))',
    expected: /^refused ECONNREFUSED$/,
  },
  {
    name: "patched arrays",
    text: 'Array.prototype.some = () => true; return reach(new Socket().connect(PORT, "0.0.0.0"))',
    expected: beyond,
  },
  {
    name: "patched strings",
    text: 'String.prototype.endsWith = String.prototype.startsWith = () => true; String.prototype.toLowerCase = () => "localhost"; return reach(new Socket().connect(PORT, "0.0.0.0"))',
    expected: beyond,
  },
  {
    name: "patched expressions",
    text: 'RegExp.prototype.test = () => true; return reach(new Socket().connect(PORT, "0.0.0.0"))',
    expected: beyond,
  },
  {
    name: "patched sets",
    text: 'Set.prototype.has = () => true; return reach(new Socket().connect(PORT, "0.0.0.0"))',
    expected: beyond,
  },
  {
    name: "the unguarded connect, by Reflect.apply",
    text: 'let raw; Reflect.apply = (f, of, args) => { if (String(f).includes("connect")) raw = f; return applied(f, of, args) }; open(agents.http, { host: "127.0.0.1", port: 9 }); return raw ? reach(applied(raw, new Socket(), [{ host: "0.0.0.0", port: PORT }])) : "nothing"',
    expected: nothing,
  },
  {
    name: "a handle's connect",
    text: `${handle} let Asked; const real = Handle.prototype.connect; try { Object.defineProperty(Handle.prototype, "connect", { value(request, ...to) { Asked = request.constructor; return applied(real, this, [request, ...to]) } }) } catch {} let setting; Object.defineProperty(Object.prototype, "oncomplete", { configurable: true, set(value) { setting = this.constructor; Object.defineProperty(this, "oncomplete", { value, configurable: true, writable: true }) } }); open(agents.http, { host: "127.0.0.1", port: 9 }); await wait(); delete Object.prototype.oncomplete; const Request = Asked ?? setting; const request = new Request(); return new Promise((go, no) => { request.oncomplete = (code) => (code ? no(new Error(code)) : go("a connection")); const code = new Handle(0).connect(request, "0.0.0.0", PORT); if (code) no(new Error("EACCES " + code)) })`,
    expected: beyond,
  },
  {
    name: "a handle's connect, for another family",
    text: `${handle} const code = new Handle(0).connect6({}, "::ffff:0.0.0.0", PORT); return code`,
    expected: /^got -13$/,
  },
  {
    name: "a handle that listens",
    text: `${handle} const own = new Handle(1); return own.bind("127.0.0.1", 0) || own.listen(1)`,
    expected: /^got -13$/,
  },
  {
    name: "a handle that takes over what is open",
    text: `${handle} return [0, 1, 2, 5, 20].map((fd) => new Handle(0).open(fd)).join()`,
    expected: /^got -13,-13,-13,-13,-13$/,
  },
  {
    name: "a redirect",
    text: 'return fetch("http://127.0.0.1:" + PORT + "/moved").then((answer) => answer.url)',
    expected: /^refused/,
    reached: 1,
  },
  {
    name: "an agent of its own",
    text: 'return reach(http.get({ host: "a.test", port: PORT, agent: new http.Agent({ host: "0.0.0.0" }), createConnection: () => new Socket().connect(PORT, "0.0.0.0") }))',
    expected: beyond,
  },
  {
    name: "a name that is looked up",
    text: 'return reach(new Socket().connect(PORT, "told.example.test"))',
    expected: beyond,
  },
  {
    name: "another spelling of the host",
    text: 'const all = ["0", "0x7f000001.example.test", "127.0.0.1.example.test", "2130706433.", "[::]", "::"]; const got = await Promise.all(all.map((host) => reach(new Socket().connect(PORT, host)).catch(() => "no"))); return got.every((each) => each === "no") ? "nothing" : got',
    expected: nothing,
  },
].map((each) => ({ ...each, network: "loopback" as const }));
