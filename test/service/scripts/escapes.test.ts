import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createUnixServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleOf } from "../../support/deep.ts";
import { inClosedThread } from "../support/closed-thread.ts";
import { byClones } from "../support/escapes/by-clones.ts";
import { byFiles } from "../support/escapes/by-files.ts";
import { byHosts } from "../support/escapes/by-hosts.ts";
import { byModules } from "../support/escapes/by-modules.ts";
import { byProcess } from "../support/escapes/by-process.ts";
import { bySockets } from "../support/escapes/by-sockets.ts";
import { preludeOf } from "../support/escapes/escape.ts";
import { runText } from "../support/run-text.ts";

const escapes = [...byProcess, ...byModules, ...byClones, ...byFiles, ...bySockets, ...byHosts];
const canary = "canary-of-the-service";
const folder = mkdtempSync(join(tmpdir(), "loadform-escapes-"));
const places = {
  FILE: join(folder, "secret"),
  NEW: join(folder, "new"),
  UNIX: join(folder, "s.sock"),
  PROGRAM: join(folder, "out"),
};
const servers: Server[] = [];
/** Who was reached that may not be. */
const reached: string[] = [];
let port = 0;

beforeAll(async () => {
  writeFileSync(places.FILE, canary);
  writeFileSync(`${places.PROGRAM}.js`, `globalThis.found = "a program";`);
  process.env["CANARY"] = canary;
  const server = createServer((_request, response) => {
    response.writeHead(302, { location: `http://0.0.0.0:${port}/` }).end();
  });
  const unix = createUnixServer((socket) => {
    reached.push("the socket of a service");
    socket.end();
  });
  server.on("connection", () => reached.push("a server"));
  servers.push(server, unix);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => unix.listen(places.UNIX, resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  delete process.env["CANARY"];
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

describe("a script does not get out of its thread", () => {
  it.each(sampleOf(escapes))(
    "by $name",
    async ({ text, expected, network = "simulated", init = null, reached: expectedReached = 0 }) => {
      reached.length = 0;
      const prelude = preludeOf({ ...places, PORT: port });
      const main = `${prelude}
      const { info } = log;
      const { code, say } = { code: (e) => (typeof e?.code === "string" ? e.code : (e?.message ?? e)), say: (word, value) => info(word + " " + value) };
      await (async () => { ${text} })().then((value) => say("got", value), (e) => say("refused", code(e)));`;
      const run = await runText(main, { init, options: { network, limits: { ms: 20_000 } } });
      const lines = run.logs.map(({ message }) => message).filter((line) => /^(?:got|refused) /.test(line));
      expect(lines, run.failure ?? "").toHaveLength(1);
      expect(lines[0]).toMatch(expected);
      expect(JSON.stringify(run)).not.toContain(canary);
      expect(existsSync(places.NEW)).toBe(false);
      expect(reached).toHaveLength(expectedReached);
    },
  );

  it("in as many ways as this table has", () => {
    expect(escapes.length).toBeGreaterThanOrEqual(60);
    expect(new Set(escapes.map(({ name }) => name)).size).toBe(escapes.length);
  });
});

/** What `closeThread` leaves of modules of Node that somebody got hold of before. */
describe("in the thread of a script", () => {
  it("the real process has nothing that leads out", async () => {
    const gone = [
      "binding",
      "_linkedBinding",
      "getBuiltinModule",
      "dlopen",
      "kill",
      "_kill",
      "mainModule",
      "openStdin",
    ];
    const more = [
      "report",
      "loadEnvFile",
      "chdir",
      "abort",
      "_debugProcess",
      "_getActiveHandles",
      "setSourceMapsEnabled",
    ];
    const seen = await inClosedThread(
      "const it = process;",
      `return ${JSON.stringify([...gone, ...more])}.filter((name) => name in it)`,
    );
    expect(seen).toEqual([]);
  });

  it.each([
    ["fs.readFileSync", 'const fs = require("fs");', 'return fs.readFileSync(FILE, "utf8")'],
    ["fs.writeFileSync", 'const fs = require("fs");', 'return fs.writeFileSync(NEW, "x")'],
    ["fs.openSync", 'const fs = require("fs");', "return fs.openSync(FILE)"],
    ["fs.readSync", 'const fs = require("fs");', "return fs.readSync(0, Buffer.alloc(1))"],
    ["fs.promises", 'const fs = require("fs");', 'return fs.promises.readFile(FILE, "utf8")'],
    [
      "fs.createReadStream",
      'const fs = require("fs");',
      "return new Promise((go, no) => fs.createReadStream(FILE).on('data', go).on('error', no))",
    ],
    ["fs.watch", 'const fs = require("fs");', "return fs.watch(FILE)"],
    [
      "child_process.execSync",
      'const commands = require("child_process");',
      'return commands.execSync("echo > " + NEW)',
    ],
    ["child_process.spawn", 'const commands = require("child_process");', 'return commands.spawn("touch", [NEW])'],
    [
      "child_process.fork",
      'const commands = require("child_process");',
      "return commands.fork(PROGRAM, { execPath: '/bin/sh' })",
    ],
    [
      "net.connect",
      'const net = require("net");',
      "return new Promise((go, no) => net.connect(PORT, '127.0.0.1').on('connect', () => go('out')).on('error', no))",
    ],
    [
      "net.connect to a path",
      'const net = require("net");',
      "return new Promise((go, no) => net.connect(UNIX).on('connect', () => go('out')).on('error', no))",
    ],
    [
      "net.createServer",
      'const net = require("net");',
      "return new Promise((go, no) => net.createServer().listen(0, '127.0.0.1', () => go('out')).on('error', no))",
    ],
    [
      "dgram",
      'const dgram = require("dgram");',
      "return new Promise((go, no) => dgram.createSocket('udp4').on('error', no).send('x', PORT, '127.0.0.1', (e) => e ? no(e) : go('out')))",
    ],
    [
      "dns.lookup",
      'const dns = require("dns");',
      "return dns.promises.lookup ? new Promise((go, no) => dns.lookup('told.example.test', (e) => e ? no(e) : go('out'))) : 0",
    ],
    [
      "dns.resolve",
      'const dns = require("dns");',
      "return new Promise((go, no) => dns.resolve4('told.example.test', (e) => e ? no(e) : go('out')))",
    ],
    ["a terminal", "const load = process.binding;", "return new (load('tty_wrap').TTY)(0, {})"],
    ["module._load", 'const Module = require("module");', 'return Module._load("fs")'],
    ["module.createRequire", 'const Module = require("module");', 'return Module.createRequire("/")("fs")'],
    ["require", "const load = require;", 'return load("v8")'],
    ["inspector.open", "const load = process.binding;", "return load('inspector').open(0, '127.0.0.1', false)"],
    [
      "the binding of commands",
      "const load = process.binding;",
      "return load('spawn_sync').spawn({ file: '/bin/sh', args: ['sh', '-c', 'echo > ' + NEW] })",
    ],
  ])("%s leads nowhere, whoever got hold of it before", async (_name, before, attempt) => {
    reached.length = 0;
    const named = Object.entries({ ...places, PORT: port }).map(
      ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
    );
    const said = await inClosedThread(before, `${named.join(" ")} ${attempt}`);
    expect(said).toMatch(/^refused .*(?:EACCES|reaches no|-13|EBADF|code 13)/);
    expect([existsSync(places.NEW), reached]).toEqual([false, []]);
  });
});
