import { type Escape, nothing } from "./escape.ts";

const noImport = /^refused ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING$/;
/** The text that eval is called with. */
const imports = (from = "node:fs") =>
  `import(${JSON.stringify(from)}).then(({ readFileSync }) => globalThis.done(readFileSync(globalThis.file, "utf8")), globalThis.failed)`;
const byEval = (call: string, from?: string) =>
  `globalThis.file = FILE; return new Promise((done, failed) => { Object.assign(globalThis, { done, failed }); const text = ${JSON.stringify(imports(from))}; ${call} })`;

/** By modules that are loaded. */
export const byModules: readonly Escape[] = [
  ...[
    "async_hooks",
    "diagnostics_channel",
    "perf_hooks",
    "wasi",
    "domain",
    "repl",
    "test",
    "sys",
    "fs/../child_process",
  ].map((name) => ({
    name: `require of ${name}`,
    text: `return require(${JSON.stringify(name)})`,
    expected: /^refused MODULE_NOT_FOUND$/,
  })),
  {
    name: "import()",
    text: 'return (await import("node:fs")).readFileSync(FILE, "utf8")',
    expected: /^refused EACCES$/,
  },
  { name: "import() in eval", text: 'return eval("imp" + "ort(\\"node:fs\\")")', expected: noImport },
  {
    name: "import() by AsyncFunction",
    text: 'return (async () => 0).constructor("return imp" + "ort(\\"node:fs\\")")()',
    expected: noImport,
  },
  {
    name: "import() by Function",
    text: 'return new Function("return imp" + "ort(\\"node:fs\\")")()',
    expected: noImport,
  },
  { name: "eval called by setTimeout", text: byEval("setTimeout(eval, 1, text)"), expected: noImport },
  { name: "eval called by setImmediate", text: byEval("setImmediate(eval, text)"), expected: noImport },
  {
    name: "eval called by setInterval, with a data URL",
    text: byEval(
      "const timer = setInterval((each) => { clearInterval(timer); setTimeout(eval, 1, each) }, 1, text)",
      "data:text/javascript,export { readFileSync } from 'node:fs'",
    ),
    expected: noImport,
  },
  { name: "eval called by nextTick", text: byEval("process.nextTick(eval, text)"), expected: noImport },
  { name: "eval called by a promise", text: byEval("Promise.resolve(text).then(eval)"), expected: noImport },
  {
    name: "eval called by an emitter",
    text: byEval('events.on("x", eval); events.emit("x", text)'),
    expected: noImport,
  },
  {
    name: "eval called by a stream",
    text: byEval('require("stream").Readable.from([text]).on("data", eval)'),
    expected: noImport,
  },
  { name: "eval called by promisify", text: byEval('require("util").promisify(eval)(text)'), expected: noImport },
  {
    name: "an option of the compiler, polluted by init",
    init: 'globalThis.seen = "nothing"; Object.prototype.importModuleDynamically = (_, script) => { globalThis.seen = script.constructor.name; throw new Error("none") };',
    text: 'const go = "return imp" + "ort(\\"node:fs\\")"; try { await new Function(go)() } catch {} return globalThis.seen',
    expected: nothing,
  },
  {
    name: "moment, which requires locales by name",
    text: 'String.prototype.match = () => true; globalThis.found = "nothing"; for (const up of ["../../../../../../../..", ".", "../.."]) try { moment.locale(up + PROGRAM) } catch {} return globalThis.found',
    expected: nothing,
  },
];
