import { unlessThrown } from "../model/diagnostic.ts";
import { choice, flag, group, integer, list, named, scalar, text } from "../model/field.ts";
import { isContentMark } from "../model/fingerprint.ts";
import { byKey, isObject, itemsOf, type Json, type JsonObject, mappingsIn, objectOf } from "../model/json.ts";
import { defineKind, type RuleFinding, type ScriptFields } from "../model/kind.ts";
import { finding, isSet, objectName, readableName, unreadableNames } from "./field-parts.ts";
import { childList, read, write } from "./remote-calls.ts";

/** API 1, Scenario (script); what can be written is in docs/service-decisions.md. */
export const scenario = defineKind({
  name: "scenario",
  plural: "scenarios",
  parent: "testCase",
  description: "A scenario: the script that each virtual user runs.",
  fields: {
    name: objectName("Name of the scenario."),
    script: text({
      description: "The script's text, run once per iteration. Usually a file.",
      examples: [`\${file:scripts/browse.js}`],
      content: "text",
      required: true,
      wire: { name: "main" },
    }),
    init: text({
      description: "Script run once at the start.",
      content: "text",
      examples: [`\${file:scripts/init.js}`],
    }),
    teardown: text({ description: "Script run once at the end.", content: "text" }),
    scriptType: text({ description: "Type of the script; Code is for Node.js.", default: "Code", examples: ["Code"] }),
    language: choice(["javascript", "typescript"], { description: "Language of Code scripts.", default: "javascript" }),
    nodeVersion: choice(["14", "18", "22", "latest"], {
      description: "Node.js version of a Code script.",
      default: "latest",
    }),
    paramsConfig: list(
      group(
        {
          name: text({ description: "Name of the parameter.", required: true, trim: true }),
          required: flag({ description: "Whether a run must set it.", default: false }),
          defaultValue: scalar({
            description: "Value when a run sets none; write-only when encrypted.",
            maybeSecret: true,
          }),
          encrypted: flag({ description: "Whether its values are secret.", default: false }),
        },
        { description: "One parameter that the script takes." },
      ),
      {
        description: "Parameters that the script takes.",
        examples: [[{ name: "baseUrl", required: true }]],
        normalize: parametersByName,
        spell: parametersAsList,
        wire: { write: parametersAsList },
      },
    ),
    tags: list(
      named("tag", { description: "Name of a tag.", inFiles: "Or the key of one under `tags`.", trim: true }),
      { description: "Tags that label the results of runs.", examples: [["nightly"]], set: true },
    ),
  },
  contentVersion: ["length", "updatedAt"],
  facts: {
    readonly: flag({ description: "Whether the service refuses changes." }),
    length: integer({ description: "Length of the script.", unit: "characters" }),
  },
  // Defaults of encrypted parameters are write-only.
  secretPaths: (scenario) => encryptedParameters(scenario).map((name) => below("paramsConfig", name, ".defaultValue")),
  scripts: readableScripts,
  rules: [
    readableName,
    { origin: "decision", section: "1 Resources and their fields", check: readableParts },
    { origin: "decision", section: "1 Scenarios", check: emptyScript },
    { origin: "decision", section: "service 1.2.11", check: duplicateParameters },
  ],
  remote: {
    within: childList("scenarios"),
    needs: ["paramsConfig", "tags"],
    read: read("GET /scripts/:id", (id) => ({ params: { id }, query: { down: true, up: true } })),
    create: write("POST /test-cases/:testCaseId/scripts", ({ parentId }) => ({ testCaseId: parentId })),
    update: write("PUT /scripts/:id", ({ id }) => ({ id })),
    remove: ({ api, id }) => api.call("DELETE /scripts/:id", { params: { id } }),
  },
});

/** API 1, Scenario (script): only a script of type Code is known to be a text for Node.js. */
function readableScripts({ scriptType, language }: JsonObject): ScriptFields | undefined {
  const written = language ?? "javascript";
  if ((scriptType ?? "Code") !== "Code" || (written !== "javascript" && written !== "typescript")) return undefined;
  return { language: written, names: ["script", "init", "teardown"] };
}

