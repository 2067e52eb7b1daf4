import { parseAddress } from "../model/address.ts";
import { problem } from "../model/diagnostic.ts";
import { canonicalJson, isObject, type Json, type JsonObject, jsonProblemPlace } from "../model/json.ts";
import { type Snapshot, snapshotFormat } from "./snapshot.ts";

/** The text of a snapshot: sorted, a member a line, equal for equal trees. */
export function snapshotText(snapshot: Snapshot): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(snapshot as unknown as Json)), undefined, 2)}\n`;
}

/** Reads a snapshot; throws a problem that says where a text is none. */
export function readSnapshot(text: string, file: string): Snapshot {
  const document = documentIn(text, file);
  if (!isObject(document) || typeof document["format"] !== "string")
    throw unusable(`${file} is no snapshot: expected a JSON object with the member "format"`);
  const { format } = document;
  if (format !== snapshotFormat)
    throw unusable(`${file} has the format ${JSON.stringify(format)}; this version reads ${snapshotFormat}`);
  const broken = brokenMember(document);
  if (broken !== undefined) throw unusable(`${file}, at ${broken[0]}: expected ${broken[1]}. Somebody edited the file`);
  return document as unknown as Snapshot;
}

/** The problem of a file that no plan can be made from. */
export function unusable(found: string) {
  const advice = "Make a new one with a key: loadform snapshot --out snapshot.json";
  return problem("LF5011", "the snapshot cannot be used", `${found}. ${advice}`);
}

function documentIn(text: string, file: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (thrown) {
    const { line, column } = jsonProblemPlace(text);
    const isCut = String(thrown).includes("end of JSON");
    const found = `${file}:${line}:${column} is not JSON${isCut ? ": the file ends too early" : ""}`;
    throw unusable(found).at({ file, line, column });
  }
}

type Broken = readonly [path: string, expected: string] | undefined;
type Check = (value: Json | undefined, path: string) => Broken;

const typed =
  (type: "string" | "number", words: string): Check =>
  (value, path) =>
    typeof value === type ? undefined : [path, words];
const isText = typed("string", "a text");
const isNumber = typed("number", "a number");
const isMapping: Check = (value, path) => (isObject(value) ? undefined : [path, "a mapping"]);
const isTime: Check = (value, path) =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? undefined : [path, "a time in ISO 8601"];

function optional(check: Check): Check {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}

function listOf(check: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? firstBroken(
          value.map((item: Json, at) => [item, `${path}[${at}]`]),
          check,
        )
      : [path, "a list"];
}

function mapOf(check: Check): Check {
  return (value, path) =>
    isObject(value)
      ? firstBroken(
          Object.entries(value).map(([name, item]) => [item, `${path}[${JSON.stringify(name)}]`]),
          check,
        )
      : [path, "a mapping"];
}

function firstBroken(items: readonly (readonly [Json, string])[], check: Check): Broken {
  for (const [item, path] of items) {
    const broken = check(item, path);
    if (broken) return broken;
  }
  return undefined;
}

function members(checks: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (!isObject(value)) return [path, "a mapping"];
    for (const [name, check] of Object.entries(checks)) {
      const broken = check(value[name], path === "" ? name : `${path}.${name}`);
      if (broken) return broken;
    }
    return undefined;
  };
}

const identity = { kind: isText, id: isNumber, createdAt: isText };
const told = {
  parent: optional(isText),
  facts: optional(isMapping),
  offers: optional(listOf(isText)),
  deactivatedOffers: optional(listOf(isText)),
};

const isBound = members({
  ...identity,
  parent: optional(isNumber),
  applied: isMapping,
  content: optional(mapOf(isText)),
  hidden: optional(listOf(isText)),
  sources: optional(mapOf(isText)),
  ignore: optional(listOf(isText)),
  live: optional(members({ ...told, fields: isMapping })),
});

const isDocument = members({
  project: isText,
  environment: optional(isText),
  target: members({ url: isText, organization: isNumber }),
  lineage: isText,
  serial: isNumber,
  takenAt: isTime,
  bound: mapOf(isBound),
  others: listOf(members({ ...identity, ...told, name: optional(isText), references: optional(isMapping) })),
  contents: optional(mapOf(isText)),
});

/** The first member of another form than we write. */
function brokenMember(document: JsonObject): Broken {
  const broken = isDocument(document, "");
  if (broken) return broken;
  const bad = Object.keys(document["bound"] as JsonObject).find((address) => parseAddress(address) === undefined);
  return bad === undefined ? undefined : [`bound[${JSON.stringify(bad)}]`, "an address"];
}
