import * as assert from "node:assert";
import * as buffer from "node:buffer";
import * as crypto from "node:crypto";
import * as events from "node:events";
import * as path from "node:path";
import * as querystring from "node:querystring";
import * as stream from "node:stream";
import * as url from "node:url";
import * as util from "node:util";
import * as zlib from "node:zlib";
import { type Random, randomOf, uuidOf } from "./random.ts";

type Module = unknown;

/** Modules of Node that are given as they are. */
const plain: Readonly<Record<string, Module>> = { assert, buffer, events, path, querystring, stream, url, util, zlib };

/** The `require` of a script: what is measured, what is harmless, and nothing else. */
export function scriptRequire(own: Readonly<Record<string, () => Module>>): (name: unknown) => Module {
  const known = new Map<string, Module>();
  const names = [...Object.keys(plain), ...Object.keys(own)].sort();
  return (wanted) => {
    const name = String(wanted).replace(/^node:/, "");
    const make = Object.hasOwn(own, name) ? own[name] : undefined;
    if (known.has(name)) return known.get(name);
    if (make === undefined && !Object.hasOwn(plain, name))
      throw Object.assign(
        new Error(`found require(${JSON.stringify(String(wanted))}); expected one of ${names.join(", ")}`),
        { code: "MODULE_NOT_FOUND" },
      );
    const module = make ? make() : wholeExport(plain[name]);
    known.set(name, module);
    return module;
  };
}

/** `require` answers what a module exports as a whole: a function for assert and events. */
function wholeExport(module: Module): Module {
  return typeof module === "object" && module !== null && "default" in module ? module.default : module;
}

/** `crypto` whose random values follow from the seed, where a run has to repeat itself; with `webcrypto`, the global. */
export function seededCrypto(seed: string): { readonly module: Module; readonly global: Module } {
  const random = randomOf(`${seed} crypto`);
  let uuids = 0;
  const randomUUID = () => uuidOf(`${seed} uuid ${uuids++}`);
  const getRandomValues = (target: ArrayBufferView) => {
    fill(target, random);
    return target;
  };
  const global = { subtle: crypto.webcrypto.subtle, getRandomValues, randomUUID };
  const randomBytes = (size: number, callback?: (error: null, bytes: Buffer) => void) => {
    const bytes = Buffer.alloc(size);
    fill(bytes, random);
    if (callback) queueMicrotask(() => callback(null, bytes));
    return bytes;
  };
  const module = {
    ...(wholeExport(crypto) as object),
    webcrypto: global,
    getRandomValues,
    randomUUID,
    randomBytes,
    randomFillSync: getRandomValues,
    randomFill: (target: ArrayBufferView, callback: (error: null, filled: ArrayBufferView) => void) =>
      queueMicrotask(() => callback(null, getRandomValues(target))),
    randomInt: (first: number, second?: unknown) => {
      const [low, high] = typeof second === "number" ? [first, second] : [0, first];
      return low + Math.floor(random() * (high - low));
    },
  };
  return { module, global };
}

function fill(target: ArrayBufferView, random: Random): void {
  const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(random() * 256);
}