/** Parameters keyed by name: their order means nothing, and a path can lead to one of them. */
function parametersByName(value: Json): Json {
  if (!Array.isArray(value)) return value;
  const entries: [string, JsonObject][] = [];
  for (const item of value) {
    const { name, ...rest } = isObject(item) ? item : {};
    // One that lacks its name is reported as such.
    if (typeof name === "string") entries.push([name, rest]);
  }
  return Object.fromEntries(entries.sort(byKey));
}

function parametersAsList(value: Json): Json {
  if (!isObject(value)) return value;
  return Object.entries(value).map(([name, rest]) => ({ name, ...objectOf(rest) }));
}

function readableParts({ tags, paramsConfig }: JsonObject): readonly RuleFinding[] {
  return unreadableNames([
    ...itemsOf(tags).map((tag, index) => [["tags", index], tag] as const),
    ...mappingsIn(paramsConfig).map(([index, { name }]) => [["paramsConfig", index, "name"], name] as const),
  ]);
}

/** Of other types it is not known whether the text is what runs. */
function emptyScript({ script, scriptType }: JsonObject): readonly RuleFinding[] {
  if (!isContentMark(script) || script.bytes > 0 || (scriptType ?? "Code") !== "Code") return [];
  return [finding(["script"], "the script is empty", "A scenario of type Code needs the text that each user runs")];
}

function duplicateParameters({ paramsConfig }: JsonObject) {
  const seen = new Set<Json>();
  return mappingsIn(paramsConfig).flatMap(([index, { name }]) => {
    if (name === undefined || !seen.has(name)) {
      if (name !== undefined) seen.add(name);
      return [];
    }
    const detail = `paramsConfig has the parameter "${String(name)}" twice: remove one of them`;
    return [{ path: ["paramsConfig", index, "name"], summary: `parameter ${String(name)} is declared twice`, detail }];
  });
}

/**
 * `scriptParams` compare as JSON: text of an object becomes that object (API 1, Test configuration). Values reach a
 * script as strings, so 5 and "5" are the same.
 */
export function normalParameters(value: Json): Json {
  if (typeof value !== "string") return value;
  const parsed: Json | undefined = unlessThrown(() => JSON.parse(withLongIntegersAsText(value)));
  return isObject(parsed) ? withTextValues(parsed) : value;
}

/** An integer that no number holds exactly remains digit by digit: it is an id, not an amount. */
function withLongIntegersAsText(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}

function withTextValues(parameters: JsonObject): JsonObject {
  const isPlain = (value: Json) => typeof value === "number" || typeof value === "boolean";
  const entries = Object.entries(parameters);
  if (!entries.some(([, value]) => isPlain(value))) return parameters;
  return Object.fromEntries(entries.map(([name, value]) => [name, isPlain(value) ? String(value) : value]));
}

/** As the wire wants them: JSON text. */
export function parametersToText(value: Json): Json {
  return typeof value === "string" || value === null ? value : JSON.stringify(value);
}

/** Names of such parameters; `paramsConfig` is in normal form, keyed by name. */
function parametersThat(are: (parameter: JsonObject) => boolean, { paramsConfig }: JsonObject): readonly string[] {
  const parameters = objectOf(paramsConfig);
  return Object.keys(parameters).filter((name) => are(objectOf(parameters[name])));
}

const isEncrypted = ({ encrypted }: JsonObject) => encrypted === true;
const isNeeded = (parameter: JsonObject) =>
  parameter.required === true && !isSet(parameter.defaultValue) && !isEncrypted(parameter);

const encryptedParameters = (scenario: JsonObject) => parametersThat(isEncrypted, scenario);

/** Names of the parameters that a run must set. An encrypted one may have a value that nobody can read back. */
export const neededParameters = (scenario: JsonObject) => parametersThat(isNeeded, scenario);

/** A configuration's values for encrypted parameters of its scenario are write-only. */
export function secretValues(
  _fields: JsonObject,
  referred: (field: string) => JsonObject | undefined,
): readonly string[] {
  return encryptedParameters(referred("scenario") ?? {}).map((name) => below("scriptParams", name));
}

/** Paths are dotted, so a name with a dot in it makes the whole field secret. */
function below(field: string, name: string, rest = ""): string {
  return name.includes(".") ? field : `${field}.${name}${rest}`;
}
