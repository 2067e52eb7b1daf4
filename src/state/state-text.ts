import { crc32 } from "node:zlib";
import { parseAddress } from "../model/address.ts";
import type { Position } from "../model/diagnostic.ts";
import { keysOnce } from "../model/group-by.ts";
import {
  byKey,
  everyItem,
  isFlag,
  isObject,
  type Json,
  type JsonObject,
  type JsonTest,
  jsonProblemPlace,
  orAbsent,
} from "../model/json.ts";
import { type CreateIntent, type PauseIntent, type State, type StateResource, stateFormat } from "./state.ts";
import { StoreFailed } from "./store.ts";

/** Why a text is not a state that can be used; `undefined` from {@link readState} means all is well. */
export class StateUnusable extends Error {
  override readonly name = "StateUnusable";
  /** Where the text ends to be JSON; undefined where it is. */
  readonly place: Omit<Position, "file"> | undefined;
  constructor(message: string, place?: Omit<Position, "file">, cause?: unknown) {
    super(message, { cause });
    this.place = place;
  }
}

/**
 * The state as text: stable order, one resource per line, so that a diff of two states reads well. It was read back, so
 * that no state is written which {@link readState} would refuse; throws {@link StoreFailed} otherwise.
 */
export function stateText(state: State): string {
  const text = lineByLine(state);
  try {
    readState(text);
  } catch (cause) {
    if (!(cause instanceof StateUnusable)) throw cause;
    throw new StoreFailed(
      `the new state could not be read back: ${cause.message}. The previous one remains. This is a defect in loadform, please report it`,
      { cause },
    );
  }
  return text;
}

function lineByLine(state: State): string {
  const { resources, ...rest } = state;
  const head = JSON.stringify(rest, undefined, 2).slice(0, -2);
  const lines = Object.entries(resources)
    .sort(byKey)
    .map(([address, resource]) => `    ${JSON.stringify(address)}: ${spelledOut(resource)}`);
  const body = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
  return `${head},\n  "resources": ${body}\n}\n`;
}

/** Members of a binding that are spelled out in the text also when they are empty, and only there. */
const spelled = ["seen", "content", "secrets"] as const;

function spelledOut(resource: StateResource): string {
  const nothing = spelled.filter((name) => resource[name] === undefined).map((name) => `,"${name}":{}`);
  return `${JSON.stringify(resource).slice(0, -1)}${nothing.join("")}}`;
}

/** In our own layout they are at the end of a line, and are removed before the text is parsed. */
const nothingSpelled = /(?:,"(?:seen|content|secrets)":\{\})+(?=\},?\n)/g;

/** The same in the layout of another program. */
function trim(resource: Record<string, Json>): void {
  for (const name of spelled) {
    const value = resource[name];
    if (value !== undefined && isObject(value) && Object.keys(value).length === 0) delete resource[name];
  }
}

/** The text of a state for a disk, where bytes rot and people edit: its last member is a checksum of everything before it. */
export function checksummedText(state: State): string {
  const body = stateText(state).slice(0, -"\n}\n".length);
  return `${body}${checksumHead}${checksum(body)}"\n}\n`;
}

const checksumHead = ',\n  "checksum": "';

function checksum(body: string | Buffer): string {
  return crc32(body).toString(16).padStart(8, "0");
}

/** Reads a state as it is stored; throws {@link StateUnusable} for anything torn, flipped or of another format (P19). */
export function readState(stored: string | Buffer): State {
  const text = typeof stored === "string" ? stored : stored.toString("utf8");
  const value = withoutChecksum(parseJson(text), text, stored);
  if (!isObject(value)) throw new StateUnusable("it is not a JSON object");
  if (value.format === undefined && value.terraform_version !== undefined)
    throw new StateUnusable("it is a state of Terraform or OpenTofu; name another place for loadform under state:");
  if (value.format !== stateFormat)
    throw new StateUnusable(`its format is ${JSON.stringify(value.format ?? null)}, not "${stateFormat}"`);
  check(value, stateShape, (member) => `its "${member}"`);
  const resources = value.resources as JsonObject;
  for (const address of keysOnce(resources)) {
    const resource = resources[address];
    const name = `its resource "${address}"`;
    if (!isObject(resource) || parseAddress(address)?.at(-1)?.kind !== resource.kind)
      throw new StateUnusable(`${name} is damaged`);
    check(resource, resourceShape, (member) => `"${member}" of ${name}`);
    trim(resource as Record<string, Json>);
  }
  for (const intent of value.pending as readonly Json[]) {
    if (!isObject(intent)) throw new StateUnusable('its "pending" is damaged');
    check(
      intent,
      "op" in intent ? pauseShape : { ...createShape, ...formerMembers },
      (member) => `"${member}" of its pending "${String(intent.address)}"`,
    );
  }
  return value as unknown as State;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text.replace(nothingSpelled, "")) as Json;
  } catch (cause) {
    const place = jsonProblemPlace(text);
    const words = `it is not JSON from line ${place.line}, column ${place.column} on: it may have been cut off`;
    throw new StateUnusable(words, place, cause);
  }
}

