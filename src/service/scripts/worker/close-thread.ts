import * as crypto from "node:crypto";
import * as modules from "node:module";
import * as v8 from "node:v8";
import { MessagePort } from "node:worker_threads";
import type { ScenarioTask } from "../worker-task.ts";
import { fix, guardSockets, type Native, type NativeClass, refuseAccess } from "./network/guard-sockets.ts";

/**
 * Closes what leads out of this thread, once and before a script is in it. A script can change every prototype and get hold of
 * Node's own objects by that; so the native functions behind files, commands and sockets are closed, and the objects by which the
 * thread talks to the service inherit nothing from what a script can change.
 */
export function closeThread(task: ScenarioTask, outputDir: string): void {
  const bindingOf = nativeBindings();
  guardSockets(task, bindingOf);
  closeNatives(bindingOf);
  closeModules();
  closeTransfers();
  closeMemory();
  for (const name of removedGlobals) Reflect.deleteProperty(globalThis, name);
  closeProcess(outputDir);
}

/** Globals of the thread that lead out of it, or that a script has no use for. */
const removedGlobals = ["module", "exports", "__filename", "__dirname"].concat(
  ["BroadcastChannel", "MessageChannel", "MessagePort"],
  ["EventSource", "localStorage", "sessionStorage"],
);

function nativeBindings(): (name: string) => Native {
  // Some of them are announced to become unavailable, of which a script's log says nothing.
  Object.assign(process, { noDeprecation: true });
  return Reflect.get(process, "binding") as (name: string) => Native;
}

/** Natively closed as a whole, and classes of which every method is. */
const closedBindings = ["fs", "spawn_sync"];
const closedClasses = [
  ["process_wrap", "Process"],
  ["fs_event_wrap", "FSEvent"],
  ["tty_wrap", "TTY"],
] as const;

function closeNatives(bindingOf: (name: string) => Native): void {
  for (const name of closedBindings) refuseAll(bindingOf(name));
  for (const [name, of] of closedClasses) refuseAll((bindingOf(name)[of] as NativeClass).prototype);
  fix(bindingOf("tty_wrap"), "TTY", refuseAccess);
  for (const name of ["open", "Connection", "MainThreadConnection"]) fix(bindingOf("inspector"), name, refuseAccess);
  // Engines of OpenSSL are libraries that are loaded from a file.
  const { prototype } = bindingOf("crypto")["SecureContext"] as NativeClass;
  for (const name of ["setClientCertEngine", "setEngineKey"]) Reflect.deleteProperty(prototype, name);
  const given = wholeOf(crypto);
  for (const name of ["setEngine", "setFips", "fips"]) Reflect.deleteProperty(given, name);
}

/** Closes every function that an object has by itself. */
function refuseAll(of: Native): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(of)))
    if (typeof value === "function" && name !== "constructor" && name !== "prototype") fix(of, name, refuseAccess);
}

/** Nothing is loaded any more: what this program needs of Node it has. */
function closeModules(): void {
  const Module = wholeOf(modules) as unknown as NativeClass & Native;
  refuseAll(Module);
  refuseAll(Module.prototype);
}

/** A module as `require` answers it. */
function wholeOf(module: object): Native {
  return Reflect.get(module, "default") as Native;
}

/** Objects that say how they are sent become, where they are received, whatever class of Node they name. */
function closeTransfers(): void {
  for (const { prototype } of [ReadableStream, WritableStream, TransformStream, AbortSignal])
    for (const key of Object.getOwnPropertySymbols(prototype))
      if (key.description?.startsWith("messaging_")) Reflect.deleteProperty(prototype, key);
  Object.assign(globalThis, { structuredClone: plainClone });
}

/** `structuredClone` of data: objects of Node's own are refused or cloned as plain ones, and nothing is transferred. */
function plainClone(value: unknown): unknown {
  try {
    return v8.deserialize(v8.serialize(value));
  } catch (thrown) {
    throw new DOMException(thrown instanceof Error ? thrown.message : String(thrown), "DataCloneError");
  }
}

/** New buffers hold zeros, not what the process had in that place of its memory before. */
function closeMemory(): void {
  const allocate = Buffer.alloc;
  const zeros = (size: number) => allocate(size);
  for (const name of ["allocUnsafe", "allocUnsafeSlow"]) fix(Buffer as unknown as Native, name, zeros);
  fix(Buffer as unknown as Native, "poolSize", 0);
}

/** Members of `process` that Node itself still uses. */
const needed: ReadonlySet<string | symbol> = new Set(
  ["version", "versions", "arch", "platform", "release", "features", "config", "env", "argv", "execArgv"].concat(
    ["_events", "_eventsCount", "_maxListeners", "domain", "noDeprecation", "stdin", "stdout", "stderr"],
    ["_exiting", "exitCode", "exit", "reallyExit", "_fatalException", "_tickCallback", "nextTick", "emitWarning"],
    ["hasUncaughtExceptionCaptureCallback", "hrtime", "uptime", "memoryUsage"],
  ),
);

/** Node calls the real `process` and the ports of this thread by itself: whoever gets hold of them finds nothing there. */
function closeProcess(outputDir: string): void {
  const { stdin, stdout, stderr } = process;
  for (const each of [stdin, stdout, stderr, MessagePort.prototype]) detach(each);
  for (const key of Reflect.ownKeys(process))
    if (typeof key === "string" && !needed.has(key)) Reflect.deleteProperty(process, key);
  const nothing = () => undefined;
  Object.assign(process, { cwd: () => outputDir, _rawDebug: nothing });
  detach(process);
}

/** Gives an object what it inherits as a copy of its own; Node's `emit` would call listeners by a method that a script can change. */
function detach(heir: object): void {
  const inherited: object = Object.create(null);
  if ("_events" in heir) Object.assign(inherited, { emit });
  for (let at: object | null = prototypeOf(heir); at !== null; at = prototypeOf(at))
    for (const key of Reflect.ownKeys(at))
      if (key !== "__proto__" && !Object.hasOwn(inherited, key))
        Object.defineProperty(inherited, key, Object.getOwnPropertyDescriptor(at, key) ?? {});
  Object.setPrototypeOf(heir, inherited);
}

type Listener = (...args: readonly unknown[]) => unknown;

const { apply } = Reflect;

function emit(
  this: { readonly _events: Readonly<Record<string, unknown>> },
  name: string,
  ...args: readonly unknown[]
) {
  const found = this._events[name] as Listener | readonly Listener[] | undefined;
  if (found === undefined) return false;
  if (typeof found === "function") apply(found, this, args);
  else for (let at = 0, most = found.length; at < most; at++) apply(found[at] as Listener, this, args);
  return true;
}

function prototypeOf(of: object): object | null {
  return Object.getPrototypeOf(of) as object | null;
}
