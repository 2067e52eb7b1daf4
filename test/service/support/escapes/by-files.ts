import { type Escape, nothing } from "./escape.ts";

/** By fs, and what reads files beside it. */
export const byFiles: readonly Escape[] = [
  { name: "fs.readFileSync", text: 'return require("fs").readFileSync(FILE, "utf8")', expected: /^refused EACCES$/ },
  {
    name: "fs.promises.readFile",
    text: 'return require("fs/promises").readFile(FILE, "utf8")',
    expected: /^refused EACCES$/,
  },
  { name: "fs.writeFileSync", text: 'return require("fs").writeFileSync(NEW, "x")', expected: /^refused EACCES$/ },
  {
    name: "fs with a path up",
    text: 'return require("fs").readFileSync("/output/../.." + FILE, "utf8")',
    expected: /^refused EACCES$/,
  },
  {
    name: "fs with a URL",
    text: 'return require("fs").readFileSync(new URL("file://" + FILE), "utf8")',
    expected: /^refused EACCES$/,
  },
  {
    name: "fs with a path that changes",
    text: 'let n = 0; const path = { toString: () => (n++ % 2 ? FILE : "/output/a") }; const fs = require("fs"); fs.writeFileSync("/output/a", "own"); return fs.readFileSync(path, "utf8")',
    expected: /^got own$|^refused E/,
  },
  {
    name: "fs with patched strings",
    text: 'String.prototype.startsWith = () => true; const fs = require("fs"); fs.writeFileSync(NEW, "x"); return fs.readFileSync(FILE, "utf8")',
    expected: /^refused ENOENT$/,
  },
  {
    name: "fs with a patched path",
    text: 'require("path").posix.resolve = () => "/output/.." + FILE; return require("fs").readFileSync(FILE, "utf8")',
    expected: /^refused E(?:ACCES|NOENT)$/,
  },
  {
    name: "assert, which reads the source of what failed",
    text: 'try { require("assert").ok(0 ===\n 1) } catch (e) { return e.message.includes("canary") ? e.message : "nothing" }',
    expected: nothing,
  },
  {
    name: "an engine of OpenSSL",
    text: "return require('crypto').setEngine(PROGRAM)",
    expected: /^refused .*not a function$/,
  },
  {
    name: "the mode of OpenSSL of the whole process",
    text: "return String(require('crypto').setFips) + require('crypto').fips",
    expected: /^got undefinedundefined$/,
  },
  {
    name: "an engine for a client's certificate",
    text: 'return open(agents.https, { host: "127.0.0.1", port: 9, clientCertEngine: PROGRAM })',
    expected: /^refused ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED$/,
  },
  {
    name: "an engine for a key",
    text: 'return open(agents.https, { host: "127.0.0.1", port: 9, privateKeyEngine: PROGRAM, privateKeyIdentifier: "x" })',
    expected: /^refused ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED$/,
  },
];