/**
 * A text without a checksum is accepted: it was written by hand, or for a store that checks integrity itself. So is one
 * that another program wrote on purpose, from the state it read.
 */
function withoutChecksum(value: Json, text: string, stored: string | Buffer): Json {
  if (!isObject(value) || value.checksum === undefined) return value;
  const at = stored.lastIndexOf(checksumHead);
  const end = text.slice(text.lastIndexOf(checksumHead)).trimEnd();
  const isWhole = at >= 0 && end === `${checksumHead}${checksum(stored.slice(0, at))}"\n}`;
  if (!isWhole && !isWrittenAnew(value, text))
    throw new StateUnusable(
      'it does not match its "checksum": it is damaged, or was edited by hand (state mv and state rm edit it; to keep an edit, take the line "checksum" out)',
    );
  const { checksum: _checksum, ...rest } = value;
  return rest;
}

/** In the layout of a JSON library, which is never ours once there are resources: ours has a line for each. */
function isWrittenAnew(value: JsonObject, text: string): boolean {
  if (!isObject(value.resources) || Object.keys(value.resources).length === 0) return false;
  return [0, 2, 4, "\t"].some((indent) => JSON.stringify(value, undefined, indent) === text.trim());
}

/** Every member and its possible values; an unlisted one would be lost with the next write, so it is refused. */
type MemberTests<T> = Readonly<Record<keyof T, JsonTest>>;

function check(value: JsonObject, shape: Readonly<Record<string, JsonTest>>, name: (member: string) => string): void {
  for (const member in shape)
    if (!shape[member]?.(value[member])) throw new StateUnusable(`${name(member)} is damaged`);
  for (const member in value)
    if (!Object.hasOwn(shape, member))
      throw new StateUnusable(`${name(member)} is unknown: it is damaged, or from a newer loadform`);
}

const isText: JsonTest = (value) => typeof value === "string" && value !== "";
const isCount: JsonTest = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
/** Leaves room for more writes than anybody makes: a serial that cannot be raised is found before the service is changed. */
const isSerial: JsonTest = (value) => isCount(value) && Number(value) < 2 ** 52;
const isNumber: JsonTest = (value) => typeof value === "number";
/** A service that told no time leaves it empty. */
const isTime: JsonTest = (value) => value === "" || (typeof value === "string" && !Number.isNaN(Date.parse(value)));
const isTexts: JsonTest = (value) => isObject(value) && Object.values(value).every((each) => typeof each === "string");
const isTarget: JsonTest = (value) => isObject(value) && isText(value.url) && isCount(value.organization);
const stateShape: MemberTests<State> = {
  format: isText,
  serial: isSerial,
  lineage: isText,
  project: isText,
  environment: orAbsent(isText),
  target: orAbsent(isTarget),
  salt: isText,
  resources: isObject,
  pending: Array.isArray,
};

const resourceShape: MemberTests<StateResource> = {
  kind: isText,
  id: isCount,
  createdAt: isTime,
  parent: orAbsent(isCount),
  seen: orAbsent(isObject),
  applied: isObject,
  content: orAbsent(isTexts),
  secrets: orAbsent(isTexts),
  protect: orAbsent(isFlag),
  ignore: orAbsent(everyItem(isText)),
};

const createShape: MemberTests<CreateIntent> = {
  address: isText,
  kind: isText,
  parent: orAbsent(isText),
  preIds: everyItem(isCount),
  name: orAbsent((value) => typeof value === "string"),
  within: orAbsent(isObject),
  sent: orAbsent(isObject),
  createdAt: orAbsent(isTime),
  t: isNumber,
  since: orAbsent(isNumber),
  timeoutMs: orAbsent(isNumber),
};

/** Members of a pending create that earlier versions wrote, and that nothing reads. */
const formerMembers = { parentId: orAbsent(isCount), fp: orAbsent((value) => typeof value === "string") };

const pauseShape: MemberTests<PauseIntent> = {
  op: (value) => value === "pause",
  address: isText,
  kind: isText,
  id: isCount,
  t: isNumber,
  since: orAbsent(isNumber),
};
