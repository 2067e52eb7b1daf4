import { unlessThrown } from "../../model/diagnostic.ts";
import type { SettingsOf } from "../../model/state-settings.ts";
import type { LockHolder, LockTry } from "../../state/lock-holder.ts";
import type { LockedDocument, RemotePace } from "../../state/remote-session.ts";
import type { State } from "../../state/state.ts";
import { readState, stateText } from "../../state/state-text.ts";
import { type LockInfo, lockBroken, StateLocked, type StateStore, unnamedHolder } from "../../state/store.ts";
import { checkWebAddress, documentStore, type StoreOpening, setText } from "../store-opening.ts";
import {
  answerWords,
  type Credentials,
  credentialsOf,
  failed,
  plainAddress,
  type ServerAnswer,
  type ServerRequest,
  type StateServerOptions,
  stateServer,
  withoutUser,
} from "./state-server.ts";

/** Options of Terraform's HTTP backend protocol, as GitLab and others speak it. */
export interface HttpStoreOptions extends Omit<SettingsOf<"http">, "backend" | "username" | "source"> {
  /** Default: POST. */
  readonly updateMethod?: string;
  readonly credentials?: Credentials;
  readonly holder: LockHolder;
  /** Of loadform; part of the lock info. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pace?: Omit<RemotePace, "now">;
  readonly patience?: StateServerOptions["patience"];
}

interface Protocol {
  readonly options: HttpStoreOptions;
  readonly send: ReturnType<typeof stateServer>;
  readonly where: string;
}

/** The http store of a project. Terraform's own variables count too, so that a job set up for GitLab-managed state needs nothing else. */
export function openHttpStore(settings: SettingsOf<"http">, { holder, env, version }: StoreOpening): StateStore {
  const { address, lockAddress, unlockAddress, username } = settings;
  for (const [name, each] of Object.entries({ address, lockAddress, unlockAddress }))
    checkWebAddress(`state.${name}`, each);
  const lockMethod = settings.lockMethod ?? setText(env["TF_HTTP_LOCK_METHOD"]);
  const unlockMethod = settings.unlockMethod ?? setText(env["TF_HTTP_UNLOCK_METHOD"]);
  const updateMethod = setText(env["TF_HTTP_UPDATE_METHOD"]);
  const credentials = credentialsOf({ username, address }, env);
  return httpStore({
    address: withoutUser(address),
    ...(lockAddress !== undefined && { lockAddress: withoutUser(lockAddress) }),
    ...(unlockAddress !== undefined && { unlockAddress: withoutUser(unlockAddress) }),
    ...(lockMethod !== undefined && { lockMethod }),
    ...(unlockMethod !== undefined && { unlockMethod }),
    ...(updateMethod !== undefined && { updateMethod }),
    ...(credentials && { credentials }),
    holder,
    version,
    env,
  });
}

/**
 * State behind Terraform's HTTP backend protocol (docs/engine.md, Stores and locks). Writes carry `?ID=` of the lock, so a server that
 * knows it refuses whoever lost it; the serial is raised with every attempt, as GitLab takes each one only once.
 */
export function httpStore(options: HttpStoreOptions): StateStore {
  const { credentials, holder, env, patience } = options;
  const send = stateServer({
    sleep: holder.sleep,
    env,
    ...(credentials && { credentials }),
    ...(patience && { patience }),
  });
  const protocol: Protocol = { options, send, where: plainAddress(options.address) };
  const store = documentStore({
    where: protocol.where,
    holder,
    pace: options.pace,
    open: async () => protocol,
    close: () => undefined,
    read: readRemote,
    taking: async (_, info) => () => requestLock(protocol, info),
    locked: lockedDocument,
    unlock: forceUnlock,
  });
  return { ...store, outlives: true };
}

async function lockedDocument(protocol: Protocol, info: LockInfo): Promise<LockedDocument> {
  const state = await readRemote(protocol).catch(async (problem: unknown) => {
    await unlock(protocol, info).catch(() => undefined);
    throw problem;
  });
  return {
    info,
    state,
    write: (next) => writeRemote(protocol, next, info),
    release: async () => void (await unlock(protocol, info)),
  };
}

/** GET: 200 with a body is a state; an empty one, 204 and 404 are none. */
async function readRemote({ send, options }: Protocol): Promise<State | undefined> {
  const request: ServerRequest = { method: "GET", url: options.address, purpose: "read the state" };
  const answer = await send(() => request);
  if (answer.status === 204 || answer.status === 404) return undefined;
  if (answer.status !== 200) throw failed(request, answerWords(answer));
  return answer.text.trim() === "" ? undefined : readState(answer.text);
}

/** POST, or what the server wants instead. What refuses because of the lock is 409, 412 or 423. */
async function writeRemote({ send, options, where }: Protocol, state: State, info: LockInfo): Promise<State> {
  const url = new URL(options.address);
  url.searchParams.set("ID", info.id);
  const request = { method: options.updateMethod ?? "POST", url: url.href, purpose: "write the state" };
  let next = state;
  const answer = await send(() => {
    next = { ...next, serial: next.serial + 1 };
    return { ...request, body: stateText(next) };
  });
  if (isLockRefusal(answer)) throw lockBroken(where);
  if (answer.status < 200 || answer.status > 299) throw failed(request, answerWords(answer));
  return next;
}

/** Locking again under the same id is no conflict: the answer to the first time was lost. */
async function requestLock(protocol: Protocol, info: LockInfo): Promise<LockTry<LockInfo>> {
  const { send, options } = protocol;
  const request: ServerRequest = {
    method: lockMethod(options),
    url: lockAddress(options),
    body: lockBody(info, options.version),
    purpose: "lock the state",
    answeredHint: "The server must have locks: set state.lockAddress, and state.lockMethod where it is not LOCK",
  };
  const answer = await send(() => request);
  if (isLockRefusal(answer)) {
    const lockedBy = lockOf(answer.text, info);
    return lockedBy?.id === info.id ? { acquired: info } : { lockedBy };
  }
  if (answer.status >= 200 && answer.status <= 299) return { acquired: info };
  throw failed(request, answerWords(answer));
}

/** False when the server holds another lock than ours. */
async function unlock({ send, options }: Protocol, info: LockInfo): Promise<boolean> {
  const request: ServerRequest = {
    method: unlockMethod(options),
    url: unlockAddress(options),
    body: lockBody(info, options.version),
    purpose: `release the lock ${info.id}`,
    hint: `When the server works again: loadform state unlock ${info.id}`,
  };
  const answer = await send(() => request);
  if (isLockRefusal(answer) || answer.status === 404) return false;
  if (answer.status >= 200 && answer.status <= 299) return true;
  throw failed(request, answerWords(answer));
}

/** The protocol has no question for the holder; a lock that is refused names it. */
async function forceUnlock(protocol: Protocol, id: string | undefined): Promise<LockInfo | undefined> {
  const ours = protocol.options.holder.describe("state unlock");
  const result = await requestLock(protocol, ours);
  if ("acquired" in result) {
    await unlock(protocol, ours);
    return undefined;
  }
  const holder = "lockedBy" in result ? (result.lockedBy ?? (id ? unnamedHolder(id) : undefined)) : undefined;
  if (holder === undefined || (id !== undefined && holder.id !== id)) throw new StateLocked(holder);
  if (await unlock(protocol, holder)) return holder;
  throw new StateLocked("lockedBy" in result ? result.lockedBy : undefined);
}

function isLockRefusal({ status }: ServerAnswer): boolean {
  return status === 409 || status === 412 || status === 423;
}

// A state of GitLab and Gitea, `…/terraform/state/NAME`, is locked by POST and DELETE at `…/lock`.
const lockAddress = (options: HttpStoreOptions): string => options.lockAddress ?? usualLockAddress(options.address);
const unlockAddress = (options: HttpStoreOptions): string => options.unlockAddress ?? lockAddress(options);
const lockMethod = (options: HttpStoreOptions): string =>
  options.lockMethod ?? (endsInLock(lockAddress(options)) ? "POST" : "LOCK");
const unlockMethod = (options: HttpStoreOptions): string =>
  options.unlockMethod ?? (endsInLock(unlockAddress(options)) ? "DELETE" : "UNLOCK");

function usualLockAddress(address: string): string {
  const url = new URL(address);
  if (/\/terraform\/state\/[^/]+$/.test(url.pathname)) url.pathname += "/lock";
  return url.href;
}

function endsInLock(address: string): boolean {
  return URL.canParse(address) && new URL(address).pathname.endsWith("/lock");
}

/** Terraform's lock info, as its HTTP backend sends and receives it. */
interface WireLock {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  readonly Who: string;
  readonly Version: string;
  readonly Created: string;
  readonly Path: string;
}

/** A lock as the body of LOCK and UNLOCK. GitLab wants every member to be there. */
function lockBody(info: LockInfo, version: string): string {
  const wire: WireLock = {
    ID: info.id,
    Operation: info.operation,
    // It contains the id, so that an echo is recognized.
    Info: info.info ?? `pid ${info.pid ?? 0}, lock ${info.id}`,
    Who: info.who,
    Version: version,
    Created: info.created,
    Path: "",
  };
  return JSON.stringify(wire);
}

/**
 * The holder that a refusal names; undefined when it names none. GitLab answers with the holder's id, name and time but
 * our own operation and info: members that echo `ours` are dropped.
 */
function lockOf(body: string, ours: LockInfo): LockInfo | undefined {
  const wire = parseLock(body);
  if (wire?.ID === undefined || wire.ID === "") return undefined;
  const isEcho = wire.ID !== ours.id && (wire.Info ?? "").includes(ours.id);
  const info = isEcho ? "" : (wire.Info ?? "");
  const pid = /^pid (\d+),/.exec(info)?.[1];
  const unnamed = unnamedHolder(wire.ID);
  return {
    id: wire.ID,
    operation: (isEcho ? "" : wire.Operation) || unnamed.operation,
    who: wire.Who || unnamed.who,
    created: wire.Created || unnamed.created,
    ...(info === "" ? {} : { info }),
    ...(pid === undefined ? {} : { pid: Number(pid) }),
  };
}

function parseLock(body: string): Partial<WireLock> | undefined {
  const value: unknown = unlessThrown(() => JSON.parse(body));
  if (typeof value !== "object" || value === null) return undefined;
  const texts = Object.entries(value).filter(([, member]) => typeof member === "string");
  // They are repeated in messages.
  return Object.fromEntries(texts.map(([name, text]) => [name, text.replace(/\p{Cc}+/gu, " ")])) as Partial<WireLock>;
}
