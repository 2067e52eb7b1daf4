import { byKey } from "../model/canonical.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { State } from "./state.ts";
import { stateFormat } from "./state.ts";

/** Why a text is not a state that can be used; `undefined` from {@link readState} means all is well. */
export class StateUnusable extends Error {
  override readonly name = "StateUnusable";
}

/** The state as text: stable order, one resource per line, so that a diff of two states reads well. */
export function stateText(state: State): string {
  const { resources, ...rest } = state;
  const head = JSON.stringify(rest, undefined, 2).slice(0, -2);
  const lines = Object.entries(resources)
    .sort(byKey)
    .map(([address, resource]) => `    ${JSON.stringify(address)}: ${JSON.stringify(resource)}`);
  const body = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
  return `${head},\n  "resources": ${body}\n}\n`;
}

/** Reads the text of a state; throws {@link StateUnusable} for anything torn or foreign (P19). */
export function readState(text: string): State {
  const value = parse(text);
  if (!isObject(value)) throw new StateUnusable("it holds no JSON object");
  if (value.format !== stateFormat)
    throw new StateUnusable(`its format is ${JSON.stringify(value.format ?? null)}, expected "${stateFormat}"`);
  for (const [member, test] of Object.entries(shape))
    if (!test(value[member])) throw new StateUnusable(`its "${member}" is damaged`);
  for (const [address, resource] of Object.entries(value.resources as JsonObject))
    if (!isResource(resource)) throw new StateUnusable(`its resource "${address}" is damaged`);
  return value as unknown as State;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new StateUnusable("it is not JSON: it may have been cut off", { cause });
  }
}

const isText = (value: Json | undefined) => typeof value === "string" && value !== "";
const isCount = (value: Json | undefined) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

const shape: Readonly<Record<string, (value: Json | undefined) => boolean>> = {
  serial: isCount,
  lineage: isText,
  project: isText,
  salt: isText,
  resources: isObject,
  pending: Array.isArray,
  target: (value) => value === undefined || (isObject(value) && isText(value.url) && isCount(value.organization)),
};

function isResource(value: Json | undefined): boolean {
  return (
    isObject(value) &&
    isText(value.kind) &&
    isCount(value.id) &&
    typeof value.createdAt === "string" &&
    isObject(value.applied)
  );
}
