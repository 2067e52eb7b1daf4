import * as net from "node:net";
import { isAllowedHost } from "../../../allowed-hosts.ts";
import type { ScenarioTask } from "../../worker-task.ts";

/** A binding of Node, or what a native class gives its objects. */
export type Native = Record<string, unknown>;

/** A native class. */
export interface NativeClass {
  new (): object;
  readonly prototype: Native;
}

type Call = (this: unknown, ...args: readonly unknown[]) => unknown;

// Built-in functions are taken here and only these are called: a script may change them later.
const { apply, defineProperty, setPrototypeOf } = Reflect;
const { toLowerCase, startsWith, endsWith } = String.prototype as unknown as Record<string, Call>;
const { has, add } = Set.prototype as unknown as Record<"has" | "add", Call>;
const later = setImmediate;
const lower = (text: string) => apply(toLowerCase as Call, text, []) as string;

/** Permission denied, as native functions answer it. */
const denied = -13;

/** Puts a function for good where Node looks for it. */
export function fix(of: Native, name: string, value: unknown): void {
  Object.defineProperty(of, name, { value, writable: false, configurable: false });
}

/** A way out of the thread that is closed. */
export function refuseAccess(): never {
  throw Object.assign(new Error("a script reaches no files, commands or modules of this machine"), { code: "EACCES" });
}

/** Once in a thread: whatever way a script finds to a socket, it leads nowhere but where the run may go. */
export function guardSockets(task: ScenarioTask, bindingOf: (name: string) => Native): void {
  const addresses = new Set<string>();
  for (const host of task.allowedHosts) if (net.isIP(host) !== 0) addresses.add(lower(host));
  guardTcp(bindingOf("tcp_wrap"), task.network === "loopback" ? addresses : undefined);
  guardNames(bindingOf("cares_wrap"), { task, addresses });
  for (const [binding, name] of others) {
    const { prototype } = bindingOf(binding)[name] as NativeClass;
    for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (typeof value === "function" && method !== "constructor") fix(prototype, method, () => denied);
  }
  guardConnect(task);
}

/** Classes that talk to others and that no run uses. */
const others = [
  ["pipe_wrap", "Pipe"],
  ["udp_wrap", "UDP"],
  ["cares_wrap", "ChannelWrap"],
] as const;

/** Handles connect to this machine and the addresses known, or to none; they neither listen nor take over what is open. */
function guardTcp(binding: Native, addresses: ReadonlySet<string> | undefined): void {
  const { prototype } = binding["TCP"] as NativeClass;
  for (const name of ["connect", "connect6"]) {
    const connect = prototype[name] as Call;
    fix(prototype, name, function (this: unknown, request: unknown, address: unknown, port: unknown) {
      const to = lower(`${address as string}`);
      const isOwn = apply(startsWith as Call, to, ["127."]) || to === "::1";
      if (addresses === undefined || !(isOwn || apply(has, addresses, [to]))) return denied;
      return apply(connect, this, [request, to, port]);
    });
  }
  for (const name of ["open", "bind", "bind6", "listen"]) fix(prototype, name, () => denied);
}

type Found = (error: unknown, addresses: readonly string[]) => void;

/** Only names that may be reached are looked up; what the allowed ones turn out to be may be connected to. */
function guardNames(
  binding: Native,
  { task, addresses }: { readonly task: ScenarioTask; readonly addresses: ReadonlySet<string> },
): void {
  const getaddrinfo = binding["getaddrinfo"] as Call;
  const Asked = binding["GetAddrInfoReqWrap"] as NativeClass;
  const allowed = new Set(task.allowedHosts.map(lower));
  const look = (asked: object, host: unknown, family: unknown, hints: unknown, order: unknown) => {
    const name = lower(`${host as string}`);
    const isAllowed = apply(has, allowed, [name]) as boolean;
    const isOwn = name === "localhost" || (apply(endsWith as Call, name, [".localhost"]) as boolean);
    if (task.network !== "loopback" || !(isAllowed || isOwn)) return denied;
    // A request that nobody else can reach: what it answers is believed.
    const own = new Asked();
    setPrototypeOf(own, null);
    const oncomplete: Found = (error, found) => {
      if (isAllowed && !error)
        for (let at = 0; at < found.length; at++) apply(add, addresses, [lower(found[at] ?? "")]);
      (asked as { readonly oncomplete: Found }).oncomplete(error, found);
    };
    defineProperty(own, "oncomplete", { value: oncomplete });
    return apply(getaddrinfo, binding, [own, name, family, hints, order]);
  };
  fix(binding, "getaddrinfo", look);
  fix(binding, "getnameinfo", () => denied);
}

/** Where a socket is told to connect. */
interface Place {
  readonly host: string;
  readonly port: string;
}

/** Sockets themselves refuse other places, with an error that says so. */
function guardConnect(task: ScenarioTask): void {
  const connect = net.Socket.prototype.connect as unknown as Call;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: readonly unknown[]) {
    const place = copiedPlace(args[0], args[1]);
    if (place !== undefined && task.network === "loopback" && isAllowedHost(place.host, task))
      return apply(connect, this, [place, callbackOf(args)]) as net.Socket;
    // Once its listeners are there.
    Object.assign(this, { connecting: true });
    later(() => this.destroy(new Error("this run reaches no such place")));
    return this;
  } as typeof net.Socket.prototype.connect;
}

/** The place as a plain copy: what was a getter might say something else to whoever reads it next. None for what is no host and port, or looks names up by itself. */
function copiedPlace(first: unknown, second: unknown): Place | undefined {
  if (Array.isArray(first)) return copiedPlace(first[0], first[1]);
  if (typeof first === "object" && first !== null) {
    const { host, port, path, lookup } = first as Readonly<Record<string, unknown>>;
    if ((path ?? lookup ?? undefined) !== undefined) return undefined;
    return { host: String(host || "localhost"), port: String(port) };
  }
  if (typeof first === "string" && !/^\d+$/.test(first)) return undefined;
  return { host: typeof second === "string" ? second : "localhost", port: String(first) };
}

/** `(options, callback)`, `(port, host, callback)`, or the first of them as one array. */
function callbackOf(args: readonly unknown[]): unknown {
  const all: readonly unknown[] = Array.isArray(args[0]) ? args[0] : args;
  return all.findLast((each) => typeof each === "function");
}
