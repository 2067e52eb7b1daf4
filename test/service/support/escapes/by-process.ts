import { type Escape, nothing } from "./escape.ts";

/** By the real process and the ports, of which Node calls methods by itself. */
export const byProcess: readonly Escape[] = [
  {
    name: "emit of events, which Node calls for beforeExit",
    text: 'const found = caught(EventEmitter.prototype, ["emit"], isReal); await wait(); await wait(); return found[0] ? read(found[0]) : "nothing"',
    expected: nothing,
  },
  {
    name: "emit of events, which Node calls for warnings",
    text: 'const found = caught(EventEmitter.prototype, ["emit"], isReal); const it = new EventEmitter(); for (let at = 0; at < 20; at++) it.on("x", () => 0); await wait(); return found[0] ? read(found[0]) : "nothing"',
    expected: nothing,
  },
  {
    name: "every other method of events",
    text: 'const names = Object.getOwnPropertyNames(EventEmitter.prototype).filter((name) => typeof EventEmitter.prototype[name] === "function" && name !== "constructor"); const found = caught(EventEmitter.prototype, names, isReal); require("util").log("x"); require("buffer").Buffer(1); await wait(); return found[0] ? read(found[0]) : "nothing"',
    expected: nothing,
  },
  {
    name: "setters for what Node notes at its process",
    text: 'let found; for (const name of ["_exiting", "domain", "_warned", "_events", "exitCode", "_handle"]) Object.defineProperty(Object.prototype, name, { configurable: true, get() {}, set(value) { if (isReal(this)) found = this } }); await wait(); return found ? read(found) : "nothing"',
    expected: nothing,
  },
  ...(["call", "apply", "bind"] as const).map((name) => ({
    name: `Function.prototype.${name}`,
    text: `const found = caught(Function.prototype, ["${name}"], (it) => isReal(it) || isPort(it)); describe("a", () => it("b", () => 0)); http.get("http://a.test/"); await wait(100); return found[0] ? "it" : "nothing"`,
    expected: nothing,
  })),
  {
    name: "what call sites are called for",
    text: 'const found = []; Error.prepareStackTrace = (_, sites) => { for (const site of sites) try { found.push(site.getThis(), ...site.getFunction().arguments) } catch {} return "" }; const deep = () => new Error("x").stack; deep(); await new Promise((go) => process.nextTick(() => go(deep()))); return found.some((it) => isReal(it) || isPort(it)) ? "it" : "nothing"',
    expected: nothing,
  },
  {
    name: "callers and their arguments",
    text: 'const seen = []; function look() { for (let at = look; at && seen.length < 50; at = at.caller) seen.push(...(at.arguments ?? [])) } try { look() } catch {} return seen.some((it) => isReal(it) || isPort(it)) ? "it" : "nothing"',
    expected: nothing,
  },
  {
    name: "the port of the thread, as EventTarget hands messages on",
    text: 'const name = Symbol.for("nodejs.internal.kHybridDispatch"); const found = caught(EventTarget.prototype, [name], isPort); require("util").log("x"); await wait(); for (let at = 0; at < 50; at++) await new Promise((go) => process.nextTick(() => setTimeout(go, 1))); return found[0] ? Object.getOwnPropertySymbols(found[0]).length : "nothing"',
    expected: nothing,
    network: "loopback",
  },
  {
    name: "the port of the thread, by a setter for what a message brings",
    text: 'let found; Object.defineProperty(Object.prototype, Symbol.for("nodejs.internal.kCurrentlyReceivingPorts"), { configurable: true, set() { found = this } }); require("util").log("x"); await wait(100); return found ? "it" : "nothing"',
    expected: nothing,
    network: "loopback",
  },
  {
    name: "the stdout of the thread, by write of streams",
    text: 'const { Writable } = require("stream"); const found = caught(Writable.prototype, ["write"], (it) => symbolsOf(it ?? {}, "kPort").length > 0); require("util").log("x"); return found[0] ? isPort(found[0][symbolsOf(found[0], "kPort")[0]]) : "nothing"',
    expected: nothing,
  },
  {
    name: "the stdout of the thread, by once of events",
    text: 'const found = caught(EventEmitter.prototype, ["once", "on", "removeListener"], (it) => symbolsOf(it ?? {}, "kPort").length > 0); require("util").log("x"); return found[0] ? "it" : "nothing"',
    expected: nothing,
  },
  {
    name: "globals of threads",
    text: "return typeof MessageChannel + typeof MessagePort + typeof BroadcastChannel + typeof postMessage",
    expected: /^got (?:undefined){4}$/,
  },
  {
    name: "the environment",
    text: "return process.env.CANARY ?? Object.keys(process.env).join()",
    expected: /^got EXECUTION_ID,CHUNK_ID$/,
  },
  { name: "where the service runs", text: 'return require("path").resolve(".")', expected: /^got \/output$/ },
];
