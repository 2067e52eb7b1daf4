import { isAbsolute } from "node:path";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { SavedPlan } from "./saved-plan.ts";

type Check = (value: Json | undefined) => boolean;

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const has =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, check]) => check(value[name]));

const isNode = has({
  handle: isText,
  kind: isText,
  key: isText,
  fields: isObject,
  parent: optional(isText),
  dependsOn: optional(listOf(isText)),
  sensitive: optional(listOf(isText)),
  sources: optional(isObject),
});

const isOptions = has({
  targets: listOf(isText),
  replace: listOf(isText),
  allowDestroy: listOf(isText),
  destroy: isFlag,
  forceThreshold: isFlag,
  showUnmanaged: isFlag,
});

const isContents: Check = (value) => isObject(value) && Object.values(value).every(has({ text: isFlag, data: isText }));

/** What every place of a state cannot do without. */
const needed: Readonly<Record<string, string>> = { local: "path", http: "address", postgres: "url" };

const isState: Check = (value) => {
  if (!isObject(value)) return false;
  if (value["source"] !== undefined) return isObject(value["source"]);
  const { backend } = value;
  return backend === "memory" || isText(value[needed[String(backend)] ?? ""]);
};

const parts: Readonly<Record<keyof SavedPlan, Check>> = {
  version: (value) => value === 1,
  root: (value) => typeof value === "string" && isAbsolute(value),
  project: isText,
  environment: optional(isText),
  lineage: isText,
  salt: isText,
  hadState: isFlag,
  service: has({ url: isText, auth: isObject }),
  live: isFlag,
  state: isState,
  options: isOptions,
  nodes: listOf(isNode),
  moved: listOf(has({ from: isText, to: isText })),
  removed: listOf(has({ address: isText, destroy: isFlag })),
  contents: isContents,
  addresses: listOf(isText),
  signatures: listOf(isText),
};

/** The parts of a saved plan that are missing, or of another form than we write. */
export function brokenParts(saved: JsonObject): readonly string[] {
  return Object.entries(parts).flatMap(([name, check]) => (check(saved[name]) ? [] : [name]));
}
