import { type Escape, nothing } from "./escape.ts";

/** What Node makes of objects that are sent. */
const posing = (kind: string, of: string) =>
  `const sent = new ${of}(${of === "AbortSignal" ? "" : ""}); for (const name of [...symbolsOf(${of}.prototype, "messaging_transfer_symbol"), ...symbolsOf(${of}.prototype, "messaging_clone_symbol")]) Object.defineProperty(sent, name, { value: () => ({ data: { handle: { fd: 0 } }, deserializeInfo: "${kind}" }) });
   const all = symbolsOf(require("crypto").KeyObject.prototype, "messaging_").concat(symbolsOf(require("buffer").Blob.prototype, "messaging_"));
   for (const name of all) { if (!Object.hasOwn(sent, name)) Object.defineProperty(sent, name, { value: () => ({ data: { handle: { fd: 0 } }, deserializeInfo: "${kind}" }) }); if (String(name).includes("deserialize")) Object.prototype[name] = () => 0; }
   const got = structuredClone(sent, { transfer: [sent] });`;

export const byClones: readonly Escape[] = [
  {
    name: "structuredClone of a stream that poses as a FileHandle",
    text: `${posing("internal/fs/promises:FileHandle", "ReadableStream")} const Reader = got.createReadStream().constructor; return new Promise((go, no) => new Reader(FILE).on("data", (data) => go(String(data))).on("error", no))`,
    expected: /^refused (?:Unserializable host object|got\.\S+ is not a function)/,
  },
  {
    name: "structuredClone of a stream that poses as a Module",
    text: `${posing("internal/modules/cjs/loader:Module", "TransformStream")} return got.constructor._load("fs").readFileSync(FILE, "utf8")`,
    expected: /^refused (?:Unserializable host object|got\.\S+ is not a function)/,
  },
  {
    name: "structuredClone of a stream that poses as a ChildProcess",
    text: `${posing("internal/child_process:ChildProcess", "WritableStream")} return got.spawn({ file: "/bin/sh", args: ["sh", "-c", "echo > " + NEW] })`,
    expected: /^refused (?:Unserializable host object|got\.\S+ is not a function)/,
  },
  {
    name: "structuredClone, with a polluted iterator of its list",
    text: 'const [name] = symbolsOf(require("crypto").KeyObject.prototype, "messaging_clone"); const it = new ReadableStream(); const real = Array.prototype[Symbol.iterator]; Array.prototype[Symbol.iterator] = function* () { yield it }; let got; try { got = structuredClone(new ArrayBuffer(1), { transfer: [new ArrayBuffer(1)] }) } finally { Array.prototype[Symbol.iterator] = real } return got.byteLength === 1 ? "nothing" : "it"',
    expected: /^got nothing$|^refused /,
  },
  ...["ReadableStream", "WritableStream", "TransformStream", "AbortSignal"].map((name) => ({
    name: `a port by the transfer of ${name}`,
    text: `const known = Object.getOwnPropertySymbols(${name}.prototype).filter((each) => String(each).includes("messaging_")); const it = ${name === "AbortSignal" ? "new AbortController().signal" : `new ${name}()`}; const sent = known.map((each) => { try { return it[each]?.() } catch {} }); return sent.some((got) => [got?.data, ...Object.values(got ?? {}), ...Object.values(got?.data ?? {})].some(isPort)) ? "it" : "nothing"`,
    expected: nothing,
  })),
  {
    name: "what others left in memory",
    text: 'Buffer.poolSize = 8192; const found = []; for (let at = 0; at < 50; at++) { Buffer.from("of another iteration"); found.push(...new Uint8Array(Buffer.allocUnsafe(64).buffer), ...Buffer.allocUnsafeSlow(5000)) } return found.some((each) => each !== 0) ? "it" : "nothing"',
    expected: nothing,
  },
];
